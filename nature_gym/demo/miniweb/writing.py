"""A demo world written out to look at: papers, repositories, deposits, and a page that links them.

Everything can be opened from the file system; nothing needs the mini-web to run.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import quote

import orjson

from nature_gym.demo.miniweb.hosts.articles import access_page, is_open
from nature_gym.demo.miniweb.press import JournalPress, Press
from nature_gym.demo.miniweb.repositories import write_bare
from nature_gym.demo.model import Deposit, Entry, Paper, Repository, World
from nature_gym.demo.truth import write_truth, write_truth_csv
from nature_gym.errors import UsageError

MOST_BYTES = 64 << 20
"""A deposited file larger than this is described, not written."""

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:80em;padding:0 1em}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.35em .6em;"
    "border-bottom:1px solid #ddd}th{position:sticky;top:0;background:#fff}.rejected{color:#a33}.passed{color:#271}"
    "small{color:#666}a{margin-right:.6em}"
)


def write_world(
    world: World, directory: Path, *, press: Press | None = None, progress: Callable[[int], None] | None = None
) -> Path:
    """Write ``world`` below ``directory`` and give back the path of its ``index.html``.

    ``progress`` is told how many papers are done. Raises :class:`UsageError` where the folder
    holds something else already.
    """
    if directory.exists() and any(directory.iterdir()) and not (directory / "truth.json").exists():
        raise UsageError(f"{directory} is not empty.", hint="Give a new folder, or one that held a demo world before.")
    press = press or JournalPress()
    directory.mkdir(parents=True, exist_ok=True)
    rows = []
    for done, entry in enumerate(world.entries, start=1):
        rows.append(_write_entry(entry, directory, press))
        if progress is not None:
            progress(done)
    _write_works(world, directory, press)
    write_truth(world, directory / "truth.json")
    write_truth_csv(world, directory / "truth.csv")
    index = directory / "index.html"
    index.write_text(_index(world, rows), encoding="utf-8")
    return index


def safe(name: str) -> str:
    """A name that cannot leave its folder. Slashes stay, so that folders of a deposit do."""
    parts = [part for part in re.split(r"[/\\]", name.replace("\0", "")) if part not in {"", ".", ".."}]
    return "/".join(parts) or "_"


def _write(directory: Path, name: str, content: bytes) -> str:
    path = directory / safe(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return safe(name)


def _write_entry(entry: Entry, directory: Path, press: Press) -> str:
    from nature_gym.demo.inline import plain

    paper = entry.paper
    links = [(name, name.rsplit("/", 1)[-1]) for name in _write_paper(paper, directory, press)]
    links += [link for repository in entry.repositories for link in _write_repository(repository, directory)]
    links += [link for deposit in entry.deposits for link in _write_deposit(deposit, directory)]
    pages = "".join(
        f"<br><small>{html.escape(page.url)}: {page.status}, {page.behaviour}</small>" for page in entry.pages
    )
    anchors = "".join(f'<a href="{quote(target)}">{html.escape(label)}</a>' for target, label in links)
    truth, title = entry.truth, html.escape(plain(paper.title))
    fate = "passed" if truth.stopped_at is None else f"stopped at {truth.stopped_at}: {truth.code or ''}"
    return (
        f"<tr><td>{title}<br><small>{html.escape(paper.venue.name)}, {paper.published}, "
        f"{paper.doi}</small></td><td>{html.escape(paper.article_type)}</td>"
        f'<td class="{truth.verdict}">{html.escape(fate)}<br><small>{html.escape(", ".join(truth.traps))}</small></td>'
        f"<td>{anchors}{pages}</td></tr>"
    )


def _write_paper(paper: Paper, directory: Path, press: Press) -> Iterable[str]:
    base = f"papers/{paper.id}"
    if not is_open(paper) or not paper.formats & {"html", "pdf"}:
        yield _write(directory, f"{base}/article.html", access_page(paper))
    elif "html" in paper.formats:
        yield _write(directory, f"{base}/article.html", _local(press.article_page(paper), paper, ""))
        for table in paper.tables:
            page = _local(press.table_page(paper, table.number), paper, "../")
            _write(directory, f"{base}/tables/{table.number}.html", page)
        for figure in paper.figures:
            page = _local(press.figure_page(paper, figure.number), paper, "../")
            _write(directory, f"{base}/figures/{figure.number}.html", page)
            _write(directory, f"{base}/figures/{figure.number}.png", press.figure_png(figure))
    if is_open(paper) and "pdf" in paper.formats:
        yield _write(directory, f"{base}/article.pdf", press.article_pdf(paper))
    if "xml" in paper.formats:
        yield _write(directory, f"{base}/article.xml", press.article_xml(paper))


def _local(page: bytes, paper: Paper, up: str) -> bytes:
    """The page with its links to the paper's own parts leading to the files beside it."""
    pattern = rb'"(?:https://www\.nature\.com)?/articles/%s(\.pdf|/(?:tables|figures)/\d+(?:\.png)?)?(#[^"]*)?"'

    def led(match: re.Match[bytes]) -> bytes:
        part, anchor = (match[1] or b"").decode(), (match[2] or b"").decode()
        if not part or part == ".pdf":
            return f'"{up}article{part or ".html"}{anchor}"'.encode()
        ending = "" if part.endswith(".png") else ".html"
        return f'"{up}{part.lstrip("/")}{ending}{anchor}"'.encode()

    return re.sub(pattern % re.escape(paper.suffix).encode(), led, page)


def _write_repository(repository: Repository, directory: Path) -> Iterable[tuple[str, str]]:
    """The bare repository, and its newest tree beside it."""
    base = safe(f"repositories/{repository.host}/{repository.owner}/{repository.name}")
    if repository.state == "gone":
        return
    if not (directory / f"{base}.git").exists():
        write_bare(repository, directory / f"{base}.git")
    if repository.state != "empty":
        for path, content in repository.files.items():
            _write(directory, f"{base}/{path}", content)
    (directory / base).mkdir(parents=True, exist_ok=True)
    note = "" if repository.state == "open" else f" ({repository.state})"
    yield f"{base}/", f"{repository.owner}/{repository.name}{note}"


def _write_deposit(deposit: Deposit, directory: Path) -> Iterable[tuple[str, str]]:
    base = safe(f"deposits/{deposit.host}/{deposit.number}")
    (directory / base).mkdir(parents=True, exist_ok=True)
    for file in deposit.files:
        if file.declared_size is not None and file.declared_size > MOST_BYTES:
            note = f"{file.name}: {file.declared_size} bytes, which are zeros where the mini-web serves it.\n"
            _write(directory, f"{base}/{file.name}.size.txt", note.encode())
        else:
            _write(directory, f"{base}/{file.name}", file.read())
    note = "" if deposit.state == "open" else f" ({deposit.state})"
    yield f"{base}/", f"{deposit.host} {deposit.number}{note}"


def _write_works(world: World, directory: Path, press: Press) -> None:
    folder = directory / "openalex"
    folder.mkdir(exist_ok=True)
    with (folder / "works.jsonl").open("wb") as stream:
        for paper in world.papers:
            stream.write(orjson.dumps(press.work(paper), option=orjson.OPT_APPEND_NEWLINE))


def _index(world: World, rows: list[str]) -> str:
    passed = sum(entry.truth.verdict == "passed" for entry in world.entries)
    body = "\n".join(rows)
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Demo world</title><style>{_STYLE}</style></head>
<body>
<h1>Demo world, seed {world.seed}</h1>
<p>{len(world.entries)} papers, {passed} of them pass. <a href="truth.json">truth.json</a>
<a href="openalex/works.jsonl">openalex/works.jsonl</a></p>
<table>
<thead><tr><th>Paper</th><th>Type</th><th>Fate</th><th>Files</th></tr></thead>
<tbody>
{body}
</tbody>
</table>
</body>
</html>
"""
