"""Commands: what shell scripts, Makefiles, Snakefiles, notebooks and READMEs start, read and write.

The one idea: a command line is enough to know three things: which program of the folder it starts (with which
options, that stand for paths in the program), which files it fetches, copies or deletes, and that a program is meant
to be started at all.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field

from nature_gym.cut.io_table import Action
from nature_gym.cut.notebooks import notebook_commands
from nature_gym.cut.plain_calls import Touch, looks_like_path, numbered, plain_touches
from nature_gym.cut.tree import Entry, Tree

_INTERPRETERS = re.compile(
    r"(python[\d.]*|ipython|Rscript|bash|sh|accelerate|torchrun|sbatch|julia|papermill|jupyter|streamlit|\$\(?PY\w*\)?|\$\{?PY\w*\}?)$"
)
_IN_DOCUMENTS = re.compile(r"\b(python\d?|Rscript|bash|sh|wget|curl|gdown|make|sbatch|torchrun|cp|mv|unzip|tar)\b")
_SEPARATORS = re.compile(r"&&|\|\||;|\|(?!\|)|(?<!&)&(?!&)")
_VARIABLE = re.compile(r"\$\{(\w+)[^}]*\}|\$\((\w+)\)|\$(\w+)|\$[@<^*?#]|\{\{?[\w.]+\}?\}|%(?=\.)")
_REDIRECTIONS = {">", ">>", "2>", "&>", "<"}
_ASSIGNMENT = re.compile(r"^\s*(?:export\s+|local\s+)?(\w+)\s*[:?]?=\s*(\"[^\"]*\"|'[^']*'|\S*)\s*$")
_LOOP = re.compile(r"\bfor[ \t]+(\w+)[ \t]+in[ \t]+([^;]+)(?:;|$)")


@dataclass(frozen=True, slots=True)
class Command:
    """A program of the folder that is started: its path, and its options with their values."""

    program: str
    options: tuple[tuple[str, str], ...]
    file: str
    line: int
    text: str


@dataclass(slots=True)
class Commands:
    """All that scripts and documents of a folder say to do."""

    started: list[Command] = field(default_factory=list)
    touched: list[Touch] = field(default_factory=list)

    def given(self) -> dict[str, dict[str, list[str]]]:
        """Program -> option -> the values that it is started with; ``#1`` is the first argument."""
        found: dict[str, dict[str, list[str]]] = {}
        for command in self.started:
            options = found.setdefault(command.program, {})
            for name, value in command.options:
                values = options.setdefault(name, [])
                if value not in values and len(values) < 20:
                    values.append(value)
        return found


def read_commands(tree: Tree) -> Commands:
    """The commands of every script, rule, notebook and code block of a document in the folder."""
    commands = Commands()
    for entry in tree.of_kind("shell", "make", "snakemake", "notebook", "document", "r", "code"):
        limit = 20_000_000 if entry.kind == "notebook" else 2_000_000
        text = tree.text(entry.path, limit)
        if text is None:
            continue
        if entry.kind in {"r", "code"}:
            commands.touched.extend(plain_touches(entry.path, text))
        elif entry.kind == "snakemake":
            commands.touched.extend(_snakemake(entry.path, text))
            _Reader(tree, entry, commands).lines(numbered(text))
        else:
            _Reader(tree, entry, commands).lines(_lines_of(entry, text))
    return commands


def _lines_of(entry: Entry, text: str) -> list[tuple[int, str]]:
    if entry.kind == "notebook":
        try:
            return notebook_commands(text)
        except ValueError:
            return []
    lines = numbered(text)
    if entry.kind != "document":
        return lines
    found: list[tuple[int, str]] = []
    for number, line in lines:
        if _IN_DOCUMENTS.search(line):
            spans = re.findall(r"`([^`]+)`", line)
            found.extend((number, span.strip().removeprefix("$ ")) for span in spans)
            found.append((number, re.sub(r"^\s*[$>%!]\s*", "", line).strip()))
    return found


class _Reader:
    """Reads the command lines of one file."""

    def __init__(self, tree: Tree, entry: Entry, commands: Commands) -> None:
        self.tree = tree
        self.entry = entry
        self.commands = commands
        self.variables: dict[str, list[str]] = {}

    def lines(self, lines: list[tuple[int, str]]) -> None:
        for number, raw in lines:
            line = raw.split(" #", 1)[0] if not raw.lstrip().startswith("#") else ""
            if loop := _LOOP.search(line):
                self.variables[loop[1]] = loop[2].split()[:12]
                line = line[loop.end() :]
            if assigned := _ASSIGNMENT.match(line):
                self.variables[assigned[1]] = self.expand(assigned[2].strip("\"'"))
                continue
            if self.entry.kind == "make" and not raw.startswith("\t"):
                self.rule(number, line)
                continue
            for part in _SEPARATORS.split(line):
                self.command(
                    number,
                    re.sub(r"^\s*(do|then|else|time|nohup|srun|sudo|exec|@|-)\s+", "", part.strip()).lstrip("@-"),
                )

    def rule(self, number: int, line: str) -> None:
        """A Makefile's rule: what it makes, from what."""
        targets, colon, needed = line.partition(":")
        if not colon or targets.strip().startswith("."):
            return
        for name in needed.lstrip(":=").split():
            self.touch("read", name, number, f"a rule needs {name}")

    def expand(self, word: str) -> list[str]:
        """The texts that a word with variables can be."""
        found = [""]
        rest = word
        while match := _VARIABLE.search(rest):
            name = match[1] or match[2] or match[3]
            values = self.variables.get(name or "", ["*"])[:12]
            found = [f"{before}{rest[: match.start()]}{value}" for before in found for value in values][:24]
            rest = rest[match.end() :]
        return [f"{each}{rest}" for each in found]

    def touch(self, action: Action, word: str, number: int, what: str) -> None:
        for path in self.expand(word.strip("\"'")):
            if looks_like_path(path):
                self.commands.touched.append(Touch(action, path, self.entry.path, number, what))

    def command(self, number: int, text: str) -> None:
        try:
            words = shlex.split(text, comments=True)
        except ValueError:
            words = text.split()
        while words and re.match(r"\w+=\S*$", words[0]):
            words = words[1:]
        if not words or len(words) > 400:
            return
        shown = " ".join(words)[:160]
        for place, word in enumerate(words[:-1]):
            if word in _REDIRECTIONS:
                self.touch("read" if word == "<" else "write", words[place + 1], number, shown)
        words = words[: next((place for place, word in enumerate(words) if word in _REDIRECTIONS), len(words))]
        if not words:
            return
        name = words[0].rpartition("/")[2]
        if _INTERPRETERS.search(name) or self.program(words[0]):
            self.start(number, words, shown)
        elif name in _TOUCHERS:
            _TOUCHERS[name](self, number, words[1:], shown)
        elif re.match(r"[\w.-]+$", name):
            self.make(number, words[1:], shown)

    def program(self, word: str) -> str | None:
        """The file of the folder that a word names as a program."""
        path = word.replace("\\", "/").removeprefix("./")
        here = self.entry.folder
        for candidate in (path, f"{here}/{path}" if here else path):
            parts: list[str] = []
            for part in candidate.split("/"):
                if part == "..":
                    parts = parts[:-1]
                elif part not in {"", "."}:
                    parts.append(part)
            entry = self.tree.by_path.get("/".join(parts))
            if entry is not None and entry.is_code:
                return entry.path
        ends = (
            [entry.path for entry in self.tree.entries if entry.is_code and entry.path.endswith("/" + path)]
            if path.count(".") == 1
            else []
        )
        return ends[0] if len(ends) == 1 else None

    def start(self, number: int, words: list[str], shown: str) -> None:
        program, rest = None, words
        for place, word in enumerate(words):
            if word == "-m" and place + 1 < len(words):
                module = words[place + 1].replace(".", "/")
                program = (
                    self.program(f"{module}.py")
                    or self.program(f"{module}/__main__.py")
                    or self.program(f"src/{module}.py")
                )
                rest = words[place + 2 :]
            elif (place == 0 and not _INTERPRETERS.search(word)) or word.endswith(
                (".py", ".sh", ".R", ".r", ".ipynb", ".jl")
            ):
                program = self.program(word)
                rest = words[place + 1 :]
            if program:
                break
        if program:
            options = tuple((name, value) for name, word in _options(rest) for value in self.expand(word))
            self.commands.started.append(Command(program, options, self.entry.path, number, shown))

    def make(self, number: int, words: list[str], shown: str) -> None:
        """A command that is no program of the folder: what it is told to put out."""
        for name, value in _options(words):
            if name in {"o", "out", "output", "outfile", "output_file"} and "." in value.strip("."):
                self.touch("write", value, number, shown)

    def fetch(self, number: int, words: list[str], shown: str) -> None:
        target = next(
            (
                words[place + 1]
                for place, word in enumerate(words[:-1])
                if word in {"-O", "-o", "--output", "--output-document", "-P"}
            ),
            None,
        )
        url = next((word for word in words if "://" in word), "")
        name = url.rpartition("/")[2].split("?")[0]
        if target or ("." in name and "*" not in name):
            self.touch("download", target or name, number, shown)

    def copy(self, number: int, words: list[str], shown: str) -> None:
        paths = [word for word in words if not word.startswith("-")]
        if len(paths) >= 2:
            for path in paths[:-1]:
                self.touch("read", path, number, shown)

    def delete(self, number: int, words: list[str], shown: str) -> None:
        for word in words:
            if not word.startswith("-"):
                self.touch("delete", word, number, shown)


_TOUCHERS = {"wget": _Reader.fetch, "curl": _Reader.fetch, "gdown": _Reader.fetch, "aria2c": _Reader.fetch,
             "cp": _Reader.copy, "mv": _Reader.copy, "ln": _Reader.copy, "rm": _Reader.delete}  # fmt: skip


def _options(words: list[str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    position = 0
    skip = False
    for place, word in enumerate(words):
        if skip:
            skip = False
        elif re.match(r"--?[A-Za-z]", word):
            name, equals, value = word.lstrip("-").partition("=")
            following = words[place + 1] if place + 1 < len(words) else "-"
            if not equals and not following.startswith("-"):
                value, skip = following, True
            if value:
                found.append((name.replace("-", "_"), value))
        elif re.match(r"\+{0,2}[\w./@]+=\S", word):
            name, _, value = word.lstrip("+").partition("=")
            found.append((name.rpartition(".")[2], value))
        else:
            position += 1
            found.append((f"#{position}", word))
    return found


# -- Snakemake ------------------------------------------------------------------------

_STRING = re.compile(r"""(["'])((?:(?!\1)[^\\\n]|\\.)*)\1""")
_SNAKE = re.compile(r"^\s*(input|output|log|shell|script|params)\s*:")


def _snakemake(path: str, text: str) -> list[Touch]:
    found: list[Touch] = []
    section = ""
    for number, line in numbered(text):
        if head := _SNAKE.match(line):
            section = head[1]
        elif re.match(r"^(rule|checkpoint|def)\b", line):
            section = ""
        if section in {"input", "output", "log"}:
            action: Action = "read" if section == "input" else "write"
            for string in _STRING.finditer(line):
                pattern = re.sub(r"\{[^}]*\}", "*", string[2])
                if looks_like_path(pattern):
                    found.append(Touch(action, pattern, path, number, f"{section}: {pattern}"))
    return found
