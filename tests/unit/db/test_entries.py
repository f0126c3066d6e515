import datetime as dt
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from db.entries import READ_AGAIN, REASON_LENGTH, UNREADABLE, Entry, read_paper, read_run
from nature_gym.records import RECORD
from nature_gym.runs import RUN
from tests.integration.db.corpus import WHEN, A, Corpus

WORK = {
    "openalex_id": "https://openalex.org/W1",
    "doi": "https://doi.org/10.5555/A",
    "title": "Learning from spectra",
    "venue": "Nature Methods",
    "issn_l": "1548-7091",
    "published": "2024-03-05",
    "article_type": "article",
    "licence": "cc-by",
    "oa_status": "gold",
    "retracted": None,
    "language": "en",
    "updated": "2026-01-01T00:00:00.5",
    "something": {"new": True},
}


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return Corpus(tmp_path)


def entry(corpus: Corpus) -> Entry:
    found = read_paper(corpus.folder(A))
    assert found is not None
    assert found == read_paper(corpus.folder(A)), "the same folder gives the same rows"
    return found


def stage(corpus: Corpus, name: str) -> dict[str, Any]:
    return next(row for row in entry(corpus).stages if row["stage"] == name)


def test_a_paper_is_what_its_harvest_says(corpus: Corpus) -> None:
    corpus.publish(A, "harvest", work=WORK)
    found = entry(corpus)
    assert found.readable
    assert found.paper == {
        "id": A, "mark": corpus.folder(A).mark(), "doi": "10.5555/a", "openalex_id": "W1",
        "title": "Learning from spectra", "venue": "Nature Methods", "issn_l": "1548-7091",
        "published": dt.date(2024, 3, 5), "year": 2024, "article_type": "article", "licence": "cc-by",
        "oa_status": "gold", "language": "en", "retracted": False,
        "updated": dt.datetime(2026, 1, 1, 0, 0, 0, 500_000, tzinfo=dt.UTC),
    }  # fmt: skip


@pytest.mark.parametrize("work", [None, {}, {"doi": "", "title": "", "updated": "last week", "published": None}])
def test_what_the_harvest_does_not_say_stays_open(corpus: Corpus, work: dict[str, Any] | None) -> None:
    corpus.publish(A, "harvest", work=work)
    found = entry(corpus)
    assert found.readable
    assert {name for name, value in found.paper.items() if value is not None} == {"id", "mark", "retracted"}


def test_a_stage_is_what_it_published(corpus: Corpus) -> None:
    corpus.publish(A, "screen", verdict="rejected", reason="no code", facts={"rule": "2.1"})
    row = stage(corpus, "screen")
    assert row["publication"] == corpus.folder(A).publication("screen")
    assert (row["status"], row["verdict"], row["reason"], row["facts"]) == (
        "done", "rejected", "no code", {"rule": "2.1"},
    )  # fmt: skip
    assert (row["started"], row["seconds"], row["error"]) == (WHEN, 2.0, None)


def test_an_error_stands_beside_what_was_published_and_replaces_nothing(corpus: Corpus) -> None:
    corpus.publish(A, "screen", verdict="passed")
    corpus.fail(A, "screen", "the network is down")
    row = stage(corpus, "screen")
    assert (row["status"], row["error"], row["error_reason"], row["error_at"]) == (
        "error", "OSError", "the network is down", WHEN,
    )  # fmt: skip
    assert row["verdict"] == "passed"
    corpus.publish(A, "screen", verdict="rejected")
    assert (stage(corpus, "screen")["status"], stage(corpus, "screen")["error"]) == ("done", None)


def test_an_error_before_any_publication_has_a_row(corpus: Corpus) -> None:
    corpus.fail(A, "fetch")
    row = stage(corpus, "fetch")
    assert (row["status"], row["publication"], row["verdict"]) == ("error", None, None)


@pytest.mark.parametrize("what", ["read/record.json", "harvest/work.json", "fetch.error.json"])
@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]", b'{"published": "2024-13-45", "title": 5}'])
def test_what_cannot_be_read_has_a_row_that_says_so_and_is_read_again(
    corpus: Corpus, what: str, content: bytes
) -> None:
    corpus.publish(A, "harvest", work=WORK)
    corpus.publish(A, "read")
    corpus.fail(A, "fetch")
    (corpus.folder(A).path / what).write_bytes(content)
    found = entry(corpus)
    assert (found.readable, found.paper["mark"]) == (False, READ_AGAIN)
    broken = [row for row in found.stages if row["error"] == UNREADABLE]
    assert [row["stage"] for row in broken] == [what.replace("/", ".").split(".")[0]]
    assert Path(what).name in broken[0]["error_reason"]
    assert len(broken[0]["error_reason"]) <= REASON_LENGTH
    assert len(found.stages) == 3


def test_what_cannot_be_read_is_read_again_also_where_the_stage_failed_since(corpus: Corpus) -> None:
    corpus.publish(A, "read")
    corpus.break_record(A, "read")
    corpus.fail(A, "read")
    assert stage(corpus, "read")["error"] == UNREADABLE
    assert not entry(corpus).readable


def test_a_folder_that_is_gone_is_no_paper(corpus: Corpus) -> None:
    assert read_paper(corpus.folder(A)) is None


def test_an_empty_folder_is_a_paper_of_which_nothing_is_known(corpus: Corpus) -> None:
    corpus.folder(A).path.mkdir(parents=True)
    assert entry(corpus).stages == []


def test_what_json_allows_and_a_database_does_not_is_put_differently(corpus: Corpus) -> None:
    corpus.publish(A, "read", reason="a\0b")
    path = corpus.folder(A).path / "read" / RECORD
    facts = b'"facts": {"k\\u0000": [1e999, -1e999, 36893488147419103232, true, 7, {"x": "\\u0000"}]}'
    path.write_bytes(path.read_bytes().replace(b'"facts": {}', facts))
    row = stage(corpus, "read")
    assert row["reason"] == "a\ufffdb"
    assert row["facts"] == {"k\ufffd": [None, None, float(2**65), True, 7, {"x": "\ufffd"}]}
    orjson.dumps(row["facts"])


@given(content=st.binary(max_size=60) | st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5) | st.datetimes().map(str),
    lambda inner: st.dictionaries(st.sampled_from([
        "doi", "openalex_id", "title", "year", "published", "updated", "retracted", "status", "error", "at", "facts",
        "started", "finished", "id", "state", "counts",
    ]), inner),
    max_leaves=6,
).map(lambda value: orjson.dumps(value, option=orjson.OPT_PASSTHROUGH_DATETIME, default=str) if not _too_big(value)
      else b"9" * 400))  # fmt: skip
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_a_file_holds_reading_it_gives_rows_that_can_be_stored(tmp_path: Path, content: bytes) -> None:
    corpus = Corpus(tmp_path / "fuzz")
    if not corpus.folder(A).exists():
        corpus.publish(A, "harvest", work=WORK)
        corpus.publish(A, "read")
        corpus.fail(A, "fetch")
        corpus.run("r")
    for what in ("read/record.json", "harvest/work.json", "fetch.error.json"):
        (corpus.folder(A).path / what).write_bytes(content)
    (corpus.runs / "r" / RUN).write_bytes(content)
    found, run = entry(corpus), read_run(corpus.runs / "r")
    assert run is not None
    for row in (found.paper, *found.stages, run):
        assert "\0" not in str(orjson.loads(orjson.dumps(row)))


def _too_big(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_too_big(item) for item in value.values())
    return isinstance(value, int) and not -(2**63) <= value < 2**63


def test_a_run_is_what_its_record_says(corpus: Corpus) -> None:
    corpus.run("r", state="completed", counts={"done": 3}, finished=WHEN)
    row = read_run(corpus.runs / "r")
    assert row is not None
    assert (row["id"], row["state"], row["counts"], row["finished"]) == ("r", "completed", {"done": 3}, WHEN)


def test_a_run_that_cannot_be_read_says_so(corpus: Corpus) -> None:
    corpus.run("r")
    (corpus.runs / "r" / RUN).write_bytes(b"{")
    row = read_run(corpus.runs / "r")
    assert row is not None
    assert (row["state"], row["mark"]) == ("unreadable", READ_AGAIN)
    assert RUN in row["reason"]


def test_a_folder_without_a_record_is_no_run(corpus: Corpus) -> None:
    (corpus.runs / "r").mkdir(parents=True)
    (corpus.runs / "note.txt").touch()
    assert read_run(corpus.runs / "r") is None
    assert read_run(corpus.runs / "note.txt") is None
