"""Pickles, which are programs: their instructions are read, none is carried out. And R's files, by their headers.

A pickle tells what it would import, what its outermost value is, and the keys and array shapes that stand in it.
"""

from __future__ import annotations

import io
import pickletools
import zipfile
from typing import Any

from nature_gym.acquisition.formats.source import MOST_NAMES, Source, Structure, UnreadableError, names
from nature_gym.acquisition.formats.texts import file_of

_MOST_PICKLE = 64 << 20
_MOST_INSTRUCTIONS = 2_000_000
_TOPS = {"EMPTY_DICT": "dict", "DICT": "dict", "EMPTY_LIST": "list", "LIST": "list", "EMPTY_TUPLE": "tuple",
         "TUPLE": "tuple", "TUPLE1": "tuple", "TUPLE2": "tuple", "TUPLE3": "tuple", "EMPTY_SET": "set"}  # fmt: skip


def pickle(source: Source) -> Structure:
    """What a pickle would import, and what it would be."""
    body = source.beginning(_MOST_PICKLE)
    return of_instructions(body, whole=len(body) < _MOST_PICKLE)


class _Reading:
    """What was read of a pickle's instructions so far."""

    def __init__(self) -> None:
        self.imports: dict[str, None] = {}
        self.words: dict[str, None] = {}
        self.top = ""
        self.last = ""
        self.protocol = 0
        self.calls = 0
        self.count = 0
        self._recent: list[str] = []

    def take(self, name: str, argument: Any) -> None:
        """One instruction."""
        self.count += 1
        self.last = name
        if name == "PROTO":
            self.protocol = int(argument)
        elif name in ("GLOBAL", "INST"):
            self.imports[str(argument).replace(" ", ".")] = None
        elif name == "STACK_GLOBAL":
            self.imports[".".join(self._recent[-2:])] = None
        elif isinstance(argument, str):
            self._recent = [*self._recent[-1:], argument]
            if len(self.words) < MOST_NAMES:
                self.words[argument] = None
        self.calls += name in ("REDUCE", "NEWOBJ", "NEWOBJ_EX", "INST", "OBJ")
        if not self.top and name not in ("PROTO", "FRAME", "MARK", "MEMOIZE"):
            self.top = _TOPS.get(name) or ("object" if "GLOBAL" in name else "text" if argument else "value")
        elif self.top == "text" and name == "STACK_GLOBAL":
            self.top = "object"


def of_instructions(body: bytes, *, whole: bool = True) -> Structure:
    """Protocol, imports, the kind of the outermost value, and words in the order in which they stand."""
    reading = _Reading()
    try:
        for opcode, argument, _ in pickletools.genops(io.BytesIO(body)):
            reading.take(opcode.name, argument)
            if reading.count > _MOST_INSTRUCTIONS:
                whole = False
                break
    except Exception as error:
        # joblib writes the bytes of arrays between the instructions, where nobody can tell how long they are
        interleaved = any(one.startswith("joblib.") for one in reading.imports)
        if (whole and not interleaved) or not reading.count:
            raise UnreadableError(f"no whole pickle: {str(error).partition(chr(10))[0][:200]}") from error
        whole = False
    if whole and reading.last != "STOP":
        raise UnreadableError("the pickle ends early")
    return {
        "protocol": reading.protocol,
        "top": reading.top,
        "imports": names(sorted(reading.imports)),
        "words": names(reading.words),
        "calls": reading.calls,
        "exact": whole,
    }


def pt(source: Source) -> Structure:
    """A file of PyTorch: a ZIP archive with a pickle and the tensors' bytes, or a row of pickles."""
    if not source.head.startswith(b"PK"):
        return {"form": "legacy", **_first_pickle(source)}
    with zipfile.ZipFile(file_of(source)) as archive:
        infos = archive.infolist()
        inner = next((info for info in infos if info.filename.endswith("data.pkl")), None)
        found: dict[str, Any] = {
            "form": "zip",
            "members": names(info.filename for info in infos[:MOST_NAMES]),
            "tensors": sum("/data/" in info.filename for info in infos),
            "bytes": sum(info.file_size for info in infos),
        }
        if inner is not None:
            with archive.open(inner) as stream:
                body = stream.read(_MOST_PICKLE)
            found |= of_instructions(body, whole=len(body) == inner.file_size)
    return found


def _first_pickle(source: Source) -> Structure:
    """Older files begin with a number, a version and facts of the machine, each a pickle of its own."""
    return of_instructions(source.beginning(_MOST_PICKLE), whole=False)


# -- R ---------------------------------------------------------------------------------------

_R_KINDS = {
    0: "NULL", 2: "pairlist", 3: "closure", 4: "environment", 9: "char", 10: "logical", 13: "integer", 14: "numeric",
    15: "complex", 16: "character", 19: "list", 20: "expression", 24: "raw", 25: "S4", 238: "altrep", 254: "NULL",
}  # fmt: skip
"""SEXP types, as "R Internals" numbers them (Serialization Formats)."""


def rds(source: Source) -> Structure:
    """The version of the format and of R that wrote it, the outermost value's kind and length."""
    head = source.head
    workspace = head[:5] in (b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n")
    body = head[5:] if workspace else head
    if body[:2] != b"X\n":
        if body[:2] in (b"A\n", b"B\n"):
            return {"workspace": workspace, "form": "ascii" if body[:1] == b"A" else "binary"}
        raise UnreadableError("no file of R")
    numbers = [int.from_bytes(body[2 + 4 * index : 6 + 4 * index], "big") for index in range(3)]
    if len(body) < 22 or numbers[0] not in (2, 3):
        raise UnreadableError("a file of R of an unknown version")
    at = 14
    if numbers[0] == 3:
        at += 4 + int.from_bytes(body[14:18], "big")
    kind = int.from_bytes(body[at : at + 4], "big") & 0xFF
    found: Structure = {
        "workspace": workspace,
        "version": numbers[0],
        "written_by": ".".join(str(numbers[1] >> shift & 0xFF) for shift in (16, 8, 0)),
        "top": _R_KINDS.get(kind, f"type {kind}"),
    }
    if kind in (10, 13, 14, 15, 16, 19, 20, 24):
        found["length"] = int.from_bytes(body[at + 4 : at + 8], "big")
    return found
