"""The tree of files that a data description draws: read as people draw them, and compared with what is there.

Lines of a tree (``├── a/``), indented lists and plain paths are read; what follows two spaces, '#' or an arrow is a
comment. ``{instance}``, ``<id>`` and ``*`` stand for any name, '...' for more files of the folder that it stands in.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_DRAWN = re.compile(r"^([\s│├└─┬|`+\\\-–—┃┣┗━*•]*)(.*)$")
_COMMENT = re.compile(r"\s+#.*$|\s{2,}.*$|\s+(?:<-+|←|-{1,2}>?|→|–|—|\()\s*.*$|\t.*$")
_HOLDER = re.compile(r"\{[^{},/]*\}|<[^<>/]*>|\[[a-zA-Z_ ]+\]|\$\w+")
_MORE = re.compile(r"^(?:\.{2,}|…|\[?\.\.\.\]?|etc\.?)")
_COUNTS = re.compile(r"^(?:\d+ director(?:y|ies)(?:, \d+ files?)?|\d+ files?)\s*$")
"""What the program 'tree' says below its drawing."""
_RANGE = re.compile(r"\s+(?:\.\.\.|…|to|-|–|~)\s+")


@dataclass(slots=True)
class Node:
    """A name in the tree; ``more`` says that its folder holds others that are not drawn.

    ``named`` are its children by their names, ``patterns`` those among them that stand for several.
    """

    name: str
    line: int
    column: int
    folder: bool
    named: dict[str, Node] = field(default_factory=dict)
    patterns: list[Node] = field(default_factory=list)
    more: bool = False
    seen: bool = False

    def fits(self, name: str) -> bool:
        """Whether a name on the disk is what it stands for."""
        return name == self.name or (_is_pattern(self.name) and fnmatch.fnmatchcase(name, _HOLDER.sub("*", self.name)))

    def fitting(self, name: str) -> Iterator[Node]:
        """The children that a name on the disk may be."""
        if name in self.named:
            yield self.named[name]
        yield from (child for child in self.patterns if child.name != name and child.fits(name))


def _is_pattern(name: str) -> bool:
    return any(sign in _HOLDER.sub("*", name) for sign in "*?[")


def read_tree(text: str, first_line: int, instances: Iterable[str]) -> Node:
    """The tree that a block of code draws; the root is problem/data, whatever it calls that."""
    root = Node("", first_line, 1, folder=True)
    stack: list[tuple[int, Node]] = [(-1, root)]
    known = set(instances)
    for number, raw in enumerate(text.split("\n"), first_line):
        line = raw.expandtabs(4)
        drawn = _DRAWN.match(line)
        if drawn is None or not drawn[2].strip() or _COUNTS.match(drawn[2]):
            continue
        indent, rest = len(drawn[1]), drawn[2]
        while stack[-1][0] >= indent:
            stack.pop()
        parent = stack[-1][1]
        if _MORE.match(rest):
            parent.more = True
            continue
        name = _COMMENT.sub("", rest).strip().strip("`")
        if _RANGE.search(rest.split("  ")[0]):
            parent.more = True
        node = _add(parent, name, number, indent + 1, known)
        stack.append((indent, node))
    return root


def _add(parent: Node, name: str, line: int, column: int, known: set[str]) -> Node:
    """Add a name, or a path of several, below ``parent``; names of the data folder itself are left out."""
    node = parent
    folder = name.endswith(("/", "\\"))
    parts = [part for part in re.split(r"[/\\]", name) if part not in ("", ".")]
    for place, part in enumerate(parts):
        if not node.name and part in ("data", "problem") and part not in known:
            continue
        last = place == len(parts) - 1
        same = node.named.get(part)
        if same is None:
            same = Node(part, line, column, folder=folder or not last)
            node.named[part] = same
            if _is_pattern(part):
                node.patterns.append(same)
        node = same
    return node


def undrawn(root: Node, files: Iterable[str]) -> Iterator[str]:
    """The files that the tree does not draw; what it draws is marked as seen."""
    for file in files:
        if not _find(root, file.split("/")):
            yield file


def _find(node: Node, parts: list[str]) -> bool:
    if not parts:
        return True
    head, *rest = parts
    found = False
    for child in node.fitting(head):
        inside = _find(child, rest) if rest else True
        if inside:
            child.seen = True
            found = True
    # A folder that is drawn without what is in it stands for all of that; the data folder itself does not.
    return found or node.more or (bool(node.name) and not node.named and node.folder)


def unseen(root: Node, path: str = "") -> Iterator[tuple[str, Node]]:
    """What is drawn and matched no file, the topmost of each branch."""
    for child in root.named.values():
        here = f"{path}/{child.name}" if path else child.name
        if not child.seen:
            yield here, child
        else:
            yield from unseen(child, here)
