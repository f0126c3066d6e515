"""The information firewall at its source: nothing an agent will see names the paper, its method, or holds answers.

The idea: every visible byte is looked at, not only documents: file names, column names, attributes of HDF5 and
NetCDF, metadata of Parquet and images, comments of archives, and what archives and compressed files hold. A word is
looked for as people vary it (case, hyphens, spaces, underscores), at its boundaries. A cheap look over all bytes
(:mod:`~nature_gym.packaging.sieve`) can only err towards finding; what it finds is looked at exactly, so that the place
can be told.

Two things are looked for: forbidden words, and the answers themselves (a reference file that is visible too, a column
or an array that equals what answers are compared with).
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

import duckdb
import h5py

from nature_gym.acquisition.archive_members import zstd
from nature_gym.digests import digest_json, regular_files
from nature_gym.kept import Kept
from nature_gym.packaging.evaluator import InstanceData
from nature_gym.packaging.faults import Finding, FirewallError
from nature_gym.packaging.grading import Contract
from nature_gym.packaging.leaks import find_leaks
from nature_gym.packaging.sieve import Sieve
from nature_gym.packaging.specification import TaskSpecification
from nature_gym.packaging.spellings import Term, in_file_names, initialled, names_of, term
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.tables import Table, quoted

RULES = 2
"""Another number where words are looked for in another way: what was kept is looked through again."""
BLOCK = 1 << 20
"""As much as a processor's own memory holds; looking at more at once takes longer a byte."""
LARGEST_AT_ONCE = 256 << 20
OVERLAP = 4096
DEEPEST = 4
LARGEST_UNPACKED = 4 << 30
TITLE_WORDS = 6
SHORTEST = 3
"""Fewer letters and digits than these say nothing."""
MOST_FINDINGS = 20
_ZSTD = b"\x28\xb5\x2f\xfd"
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x78\x9c", b"\x78\xda", _ZSTD)


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def guard(
    task: TaskSpecification,
    contracts: Mapping[str, Contract],
    data: Mapping[str, InstanceData],
    package: Path,
    digests: Mapping[str, str] | None = None,
    kept: Kept | None = None,
) -> None:
    """Raises FirewallError, with file and offset, where what an agent sees holds what it must not.

    ``digests`` has those of files (by path in the package) that need not be looked through again for the same words
    where it is ``kept`` that they have none.
    """
    words = find_words(package / "problem", terms(task), digests, kept)
    surnames = list(in_file_names(task.paper.authors, "an author, in a file's name"))
    words += find_in_names(package / "problem", surnames)
    findings = [*words, *find_leaks(task, contracts, data, package, digests, kept)]
    if findings:
        shown = "; ".join(str(one) for one in findings[:MOST_FINDINGS])
        more = f"; and {len(findings) - MOST_FINDINGS} more" if len(findings) > MOST_FINDINGS else ""
        raise FirewallError(
            f"{task.id} would tell what it must not: {shown}{more}",
            hint="Change the words of the task, or drop, rename or cut what holds it.",
        )


# -- words -----------------------------------------------------------------------------------


def terms(task: TaskSpecification) -> list[Term]:
    """What must not be seen, each once."""
    found: dict[str, Term] = {}
    for text, why, ways in _forbidden(task):
        if len(re.sub(r"\W", "", text)) >= SHORTEST:
            found.setdefault(text.strip().casefold(), term(text.strip(), why, **ways))
    for author in task.paper.authors:
        if one := initialled(author, "an author"):
            found.setdefault(one.text.casefold(), one)
    return list(found.values())


def _forbidden(task: TaskSpecification) -> Iterator[tuple[str, str, dict[str, bool]]]:
    """Each word, why it is forbidden, and how it is looked for."""
    paper, method = task.paper, task.method
    names = (method.name, *method.variants)
    named = {"exact": method.common_word, "inside": True}
    yield from ((name, "the method's name", named) for name in names)
    yield from ((word, "a forbidden word", {}) for word in task.forbidden)
    for text in filter(None, (paper.doi, paper.id)):
        yield text, "the paper's DOI", {}
        suffix = text.rpartition("/")[2]
        if re.search(r"\d", suffix) and len(suffix) >= 8:
            yield suffix, "the paper's DOI", {}
    yield from ((phrase, "words of the paper's title", {}) for phrase in _phrases(paper.title))
    if " " in paper.journal.strip():
        yield paper.journal, "the journal", {}
    yield from ((name, "an author", {}) for author in paper.authors for name in names_of(author))
    for url in paper.repositories:
        owner, _, name = url.removesuffix(".git").rstrip("/").rpartition("/")
        yield f"{owner.rpartition('/')[2]}/{name}", "the paper's repository", {}
        common = method.common_word and name.casefold() in {one.casefold() for one in names}
        if len(name) > SHORTEST and not common:
            yield name, "the paper's repository", {"inside": True}


def _phrases(title: str) -> Iterator[str]:
    """The title, and any six of its words in order."""
    words = re.findall(r"\w+", title)
    if len(words) >= 3:
        yield " ".join(words)
    for start in range(len(words) - TITLE_WORDS + 1):
        yield " ".join(words[start : start + TITLE_WORDS])


def find_words(
    folder: Path, wanted: list[Term], digests: Mapping[str, str] | None = None, kept: Kept | None = None
) -> list[Finding]:
    """Every place below ``folder`` that holds a forbidden word, names of files included.

    ``digests`` (by path below the folder's parent) and ``kept`` as in :func:`guard`.
    """
    files = {path.relative_to(folder.parent).as_posix(): path for path in regular_files(folder)}
    sought = _Sought(wanted)
    words = digest_json([[str(term.pattern.pattern), int(term.pattern.flags)] for term in wanted])
    keys = {
        name: f"no words {digests[name]} {path.suffix.lower()[-40:]} {words} {RULES}"
        for name, path in files.items()
        if digests is not None and name in digests
    }
    known = kept.get(keys.values()) if kept is not None else {}
    findings: list[Finding] = []
    clean: dict[str, bool] = {}
    for name, path in files.items():
        findings += sought.search(name.encode(), f"{name} (its name)")
        if keys.get(name) in known:
            continue
        inside = [
            one for piece, place in visible_bytes(path, name) for one in sought.search(piece.data, place, piece.offset)
        ]
        findings += inside
        if name in keys and not inside:
            clean[keys[name]] = True
    if kept is not None:
        kept.put(clean)
    return list(dict.fromkeys(findings))


def find_in_names(folder: Path, wanted: list[Term]) -> list[Finding]:
    """Every file and folder below ``folder`` whose name holds one of the words."""
    sought = _Sought(wanted)
    names = (path.relative_to(folder.parent).as_posix() for path in regular_files(folder))
    return [one for name in names for one in sought.search(name.encode(errors="replace"), f"{name} (its name)")]


class _Sought:
    """All words at once: the sieve tells where which may be, and their patterns whether they are."""

    def __init__(self, wanted: list[Term]) -> None:
        self._wanted = wanted
        parted = {term.needle for term in wanted if term.parted}
        self._sieve = Sieve((term.needle for term in wanted if term.needle), parted)

    def search(self, data: bytes, place: str, offset: int = 0) -> Iterator[Finding]:
        """Each place of ``data`` that holds a forbidden word; ``offset`` is that of its first byte."""
        spans = self._sieve.spans(data, OVERLAP) | {b"": [(0, len(data))]}
        for sought in self._wanted:
            for start, end in spans.get(sought.needle, ()):
                for hit in sought.pattern.finditer(data, start, end):
                    found = hit[0].replace(b"\0", b"").decode(errors="replace")
                    yield Finding(place, offset + hit.start(), found, sought.why)


# -- bytes -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes with the place of the first of them."""

    data: bytes
    offset: int


def visible_bytes(path: Path, name: str) -> Iterator[tuple[Piece, str]]:
    """All that can be read out of a file: its bytes, and what is packed or encoded in it, with the place of each."""
    with path.open("rb") as file:
        head = file.read(16)
        file.seek(0)
        yield from ((piece, name) for piece in _pieces(file))
        file.seek(0)
        yield from _unpacked(file, head, name, 1)
    if head.startswith(b"\x89HDF"):
        yield from ((Piece(text, 0), f"{name} (HDF5)") for text in _hdf5_texts(path))
    elif head.startswith(b"PAR1"):
        yield from ((Piece(text, 0), f"{name} (Parquet)") for text in _parquet_texts(path))


def _pieces(file: _Readable) -> Iterator[Piece]:
    """Blocks that overlap, so that no word is cut in two. Raises FirewallError for what unpacks without end."""
    offset, kept = 0, b""
    while block := file.read(BLOCK):
        data = kept + block
        yield Piece(data, offset - len(kept))
        offset += len(block)
        kept = data[-OVERLAP:]
        if offset > LARGEST_UNPACKED and not isinstance(file, io.BufferedReader):
            raise FirewallError(f"a file unpacks to more than {LARGEST_UNPACKED >> 30} GiB", hint="Drop that file.")


def _unpacked(file: IO[bytes], head: bytes, name: str, depth: int) -> Iterator[tuple[Piece, str]]:
    """What a compressed file, an archive or an image holds, packed files in it included."""
    if depth > DEEPEST:
        return
    try:
        if head.startswith(b"PK"):
            yield from _members(file, name, depth)
        elif head.startswith(_PACKED):
            yield from ((piece, f"{name} (unpacked)") for piece in _pieces(_opened(file, head)))
        elif head.startswith(b"\x89PNG"):
            yield from ((Piece(text, 0), f"{name} (its texts)") for text in _png_texts(file.read(64 << 20)))
    except (
        zipfile.BadZipFile,
        OSError,
        EOFError,
        zlib.error,
        lzma.LZMAError,
        zstd.ZstdError,
        RuntimeError,
        NotImplementedError,
    ):
        return  # not what its first bytes promise, or locked: its bytes were looked at as they are


def _members(file: IO[bytes], name: str, depth: int) -> Iterator[tuple[Piece, str]]:
    with zipfile.ZipFile(file) as archive:
        if sum(member.file_size for member in archive.infolist()) > LARGEST_UNPACKED:
            raise FirewallError(f"{name} unpacks to more than {LARGEST_UNPACKED >> 30} GiB", hint="Drop that file.")
        for member in archive.infolist():
            place = f"{name}!{member.filename}"
            stored = member.compress_type == zipfile.ZIP_STORED
            with archive.open(member) as content:
                head = content.read(16)
                if not stored:
                    with archive.open(member) as again:
                        yield from ((piece, place) for piece in _pieces(again))
                if head.startswith((b"PK", b"\x89PNG", *_PACKED)) and depth < DEEPEST:
                    inner = io.BytesIO(archive.read(member) if member.file_size < LARGEST_AT_ONCE else b"")
                    yield from _unpacked(inner, head, place, depth + 1)


def _opened(file: IO[bytes], head: bytes) -> _Readable:
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=file)
    if head.startswith(b"BZh"):
        return bz2.BZ2File(file)
    if head.startswith(b"\xfd7zXZ"):
        return lzma.LZMAFile(file)
    if head.startswith(_ZSTD):
        return zstd.ZstdFile(file)
    return io.BytesIO(zlib.decompressobj().decompress(file.read(LARGEST_AT_ONCE), 2 * LARGEST_AT_ONCE))


def _png_texts(data: bytes) -> Iterator[bytes]:
    """Compressed texts of a PNG; those that are not are found in its bytes."""
    place = 8
    while place + 8 <= len(data):
        length, kind = int.from_bytes(data[place : place + 4], "big"), data[place + 4 : place + 8]
        if kind in (b"zTXt", b"iTXt"):
            content = data[place + 8 : place + 8 + length]
            start = content.find(b"\x78")
            if start >= 0:
                yield zlib.decompressobj().decompress(content[start:], 32 << 20)
        place += 12 + length


def _hdf5_texts(path: Path) -> Iterator[bytes]:
    """Names, attributes and texts of an HDF5 (or NetCDF 4) file."""
    texts: list[bytes] = []

    def visit(name: str, item: h5py.Group | h5py.Dataset) -> None:
        texts.append(name.encode(errors="replace"))
        for key, value in item.attrs.items():
            texts.append(f"{key} = {value}".encode(errors="replace"))
        if isinstance(item, h5py.Dataset) and item.dtype.kind in "OSU" and item.size * 64 < LARGEST_UNPACKED:
            values = item[()]
            flat = values.reshape(-1).tolist() if item.shape else [values]
            texts.append(b"\n".join(one if isinstance(one, bytes) else str(one).encode() for one in flat))

    try:
        with h5py.File(path, "r") as file:
            visit("", file)
            file.visititems(visit)
    except (OSError, RuntimeError, KeyError, TypeError):
        pass  # what could be read of it is looked at
    yield from texts


def _parquet_texts(path: Path) -> Iterator[bytes]:
    """The texts in a Parquet file's columns; names and metadata stand in its bytes."""
    try:
        table = Table(path)
        for name, sql_type in table.types():
            if "VARCHAR" in sql_type or "BLOB" in sql_type:
                rows = table.select(f"DISTINCT CAST({quoted(name)} AS VARCHAR)")
                yield "\n".join(str(row[0]) for row in rows).encode(errors="replace")
    except (SplitError, duckdb.Error, KeyError):
        return
