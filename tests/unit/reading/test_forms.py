"""Which form of an article a file holds, by its first bytes."""

from __future__ import annotations

import contextlib
import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.errors import PaperError
from nature_gym.reading import forms
from nature_gym.reading.forms import copy_plain, form_of, head_of, plain
from nature_gym.reading.refusals import MEBIBYTE, UnreadableError

JATS = '<article article-type="research-article"><front/></article>'


@pytest.mark.parametrize(
    ("form", "head"),
    [
        ("pdf", b"%PDF-1.4\n%\xe2\xe3"),
        ("pdf", b"\r\n junk before %PDF-1.7"),
        ("html", b"<!DOCTYPE html>\n<html lang='en'>"),
        ("html", b"\xef\xbb\xbf\n<!-- saved from -->\n<HTML>"),
        ("html", '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "x.dtd"><html>'.encode("utf-16")),
        ("html", b'<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">'),
        ("html", b"<article><h1>A page of the new kind</h1>"),
        ("html", b"<p>only a paragraph"),
        ("xml", b'<?xml version="1.0"?>\n<article xmlns:xlink="x">'),
        ("xml", JATS.encode()),
        ("xml", b'<!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "a.dtd" [<!ENTITY a "b > c">]><article>'),
        ("xml", b'<?xml version="1.0"?><OAI-PMH><record>'),
        ("xml", f"<pmc-articleset>{JATS}</pmc-articleset>".encode()),
        (None, b"Words"),
        (None, b""),
        (None, b"PK\x03\x04"),
        (None, b"<unknown>"),
        (None, b"<!-- never closed"),
        (None, b"<?xml never closed"),
        (None, b"<"),
    ],
)
def test_the_form_is_told_by_the_first_bytes(form: str | None, head: bytes) -> None:
    assert form_of(head) == form


@given(st.binary(max_size=300), st.sampled_from([b"", b"<", b"<!", b"<?xml ", b"<!--", b"\xff\xfe", b"<!doctype ["]))
def test_any_bytes_have_a_form_or_none(content: bytes, start: bytes) -> None:
    assert form_of(start + content) in {"html", "xml", "pdf", None}


def test_a_prolog_without_end_takes_no_time_to_speak_of() -> None:
    assert form_of(b"<!---->" * 9_000 + b"<html>") == "html"
    assert form_of(b"<!-- <!" * 9_000) is None


@given(st.binary(max_size=2_000))
def test_what_is_packed_is_read_and_copied_unpacked(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("packed")
    packed = folder / "a.html"
    packed.write_bytes(gzip.compress(content))
    assert head_of(packed) == content
    copy_plain(packed, folder / "copy")
    assert (folder / "copy").read_bytes() == content
    with plain(packed) as path:
        assert path.read_bytes() == content
    assert not path.exists()


@given(st.binary(min_size=20, max_size=200), st.data())
def test_a_damaged_packing_is_refused_or_gives_what_it_holds(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "a.gz"
    packed = bytearray(gzip.compress(content))
    packed[data.draw(st.integers(3, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(packed)
    with contextlib.suppress(PaperError), plain(path) as unpacked:
        assert unpacked.is_file()


def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "LARGEST", 3 * MEBIBYTE)
    bomb = tmp_path / "a.gz"
    bomb.write_bytes(gzip.compress(bytes(64 * MEBIBYTE)))
    with pytest.raises(UnreadableError, match="3 MB"):
        copy_plain(bomb, tmp_path / "copy")
    assert (tmp_path / "copy").stat().st_size <= 3 * MEBIBYTE
