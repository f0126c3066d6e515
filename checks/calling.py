"""What calls in a source give: the part of :mod:`checks.following` that goes into functions and classes."""

from __future__ import annotations

import ast
import json
import re
from pathlib import PurePosixPath
from typing import Any

from checks.expressions import Expressions
from checks.library import LIBRARY, sequence
from checks.readings import DEEPEST, LISTS, Names
from checks.texts import of_text
from checks.values import (
    MOST,
    PACKAGE,
    UNKNOWN,
    WILD,
    Class,
    Dotted,
    Function,
    Instance,
    Opened,
    Partial,
    alternatives,
    either,
    got,
    matching,
    named,
    placed,
    put,
)  # fmt: skip

LARGEST_CONFIGURATION = 64 << 10


class Calls(Expressions):
    """Functions and classes of the source are followed; what the library would give is worked out."""

    def _of_call(self, node: ast.Call, names: Names) -> Any:
        given: list[Any] = []
        for one in node.args:
            if isinstance(one, ast.Starred):
                given += sequence(self._value(one.value, names)) or [UNKNOWN]
            else:
                given.append(self._value(one, names))
        keywords: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self._value(keyword.value, names)
            if keyword.arg is None:
                keywords.update({str(k): v for k, v in value.items()} if isinstance(value, dict) else {})
            else:
                keywords[keyword.arg] = value
        if isinstance(node.func, ast.Attribute) and _is_super(node.func.value):
            return self._of_base(node, node.func.attr, names.find("self"), given, keywords)
        if isinstance(node.func, ast.Attribute):
            holder = self._value(node.func.value, names)
            results = [self._method(node, one, given, keywords) for one in alternatives(holder)]
            return either(results)
        return either([self._apply(node, one, given, keywords) for one in alternatives(self._value(node.func, names))])

    def _of_base(self, node: ast.Call, name: str, owner: Any, given: list[Any], keywords: dict[str, Any]) -> Any:
        """``super().name(...)``: what the bases of the class of ``owner`` have of that name."""
        for base in owner.of.bases if isinstance(owner, Instance) else ():
            found = base.members.get(name)
            if isinstance(found, Function):
                return self._apply(node, Function(found.node, found.around, owner, found.defaults), given, keywords)
        return UNKNOWN

    def _method(self, node: ast.Call, holder: Any, given: list[Any], keywords: dict[str, Any]) -> Any:
        assert_name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if isinstance(holder, Dotted | Instance | Class):
            return self._apply(node, self._attribute(holder, assert_name), given, keywords)
        if isinstance(holder, str):
            return self._of_text(node, holder, assert_name, given, keywords)
        if isinstance(holder, Opened):
            return holder
        if isinstance(holder, dict):
            return self._of_mapping(holder, assert_name, given, keywords)
        if isinstance(holder, list) and assert_name in ("append", "extend", "add"):
            more = given[:1] if assert_name != "extend" else (sequence(given[0]) if given else None) or []
            if len(holder) + len(more) < MOST:
                holder += more
            return None
        self._note(node, assert_name, [*given, *keywords.values()], keywords)
        return UNKNOWN

    def _of_mapping(self, holder: dict[Any, Any], name: str, given: list[Any], keywords: dict[str, Any]) -> Any:
        match name:
            case "items":
                return list(holder.items())
            case "keys":
                return list(holder)
            case "values":
                return list(holder.values())
            case "get" | "pop" | "setdefault" if given and isinstance(given[0], str | int):
                found = got(holder, given[0], given[1] if len(given) > 1 else None)
                if name == "setdefault":
                    put(holder, given[0], found)
                return found
            case "get":
                return either(list(holder.values()))
            case "update":
                more = given[0] if given else keywords
                if isinstance(more, dict) and len(holder) + len(more) < MOST:
                    holder.update({**more, **keywords})
                else:
                    put(holder, WILD, UNKNOWN)
            case "copy":
                return dict(holder)
        return UNKNOWN

    def _of_text(self, node: ast.Call, text: str, name: str, given: list[Any], keywords: dict[str, Any]) -> Any:
        if name in LISTS:
            pattern = given[0] if given and isinstance(given[0], str) else "*"
            return self._listed(node, text, pattern, deep=name == "rglob")
        known, value = of_text(text, name, given, keywords)
        if not known:
            self._note(node, name, [text], {**keywords, "mode": keywords.get("mode", given[0] if given else "r")})
        return Opened(text) if not known and name in ("open", "read_text", "read_bytes") else value

    def _listed(self, node: ast.Call, folder: str, pattern: str, *, deep: bool = False) -> Any:
        self._steps += len(self.names) // 8
        where = placed(folder)
        # Of several folders at once, what is looked for in each of them counts; of one, that it is there.
        self._note(node, "list", [f"{folder}/{pattern}" if "*" in folder else folder], {}, verb="list")
        if not where or where.startswith("output"):
            return UNKNOWN
        inside = "**" if deep else pattern
        if deep or "**" in pattern:
            return UNKNOWN
        found = list(matching(f"{where}/{inside}", self.names))
        return [f"{PACKAGE}/{one}" for one in found[:MOST]]

    def _apply(self, node: ast.Call, function: Any, given: list[Any], keywords: dict[str, Any]) -> Any:
        if isinstance(function, Function):
            return self._call(function, given, keywords)
        if isinstance(function, Partial):
            return self._apply(node, function.function, [*function.given, *given], {**function.keywords, **keywords})
        if isinstance(function, Class):
            return self._construct(function, given, keywords)
        if not isinstance(function, Dotted):
            self._note(node, "", [*given, *keywords.values()], keywords)
            return UNKNOWN
        known, value = self._library(node, function.name, given, keywords)
        if not known:
            mode = keywords.get("mode", given[1] if len(given) > 1 and function.name.endswith("open") else "r")
            self._note(node, function.name, [*given, *keywords.values()], {"mode": mode})
            if function.name in ("builtins.open", "io.open") and given and isinstance(given[0], str):
                return Opened(given[0])
        return value

    def _construct(self, of: Class, given: list[Any], keywords: dict[str, Any]) -> Any:
        made = Instance(of)
        start = of.members.get("__init__")
        if isinstance(start, Function):
            self._call(Function(start.node, start.around, made, start.defaults), given, keywords)
        else:
            made.attributes.update({**dict(zip(of.fields, given, strict=False)), **keywords})
        return made

    def _library(self, node: ast.Call, name: str, given: list[Any], keywords: dict[str, Any]) -> tuple[bool, Any]:
        """(known to us, what comes of it)."""
        first = given[0] if given else UNKNOWN
        if isinstance(first, str) and name in ("os.listdir", "os.scandir"):
            found = self._listed(node, first, "*")
            return True, [PurePosixPath(one).name for one in found] if isinstance(found, list) else UNKNOWN
        if isinstance(first, str) and name in ("glob.glob", "glob.iglob"):
            path = PurePosixPath(first)
            return True, self._listed(node, str(path.parent), path.name)
        if name in ("json.dump", "json.dumps"):
            self.dumped.append(first)
        if name in ("json.load", "json.loads") and isinstance(first, Opened):
            return True, self._json(first)
        if name == "functools.partial" and isinstance(first, Function | Partial | Class):
            return True, Partial(first, tuple(given[1:]), keywords)
        known = LIBRARY.get(name.removeprefix("builtins."))
        return (False, UNKNOWN) if known is None else (True, known(given, keywords))

    def _json(self, file: Opened) -> Any:
        """What a JSON file of the package says, as a configuration would: a small one, and what is beside the data."""
        place = placed(file.path)
        if not place.startswith("evaluation/") or not place.endswith(".json") or place not in self.names:
            return UNKNOWN
        text = self._text(place)
        if not text or len(text) > LARGEST_CONFIGURATION:
            return UNKNOWN
        self._steps += len(text) // 8
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return UNKNOWN

    def _attribute(self, value: Any, name: str) -> Any:
        """A property of an object of the source is what its function gives."""
        found = super()._attribute(value, name)
        if isinstance(found, Function) and found.owner is not None:
            decorators = getattr(found.node, "decorator_list", ())
            if any(re.search(r"\b(?:cached_)?property$", ast.unparse(one)) for one in decorators):
                return self._call(found, [], {})
        return found

    def _call(self, function: Function, given: list[Any], keywords: dict[str, Any]) -> Any:
        """Follow a function of the source."""
        if self._depth >= DEEPEST:
            return UNKNOWN
        node = function.node
        self._called.add(getattr(node, "name", ""))
        names = Names(function.around)
        arguments = node.args
        positional = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        if function.owner is not None:
            given = [function.owner, *given]
        for one in (*positional, *(one.arg for one in arguments.kwonlyargs)):
            names[one] = function.defaults[one] if one in function.defaults else named(one)
        names.update(dict(zip(positional, given, strict=False)))
        names.update({name: value for name, value in keywords.items() if name in names})
        if arguments.vararg is not None:
            names[arguments.vararg.arg] = given[len(positional) :]
        if arguments.kwarg is not None:
            names[arguments.kwarg.arg] = {name: value for name, value in keywords.items() if name not in names}
        self._depth += 1
        try:
            if isinstance(node, ast.Lambda):
                return self._value(node.body, names)
            names["return"], names["yield"] = [], []
            returned, yielded = names["return"], names["yield"]
            self._block(node.body, names)
        finally:
            self._depth -= 1
        value = yielded or (either(returned) if returned else None)
        self.returned[node.name] = value
        return value


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
