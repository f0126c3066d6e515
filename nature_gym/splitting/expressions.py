"""SQL expressions over a row's columns: one expression, no subquery, only functions that look at the row.

They come from ``task.yaml``, and so from people and deciders that read hostile papers. DuckDB parses them; what is
allowed is decided on its syntax tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from nature_gym.splitting.database import locked_in
from nature_gym.splitting.faults import SplitError

FUNCTIONS = frozenset({
    "+", "-", "*", "/", "//", "%", "**", "^", "||", "~~", "!~~", "~~*", "!~~*", "~", "!~", "~~~", "@", "&", "|", "<<",
    ">>",
    "abs", "ceil", "ceiling", "floor", "round", "trunc", "sqrt", "ln", "log", "log10", "log2", "exp", "pow", "power",
    "sign",
    "mod", "fmod", "greatest", "least", "coalesce", "ifnull", "nullif",
    "lower", "upper", "trim", "ltrim", "rtrim", "length", "len", "strlen", "substr", "substring", "left", "right",
    "starts_with", "ends_with", "prefix", "suffix", "contains", "instr", "strpos", "position", "replace",
    "concat",
    "split_part", "string_split", "regexp_matches", "regexp_full_match", "regexp_extract", "regexp_replace", "reverse",
    "list_value", "list_contains",
    "list_extract", "array_extract", "struct_extract", "row", "like_escape",
    "not_like_escape", "ilike_escape", "not_ilike_escape",
    "year", "month", "day", "hour", "minute", "second", "date_part", "datepart", "date_trunc", "strptime",
    "try_strptime",
    "epoch", "make_date", "dayofweek", "dayofyear", "week", "quarter",
})  # fmt: skip
"""What an expression may call."""

_ALLOWED = frozenset({
    "COMPARISON", "CONJUNCTION", "COLUMN_REF", "CONSTANT", "FUNCTION", "OPERATOR", "CAST", "TYPE", "CASE", "BETWEEN",
    "COLLATE",
})  # fmt: skip
_LONGEST = 10_000
_HINT = "Write one expression over the columns, for example: age > 18 AND split = 'train'."


def check_expression(expression: str, columns: Sequence[str]) -> set[str]:
    """The columns that ``expression`` names, where it is one that may be evaluated over ``columns``.

    Raises SplitError that says what is wrong with it.
    """
    shown = expression if len(expression) <= 80 else f"{expression[:77]}..."
    exact = set(columns)
    folded: dict[str, list[str]] = {}
    for column in columns:
        folded.setdefault(column.casefold(), []).append(column)
    named: set[str] = set()
    for part in _parts(_tree(expression, shown)):
        kind = part["class"]
        if kind not in _ALLOWED:
            raise SplitError(f"{shown!r} holds a {kind.lower()}, which may not be", hint=_HINT)
        if kind == "FUNCTION":
            _check_call(part, shown)
        if kind == "COLUMN_REF":
            name = ".".join(part["column_names"])
            alike = folded.get(name.casefold(), [])
            if len(part["column_names"]) != 1 or not alike:
                some = ", ".join(columns[:12]) + (", ..." if len(columns) > 12 else "")
                hint = f"Columns: {some}. Text stands in single quotation marks, names with signs in double ones."
                raise SplitError(f"{shown!r} names {name!r}, which is no column", hint=hint)
            if len(alike) > 1:
                raise SplitError(
                    f"{shown!r} names {name!r}, and {' and '.join(alike)} differ in their case alone",
                    hint="Split by 'column' instead, which takes names as they are written.",
                )
            named.add(name if name in exact else alike[0])
    return named


def _tree(expression: str, shown: str) -> dict[str, Any]:
    """The syntax tree of one bare expression. It is parsed, not run."""
    if len(expression) > _LONGEST:
        raise SplitError(f"an expression of {len(expression):,} characters is too long", hint=_HINT)
    try:
        with locked_in([], threads=1) as connection:
            query = f"SELECT ({expression}\n)"
            told = orjson.loads(connection.execute("SELECT json_serialize_sql(?)", [query]).fetchall()[0][0])
    except (SplitError, UnicodeError, orjson.JSONDecodeError, RuntimeError) as error:
        raise SplitError(f"{shown!r} is no expression", hint=_HINT) from error
    if told.get("error"):
        raise SplitError(f"{shown!r} is no expression: {told.get('error_message', '')}", hint=_HINT)
    statements = told["statements"]
    node = statements[0]["node"] if len(statements) == 1 else {}
    rest = {key for key, value in node.items() if value and key not in _OF_EACH}
    is_bare = (
        node.get("type") == "SELECT_NODE"
        and not rest
        and len(node["select_list"]) == 1
        and node["from_table"]["type"] == "EMPTY"
        and not node["cte_map"].get("map")
    )
    if not is_bare:
        raise SplitError(f"{shown!r} is more than one expression", hint=_HINT)
    return dict(node["select_list"][0])


_OF_EACH = frozenset({"type", "select_list", "from_table", "cte_map", "aggregate_handling"})
"""What the syntax tree of a bare ``SELECT`` has; anything else is a clause that was smuggled in."""


def _check_call(call: dict[str, Any], shown: str) -> None:
    name = call["function_name"]
    is_plain = bool(call.get("arguments")) and not (
        call.get("schema") or call.get("catalog") or call.get("filter") or call.get("distinct")
    )
    if name.casefold() not in FUNCTIONS or not is_plain or (call.get("order_bys") or {}).get("orders"):
        raise SplitError(f"{shown!r} calls {name}, which may not be", hint=_HINT)


def _parts(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every node of an expression's syntax tree."""
    waiting: list[Any] = [tree]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if "class" in value and "type" in value:
                yield value
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
