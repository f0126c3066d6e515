import datetime as dt
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nature_gym.errors import InfrastructureError, PaperError
from nature_gym.records import PaperFolder
from nature_gym.stages import Outcome, Result, carry_out, carry_out_together, is_current

PAPER = "10.5555_s41467-022-30001-4"


@dataclass
class AStage:
    """A stage whose inputs and work the test chooses; counts how often it worked."""

    source: Callable[[], Any] = lambda: {"file": "sha256:1"}
    task: Callable[[Path], Outcome] = lambda _: Outcome()
    name: str = "read"
    rules: str = "1"
    worked: int = 0

    def inputs(self, paper: PaperFolder) -> Any:
        return self.source()

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        self.worked += 1
        return self.task(draft)


@pytest.fixture
def paper(tmp_path: Path) -> PaperFolder:
    return PaperFolder(tmp_path, PAPER)


def fail_with(error: Exception) -> Callable[..., Any]:
    def fail(*_: object) -> Any:
        raise error

    return fail


def test_work_is_recorded_with_its_outputs_by_digest(paper: PaperFolder) -> None:
    def task(draft: Path) -> Outcome:
        (draft / "tables").mkdir()
        (draft / "tables" / "1.csv").write_text("a,b\n")
        return Outcome("passed", "all well", {"tables": 1})

    assert carry_out(AStage(task=task), paper) == Result(PAPER, "done", "passed", "all well")
    record = paper.record("read")
    assert record is not None
    assert (record.status, record.verdict, record.facts) == ("done", "passed", {"tables": 1})
    assert record.outputs["tables/1.csv"].size == 4
    assert set(record.outputs) == {"tables/1.csv"}


def test_nothing_is_done_again_for_the_same_inputs_and_rules(paper: PaperFolder) -> None:
    stage = AStage(task=lambda _: Outcome("rejected", "not machine learning"))
    carry_out(stage, paper)
    assert carry_out(stage, paper) == Result(PAPER, "current", "rejected", "not machine learning")
    assert stage.worked == 1


@pytest.mark.parametrize("change", [{"rules": "2"}, {"source": lambda: {"file": "sha256:2"}}])
def test_new_rules_or_new_inputs_make_it_stale(paper: PaperFolder, change: dict[str, Any]) -> None:
    carry_out(AStage(), paper)
    again = AStage(**change)
    assert not is_current(again, paper)
    assert carry_out(again, paper).kind == "done"
    assert again.worked == 1


def test_force_does_current_work_again(paper: PaperFolder) -> None:
    stage = AStage()
    carry_out(stage, paper)
    assert carry_out(stage, paper, force=True).kind == "done"
    assert stage.worked == 2


def test_an_unusable_paper_is_recorded_as_failed_and_not_tried_again(paper: PaperFolder) -> None:
    def task(draft: Path) -> Outcome:
        (draft / "half.md").write_text("half")
        raise PaperError("paper.pdf is encrypted", hint="Ask for one without a password.")

    stage = AStage(task=task)
    assert carry_out(stage, paper) == Result(PAPER, "failed", "PaperError", "paper.pdf is encrypted")
    published = paper.published("read")
    assert published is not None
    assert (published.record.status, published.record.hint) == ("failed", "Ask for one without a password.")
    assert [path.name for path in published.folder.iterdir()] == ["record.json"], "nothing half-made is left"
    assert carry_out(stage, paper).kind == "current"
    assert stage.worked == 1


def test_a_paper_that_lacks_the_stages_input_is_recorded_until_it_comes(paper: PaperFolder) -> None:
    stage = AStage(source=fail_with(PaperError("there is no full text")))
    assert carry_out(stage, paper).kind == "failed"
    assert carry_out(stage, paper).kind == "current"
    assert stage.worked == 0
    assert carry_out(AStage(), paper).kind == "done"


@pytest.mark.parametrize(
    "error",
    [OSError(28, "No space left on device"), InfrastructureError("the host is down"), ZeroDivisionError("ours")],
)
def test_our_own_failure_replaces_nothing_and_is_tried_again(paper: PaperFolder, error: Exception) -> None:
    carry_out(AStage(task=lambda _: Outcome("passed")), paper)
    stage = AStage(task=fail_with(error), rules="2")
    assert carry_out(stage, paper).kind == "error"
    kept = paper.errors()["read"]
    assert str(error) in kept.reason
    assert bool(kept.trace) == isinstance(error, ZeroDivisionError), "a trace only where we do not know the error"
    record = paper.record("read")
    assert record is not None
    assert record.verdict == "passed"
    carry_out(stage, paper)
    assert stage.worked == 2


def test_after_our_own_failure_even_a_current_stage_is_done_again(paper: PaperFolder) -> None:
    carry_out(AStage(), paper)
    carry_out(AStage(task=fail_with(OSError("disk"))), paper, force=True)
    stage = AStage()
    assert carry_out(stage, paper).kind == "done"
    assert paper.errors() == {}


def test_an_interrupt_is_not_a_failure_of_the_paper(paper: PaperFolder) -> None:
    def interrupt(_: Path) -> Outcome:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        carry_out(AStage(task=interrupt), paper)
    assert paper.errors() == {}
    assert paper.record("read") is None


def test_time_is_measured_by_the_clock_that_was_given(paper: PaperFolder) -> None:
    ticks = iter(dt.datetime(2026, 1, 1, 0, 0, second, tzinfo=dt.UTC) for second in range(0, 60, 5))
    carry_out(AStage(), paper, clock=lambda: next(ticks))
    record = paper.record("read")
    assert record is not None
    assert record.seconds == 5


def test_papers_worked_on_together_come_to_the_same_as_one_by_one(tmp_path: Path) -> None:
    stages = {
        "done": AStage(task=lambda draft: Outcome("passed", str((draft / "a").write_text("a")))),
        "failed": AStage(task=fail_with(PaperError("it is encrypted"))),
        "error": AStage(task=fail_with(InfrastructureError("no network"))),
        "defect": AStage(source=fail_with(ZeroDivisionError())),
    }
    singly = [PaperFolder(tmp_path / "singly", name) for name in stages]
    together = [PaperFolder(tmp_path / "together", name) for name in stages]
    with ThreadPoolExecutor(2) as pool:
        for _ in range(2):  # the second time, what can be is current
            results = [carry_out(stage, paper) for stage, paper in zip(stages.values(), singly, strict=True)]
            assert carry_out_together(list(zip(stages.values(), together, strict=True)), pool) == results
            assert [paper.errors().keys() for paper in together] == [paper.errors().keys() for paper in singly]
            for one, other in zip(singly, together, strict=True):
                mine, yours = one.record("read"), other.record("read")
                assert (mine is None) == (yours is None)
                if mine is not None and yours is not None:
                    assert (mine.verdict, mine.outputs, mine.status) == (yours.verdict, yours.outputs, yours.status)
    left = [path.name for path in (tmp_path / "together").rglob(".read.*")]
    assert len(left) == 2, "what was not published leaves nothing"


def test_a_paper_that_cannot_be_flushed_is_an_error_of_its_own_and_shows_what_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papers = [PaperFolder(tmp_path, name) for name in ("a", "b", "c")]
    for paper in papers:
        carry_out(AStage(), paper)
    flush = os.fsync

    def full(descriptor: int) -> None:
        if "/b/.read" in str(Path(f"/proc/self/fd/{descriptor}").readlink()):
            raise OSError(28, "No space left on device")
        flush(descriptor)

    monkeypatch.setattr("os.fsync", full)
    with ThreadPoolExecutor(2) as pool:
        results = carry_out_together([(AStage(rules="2"), paper) for paper in papers], pool)
    assert [result.kind for result in results] == ["done", "error", "done"]
    records = [paper.record("read") for paper in papers]
    assert [record.rules for record in records if record] == ["2", "1", "2"]
    assert "No space left" in papers[1].errors()["read"].reason
