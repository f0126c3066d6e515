"""A page that shows a cut: the graph with the cut line, the table of files with filters, the code behind each edge.

The one idea: files are drawn in groups (folder, suffix, category) and programs by file, in four columns: kept files,
programs that prepare for everybody, then, beyond the cut line, the other programs and dropped files. The page stands
alone: no file, font or script from elsewhere, and all that comes from the folder is escaped.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files as resources
from typing import TypeVar

import jinja2

from nature_gym.cut.categories import Verdict
from nature_gym.cut.explaining import Group, grouped
from nature_gym.cut.folder import Cut
from nature_gym.cut.graph import Site

MAX_GROUPS = 40
"""Groups drawn on a side; with more, those of one top folder and category are drawn as one."""
MAX_PROGRAMS = 40
MAX_ROWS = 5_000
MAX_EDGES = 400
ROW = 26
COLUMNS = ((10, 300), (400, 230), (720, 250), (1060, 300))
"""Start and width of each column, in pixels."""
CUT_AT = 675
WIDTH = 1370
COLOURS = {
    "initial_state": "#2e7d32",
    "data_preparation": "#00838f",
    "external_resource": "#5e35b1",
    "algorithm_preprocessing_output": "#ef6c00",
    "algorithm_output": "#c62828",
    "irrelevant": "#757575",
}
Name = TypeVar("Name", int, str)
_FOR_EVERYBODY = {"download", "split", "make", "prepare"}


@dataclass(frozen=True, slots=True)
class Box:
    """A group of files or a program in the drawing."""

    x: int
    y: int
    width: int
    label: str
    colour: str
    hint: str


@dataclass(frozen=True, slots=True)
class Curve:
    """An edge in the drawing; ``kind`` is ``reads`` or ``writes``."""

    kind: str
    path: str
    hint: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """The graph as boxes and curves."""

    width: int
    height: int
    cut: int
    boxes: list[Box]
    curves: list[Curve]


@dataclass(frozen=True, slots=True)
class _Edge:
    """A group of files and a program, with the direction and one of the sites behind it."""

    group: int
    program: str
    writes: bool
    site: Site


def page(cut: Cut, title: str) -> str:
    """The whole HTML page for one cut."""
    groups = _drawn_groups(cut.files)
    edges = _edges(cut, groups)
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    template = environment.from_string(resources("templates").joinpath("cut.html.j2").read_text(encoding="utf-8"))
    return template.render(
        title=title,
        counts=", ".join(f"{sum(each.category == name for each in cut.files):,} {name}" for name in COLOURS),
        drawing=draw(cut, groups, edges),
        edges=[_shown(cut, groups, edge) for edge in edges],
        files=cut.files[:MAX_ROWS],
        left_out=max(0, len(cut.files) - MAX_ROWS),
        warnings=cut.warnings,
        colours=COLOURS,
    )


def _drawn_groups(verdicts: list[Verdict]) -> list[Group]:
    """Groups of what matters; what no method needs is left to the table."""
    groups = grouped(each for each in verdicts if each.category != "irrelevant")
    if all(sum(each.kept is side for each in groups) <= MAX_GROUPS for side in (True, False)):
        return groups
    merged: dict[tuple[str, str], Group] = {}
    for each in groups:
        top = each.paths[0].split("/")[0] if "/" in each.paths[0] else "."
        group = merged.setdefault((top, each.category), Group("", each.category, each.kept, each.evidence))
        group.paths.extend(each.paths)
        group.pattern = f"{top}/ ({len(group.paths):,})"
    kept = [each for each in merged.values() if each.kept][:MAX_GROUPS]
    return kept + [each for each in merged.values() if not each.kept][:MAX_GROUPS]


def _edges(cut: Cut, groups: list[Group]) -> list[_Edge]:
    found: dict[tuple[int, str, bool], _Edge] = {}
    for number, group in enumerate(groups):
        for path in group.paths[:50]:
            for site, _ in cut.graph.touching.get(path, [])[:20]:
                if site.action != "delete":
                    writes = site.action in {"write", "download", "move"}
                    found.setdefault((number, site.unit.file, writes), _Edge(number, site.unit.file, writes, site))
    return list(found.values())[:MAX_EDGES]


def draw(cut: Cut, groups: list[Group], edges: list[_Edge]) -> Drawing:
    """Boxes in their columns, and curves between them."""
    programs = list(dict.fromkeys(edge.program for edge in edges))[:MAX_PROGRAMS]
    before = [each for each in programs if cut.roles.of_file.get(each) in _FOR_EVERYBODY]
    after = [each for each in programs if each not in before]
    of_group = {
        **_stacked([number for number, group in enumerate(groups) if group.kept], 0),
        **_stacked([number for number, group in enumerate(groups) if not group.kept], 3),
    }
    of_program = {**_stacked(before, 1), **_stacked(after, 2)}
    boxes = [
        _box(of_group[number], group.pattern, COLOURS[group.category], f"{group.category}: {group.evidence}")
        for number, group in enumerate(groups)
    ]
    boxes += [_box(place, name, "#37474f", cut.roles.of_file.get(name, "other")) for name, place in of_program.items()]
    curves = [_curve(of_group[e.group], of_program[e.program], e) for e in edges if e.program in of_program]
    height = 60 + max((box.y for box in boxes), default=0)
    return Drawing(WIDTH, height, CUT_AT, boxes, curves)


def _stacked(names: list[Name], column: int) -> dict[Name, tuple[int, int, int]]:
    """A place (x, y, width) for each name, one below the other."""
    start, width = COLUMNS[column]
    return {name: (start, 40 + row * ROW, width) for row, name in enumerate(names)}


def _box(place: tuple[int, int, int], label: str, colour: str, hint: str) -> Box:
    x, y, width = place
    room = width // 7
    shown = label if len(label) <= room else "\u2026" + label[-(room - 1) :]
    return Box(x, y, width, shown, colour, f"{label} ({hint})")


def _curve(group: tuple[int, int, int], program: tuple[int, int, int], edge: _Edge) -> Curve:
    start, end = (program, group) if edge.writes else (group, program)
    x1, x2 = (start[0] + start[2], end[0]) if start[0] < end[0] else (start[0], end[0] + end[2])
    y1, y2, middle = start[1] - 4, end[1] - 4, (x1 + x2) // 2
    path = f"M{x1} {y1} C{middle} {y1} {middle} {y2} {x2} {y2}"
    return Curve("writes" if edge.writes else "reads", path, edge.site.what)


def _shown(cut: Cut, groups: list[Group], edge: _Edge) -> dict[str, str]:
    """An edge as a row of the table."""
    text = None if edge.site.file.endswith(".ipynb") else cut.tree.text(edge.site.file)
    lines = text.splitlines() if text else []
    line = lines[edge.site.line - 1].strip() if 0 < edge.site.line <= len(lines) else edge.site.what
    return {
        "program": edge.program,
        "verb": "writes" if edge.writes else "reads",
        "files": groups[edge.group].pattern,
        "place": f"{edge.site.file}:{edge.site.line}",
        "code": line[:160],
    }
