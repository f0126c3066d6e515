"""Programs in languages that are not parsed (R, MATLAB, Julia, C++ and others): their I/O calls, line by line.

The one idea: a call whose name is telling, with a path that stands in it as a string, in a variable that was given a
string, or put together from such; anything more is left unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nature_gym.cut.io_table import Action

MAX_LINES = 20_000
MAX_LINE = 4_000


@dataclass(frozen=True, slots=True)
class Touch:
    """A file that a command or a call touches: ``path`` is a pattern, relative to wherever it is started."""

    action: Action
    path: str
    file: str
    line: int
    what: str


def numbered(text: str) -> list[tuple[int, str]]:
    """Lines with their numbers; lines that end in a backslash are put together."""
    found: list[tuple[int, str]] = []
    held, first = "", 0
    for number, line in enumerate(text.splitlines()[:MAX_LINES], 1):
        if len(line) > MAX_LINE:
            continue
        if line.rstrip().endswith("\\"):
            held, first = held + line.rstrip()[:-1] + " ", first or number
            continue
        found.append((first or number, held + line))
        held, first = "", 0
    return found


def looks_like_path(text: str) -> bool:
    """Whether a text can be a path in the folder at all."""
    if not text or len(text) > 300 or "://" in text or "\n" in text or text.startswith(("-", "#", "/dev/")):
        return False
    return bool(re.search(r"[A-Za-z0-9]", text)) and ("/" in text or bool(re.search(r"\.[A-Za-z0-9]{1,8}$", text)))


@dataclass(frozen=True, slots=True)
class _Language:
    """How a family of languages reads and writes files: names of calls, and what begins a comment."""

    read: str
    write: str
    comment: str

    def calls(self) -> re.Pattern[str]:
        return re.compile(
            rf"(?<![\w.])(?:(?P<read>{self.read})|(?P<write>{self.write})|(?P<download>download\.file|websave|download))\s*[({{]"
        )


_R = _Language(
    r"read\.\w+|read_\w+|readRDS|load|fread|source|readLines|scan|readxl::read_excel|ReadH5AD|LoadH5Seurat|Read10X\w*|h5read|"
    r"raster|st_read|readOGR|import|readMat|fromJSON|vroom|open_dataset|read\w+",
    r"write\.\w+|write_\w+|saveRDS|save|save\.image|fwrite|ggsave|pdf|png|svg|tiff|jpeg|cairo_pdf|sink|writeLines|write|"
    r"export|toJSON|h5write|write\w+|postscript",
    "#",
)
_MATLAB = _Language(
    r"load|importdata|csvread|dlmread|xlsread|readtable|readmatrix|readcell|imread|audioread|niftiread|h5read|textread|"
    r"textscan|matfile|edfread|fopen",
    r"save|csvwrite|dlmwrite|xlswrite|writetable|writematrix|writecell|imwrite|audiowrite|saveas|savefig|exportgraphics|"
    r"export_fig|print",
    "%",
)
_JULIA = _Language(
    r"CSV\.read|CSV\.File|readdlm|load|FileIO\.load|JLD2\.load|h5open|npzread|matread|readlines|open|include_string|TOML\.parsefile",
    r"CSV\.write|writedlm|save|FileIO\.save|JLD2\.save|jldsave|npzwrite|matwrite|savefig|write",
    "#",
)
_OTHER = _Language(
    r"(?:std::)?ifstream(?:\s+\w+)?|FileReader|readFileSync|readFile|fopen|imread|open",
    r"(?:std::)?ofstream(?:\s+\w+)?|FileWriter|writeFileSync|writeFile|imwrite",
    "//",
)
_LANGUAGES = {
    **dict.fromkeys((".r", ".rmd", ".qmd", ".rnw"), _R),
    ".m": _MATLAB,
    ".jl": _JULIA,
    **dict.fromkeys(
        (".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".cu", ".java", ".js", ".ts", ".go", ".rs", ".pl", ".lua"), _OTHER
    ),
}
_CALLS = {language: language.calls() for language in set(_LANGUAGES.values())}
_STRING = re.compile(r"""(["'])((?:(?!\1)[^\\\n]|\\.)*)\1""")
_ASSIGNED = re.compile(r"""^\s*([\w.]+)\s*(?:<-|=)\s*(["'])([^"']*)\2\s*;?\s*$""")
_NAME = re.compile(r"[A-Za-z.][\w.]*")
_COMMAND = re.compile(r"^\s*(load|save)\s+([\w./-]+\.\w+)\b")
"""MATLAB's commands without parentheses."""


_BUILT = re.compile(r"^\s*([\w.]+)\s*(?:<-|=)\s*((?:file\.path|paste0?|here|here::here|glue|sprintf)\(.*)$")
"""R's way to put a path together before it is used."""


def _whole_calls(lines: list[tuple[int, str]], most: int = 6) -> list[tuple[int, str]]:
    """Lines of R with the arguments of a call that goes on below put behind it; those lines stay as they are, too."""
    found: list[tuple[int, str]] = []
    for place, (number, line) in enumerate(lines):
        whole = line
        for _, following in lines[place + 1 : place + most]:
            if not _BEGINS_CALL.search(line) or whole.count("(") <= whole.count(")") or len(whole) > MAX_LINE:
                break
            whole = f"{whole.rstrip()} {following.strip()}"
        found.append((number, whole))
    return found


_BEGINS_CALL = re.compile(r"[\w.]\s*\(")


def plain_touches(path: str, text: str) -> list[Touch]:
    """The files that a program reads and writes, as far as the paths stand in the calls or in plain variables."""
    language = _LANGUAGES.get(path[path.rfind(".") :].lower())
    if language is None:
        return []
    variables: dict[str, str] = {}
    found: list[Touch] = []
    for number, line in _whole_calls(numbered(text)) if language is _R else numbered(text):
        if line.lstrip().startswith(language.comment):
            continue
        if (built := _BUILT.match(line)) and (paths := _paths(built[2], variables)):
            variables[built[1]] = paths[0]
        if assigned := _ASSIGNED.match(line):
            variables[assigned[1]] = assigned[3]
        if language is _MATLAB and (command := _COMMAND.match(line)):
            action: Action = "read" if command[1] == "load" else "write"
            found.append(Touch(action, command[2], path, number, f"{command[1]} {command[2]}"))
        for call in _CALLS[language].finditer(line):
            action = "read" if call["read"] else "write" if call["write"] else "download"
            for argument in _paths(line[call.end() : call.end() + 400], variables):
                if looks_like_path(argument):
                    written = action == "write" or (call[0].startswith("fopen") and "'w" in line)
                    what = f"{call[0].rstrip('( {')}({argument})"
                    found.append(Touch("write" if written else action, argument, path, number, what))
    return found


def _paths(arguments: str, variables: dict[str, str]) -> list[str]:
    """Paths in the arguments of a call: plain strings, or strings and variables put together."""
    built = re.match(
        r"[^()]*?(\bpaste0?|\bfile\.path|\bhere|\bglue|\bsprintf|\bfullfile|\bjoinpath|\bstrcat)\s*\(|\s*\[", arguments
    )
    if built is None:
        strings = [match[2] for match in _STRING.finditer(arguments)]
        bare = _STRING.sub("", arguments).partition(")")[0]
        named = [variables[name] for name in _NAME.findall(bare) if name in variables]
        return [*named, *strings]
    pieces: list[str] = []
    for piece in re.finditer(r"""(["'])((?:(?!\1)[^\\\n]|\\.)*)\1|[\w.$]+|[)\]]""", arguments[built.end() :]):
        if piece[0] in {")", "]"}:
            break
        pieces.append(piece[2] if piece[1] else variables.get(piece[0], "*"))
    how = built[1]
    glue = "/" if how in {"file.path", "here", "fullfile", "joinpath"} else ""
    path = glue.join(pieces[:1] if how in {"sprintf", "glue"} else pieces)
    return [re.sub(r"%[-+ 0]*\d*(\.\d+)?[sdifg]|\{[^}]*\}", "*", path)]
