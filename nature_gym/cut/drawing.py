"""A page that shows a cut: the graph with the cut line, the table of files with filters, the code behind each edge.

The one idea: files are drawn in groups (folder, suffix, category) and programs by file, in four columns: kept
files, programs that prepare for everybody, the cut line, the other programs, dropped files. The page stands alone:
no file, font or script from elsewhere. All that comes from the folder is escaped.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from nature_gym.cut.categories import Verdict
from nature_gym.cut.explaining import Group, grouped
from nature_gym.cut.folder import Cut
from nature_gym.cut.graph import Site

MAX_GROUPS = 40
"""Groups drawn on a side; with more, groups of one top folder are drawn as one."""
MAX_PROGRAMS = 40
MAX_ROWS = 5_000
MAX_EDGES = 400
ROW = 26
WIDTHS = (300, 230, 250, 300)
"""Of the four columns, in pixels."""
STARTS = (10, 400, 720, 1060)
CUT_AT = 675
COLOURS = {
    "initial_state": "#2e7d32", "data_preparation": "#00838f", "external_resource": "#5e35b1",
    "algorithm_preprocessing_output": "#ef6c00", "algorithm_output": "#c62828", "irrelevant": "#757575",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Edge:
    """A group of files and a program, with the direction and the sites behind it."""

    group: int
    program: str
    writes: bool
    site: Site


def page(cut: Cut, title: str) -> str:
    """The whole HTML page for one cut."""
    groups = _drawn_groups(cut)
    edges = _edges(cut, groups)
    return _PAGE.format(
        title=escape(title),
        counts=escape(_counts(cut.files)),
        graph=_svg(cut, groups, edges),
        edges="".join(_edge_rows(cut, groups, edges)),
        rows="".join(_file_rows(cut.files)),
        options="".join(f"<option>{name}</option>" for name in COLOURS),
        warnings="".join(f"<li>{escape(each)}</li>" for each in cut.warnings[:200]) or "<li>none</li>",
    )


def _counts(files: list[Verdict]) -> str:
    return ", ".join(f"{sum(each.category == name for each in files):,} {name}" for name in COLOURS)


def _drawn_groups(cut: Cut) -> list[Group]:
    """Groups of all files that matter: those that no method needs and no program touches are left to the table."""
    shown = [each for each in cut.files if each.category != "irrelevant"]
    groups = grouped(shown)
    if max((sum(each.kept is side for each in groups) for side in (True, False)), default=0) <= MAX_GROUPS:
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


def _svg(cut: Cut, groups: list[Group], edges: list[_Edge]) -> str:
    programs = list(dict.fromkeys(edge.program for edge in edges))[:MAX_PROGRAMS]
    before = [each for each in programs if cut.roles.of_file.get(each) in {"download", "split", "prepare"}]
    after = [each for each in programs if each not in before]
    kept = [number for number, group in enumerate(groups) if group.kept]
    dropped = [number for number, group in enumerate(groups) if not group.kept]
    places: dict[object, tuple[int, int, int]] = {}
    for column, names in enumerate((kept, before, after, dropped)):
        for row, name in enumerate(names):
            places[name] = (STARTS[column], 40 + row * ROW, WIDTHS[column])
    height = 60 + ROW * max(len(kept), len(before), len(after), len(dropped), 1)
    parts = [f'<svg viewBox="0 0 1370 {height}" width="1370" height="{height}" role="img" aria-label="data flow">']
    parts += [_curve(places[edge.group], places[edge.program], edge) for edge in edges if edge.program in places]
    parts.append(
        f'<line x1="{CUT_AT}" y1="20" x2="{CUT_AT}" y2="{height}" class="cut"/><text x="{CUT_AT - 20}" y="14">the cut</text>'
    )
    for number, group in enumerate(groups):
        parts.append(
            _box(places[number], group.pattern, COLOURS[group.category], f"{group.category}: {group.evidence}")
        )
    for name in (*before, *after):
        role = cut.roles.of_file.get(name, "other")
        parts.append(_box(places[name], name, "#37474f", role))
    return "".join([*parts, "</svg>"])


def _box(place: tuple[int, int, int], label: str, colour: str, hint: str) -> str:
    x, y, width = place
    room = width // 7
    shown = label if len(label) <= room else "\u2026" + label[-(room - 1) :]
    return (
        f'<g><title>{escape(label)} \u2014 {escape(hint)}</title><rect x="{x}" y="{y - 15}" width="{width}" height="21" rx="4" '
        f'fill="white" stroke="{colour}"/><text x="{x + 6}" y="{y}" fill="{colour}">{escape(shown)}</text></g>'
    )


def _curve(group: tuple[int, int, int], program: tuple[int, int, int], edge: _Edge) -> str:
    start, end = (program, group) if edge.writes else (group, program)
    from_left = start[0] < end[0]
    x1, x2 = (start[0] + start[2], end[0]) if from_left else (start[0], end[0] + end[2])
    middle = (x1 + x2) // 2
    y1, y2 = start[1] - 4, end[1] - 4
    kind = "writes" if edge.writes else "reads"
    return f'<path class="{kind}" d="M{x1} {y1} C{middle} {y1} {middle} {y2} {x2} {y2}"><title>{escape(edge.site.what)}</title></path>'


def _edge_rows(cut: Cut, groups: list[Group], edges: Iterable[_Edge]) -> Iterable[str]:
    for edge in edges:
        verb = "writes" if edge.writes else "reads"
        line = _source(cut, edge.site)
        yield (
            f"<tr><td>{escape(edge.program)}</td><td>{verb}</td><td>{escape(groups[edge.group].pattern)}</td>"
            f"<td>{escape(edge.site.file)}:{edge.site.line}</td><td><code>{escape(line)}</code></td></tr>"
        )


def _source(cut: Cut, site: Site) -> str:
    text = cut.tree.text(site.file) if posixpath.splitext(site.file)[1] != ".ipynb" else None
    lines = text.splitlines() if text else []
    return lines[site.line - 1].strip()[:160] if 0 < site.line <= len(lines) else site.what[:160]


def _file_rows(files: list[Verdict]) -> Iterable[str]:
    for each in files[:MAX_ROWS]:
        reasons = "<br>".join(
            escape(f"{reason.file}:{reason.line} {reason.what}" if reason.line else reason.what)[:300]
            for reason in each.evidence[:3]
        )
        yield (
            f'<tr data-category="{each.category}" data-kept="{"yes" if each.kept else "no"}"><td>{escape(each.path)}</td>'
            f'<td style="color:{COLOURS[each.category]}">{each.category}</td><td>{"keep" if each.kept else "drop"}</td>'
            f"<td>{each.confidence:.2f}</td><td>{reasons}</td></tr>"
        )
    if len(files) > MAX_ROWS:
        yield f'<tr><td colspan="5">and {len(files) - MAX_ROWS:,} more files; --json lists all</td></tr>'


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Cut of {title}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<style>
body {{ font: 14px/1.4 system-ui, sans-serif; margin: 1.5em; color: #222 }}
table {{ border-collapse: collapse; width: 100% }} td, th {{ border-bottom: 1px solid #ddd; padding: 3px 8px; text-align: left; vertical-align: top; overflow-wrap: anywhere }}
svg text {{ font: 12px system-ui, sans-serif }} svg path {{ fill: none; stroke-opacity: .45 }}
.graph {{ overflow-x: auto; border: 1px solid #ddd }}
.reads {{ stroke: #1565c0 }} .writes {{ stroke: #ad1457; stroke-dasharray: 5 3 }} .cut {{ stroke: #000; stroke-width: 2; stroke-dasharray: 8 5 }}
code {{ font-size: 12px }} summary {{ cursor: pointer; font-weight: 600; margin: 1em 0 .4em }}
</style></head><body>
<h1>Cut of {title}</h1><p>{counts}</p>
<p>Left of the line: what any method is given. Blue: a program reads; red, broken: a program writes.</p>
<div class="graph">{graph}</div>
<details><summary>Warnings</summary><ul>{warnings}</ul></details>
<details><summary>The code behind each edge</summary><table><thead><tr><th>program</th><th></th><th>files</th><th>line</th><th>code</th></tr></thead><tbody>{edges}</tbody></table></details>
<h2>Files</h2>
<p><label>name <input id="name" type="search"></label> <label>category <select id="category"><option value="">all</option>{options}</select></label>
<label>kept <select id="kept"><option value="">all</option><option>yes</option><option>no</option></select></label></p>
<table id="files"><thead><tr><th>file</th><th>category</th><th></th><th>confidence</th><th>evidence</th></tr></thead><tbody>{rows}</tbody></table>
<script>
const get = id => document.getElementById(id).value;
const filter = () => {{
  for (const row of document.querySelectorAll("#files tbody tr")) {{
    row.hidden = !(row.cells[0].textContent.includes(get("name"))
      && (!get("category") || row.dataset.category === get("category")) && (!get("kept") || row.dataset.kept === get("kept")));
  }}
}};
for (const id of ["name", "category", "kept"]) document.getElementById(id).addEventListener("input", filter);
</script></body></html>
"""
