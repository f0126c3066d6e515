"""Hyphens of broken words as the journals' PDFs have them: ordinary ones.

Typst marks the hyphen at the end of a line as a soft one, which readers of text drop or keep as
an invisible character. In the publisher's files it is plain ``-``, and putting such words
together again is the reader's work. Typst writes a file with a classic table of offsets, so a
changed stream is put back by writing the objects anew, one after the other.
"""

from __future__ import annotations

import re
import zlib

_SOFT, _HARD = b"<FEFF00AD>", b"<FEFF002D>"
_STREAM = re.compile(rb"(?P<head>\d+ 0 obj\n<<(?:[^>]*?)/Length )(?P<length>\d+)(?P<rest>[^>]*>>\nstream\n)", re.DOTALL)
_XREF = re.compile(rb"xref\s+0 (\d+)\s+")
_ENTRY = 20
"""Bytes of a line in the table of offsets."""


def with_hard_hyphens(pdf: bytes) -> bytes:
    """The same file with every soft hyphen made an ordinary one."""
    start = int(pdf[pdf.rindex(b"startxref") + 9 :].split()[0])
    table = _XREF.match(pdf, start)
    if table is None:
        raise ValueError("a PDF of Typst has a classic table of offsets")
    count = int(table[1])
    lines = [pdf[table.end() + _ENTRY * index :][:_ENTRY] for index in range(count)]
    trailer = pdf[table.end() + _ENTRY * count : pdf.rindex(b"startxref")]
    places = {index: int(line[:10]) for index, line in enumerate(lines) if line[17:18] == b"n"}
    order = sorted(places, key=places.__getitem__)
    ends = [*(places[index] for index in order[1:]), start]
    parts, offset = [pdf[: places[order[0]]]], places[order[0]]
    for index, end in zip(order, ends, strict=True):
        written = _rewritten(pdf[places[index] : end])
        lines[index] = b"%010d" % offset + lines[index][10:]
        parts.append(written)
        offset += len(written)
    return b"".join([*parts, table[0], *lines, trailer, b"startxref\n%d\n%%%%EOF" % offset])


def _rewritten(entry: bytes) -> bytes:
    stream = _STREAM.match(entry)
    if stream is None or b"/FlateDecode" not in stream[0] or b"/Type" in stream[0]:
        return entry
    start = stream.end()
    content = zlib.decompress(entry[start : start + int(stream["length"])])
    if _SOFT not in content:
        return entry
    packed = zlib.compress(content.replace(_SOFT, _HARD))
    tail = entry[start + int(stream["length"]) :]
    return stream["head"] + b"%d" % len(packed) + stream["rest"] + packed + tail
