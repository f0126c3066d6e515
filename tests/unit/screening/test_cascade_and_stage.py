from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from nature_gym.config import Settings
from nature_gym.errors import UsageError
from nature_gym.reading.document import Document, Section
from nature_gym.reading.ingest import ingest
from nature_gym.records import PaperFolder, Papers
from nature_gym.screening.cascade import screen
from nature_gym.screening.deciders import Answer, Case, Decider, DeciderError
from nature_gym.screening.decisions import RULES, Decision, Verdict
from nature_gym.screening.manuscript import Manuscript
from nature_gym.screening.record import Screening, read_screening
from nature_gym.screening.review import HUMAN, answer, answer_all, answers, history, queue
from nature_gym.screening.stage import STAGE, ScreenStage, screenable
from nature_gym.screening.task import TaskTuple
from nature_gym.stages import carry_out, is_current
from tests.unit.screening.papers import ToldProber

NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
PAGE = """<html><head><meta name="citation_doi" content="10.5555/{doi}"><meta name="citation_title" content="{title}">
<meta name="citation_article_type" content="Article"></head><body><article><h1 class="c-article-title">{title}</h1>
<div class="c-article-body"><section data-title="Abstract"><div class="c-article-section" id="Abs1-section">
<h2>Abstract</h2><div class="c-article-section__content"><p>We propose a network that predicts yields. It is better.</p>
</div></div></section><section data-title="Results"><div class="c-article-section"><h2>Results</h2>
<div class="c-article-section__content"><p>The network wins on every test set. The details follow below.</p></div></div>
</section></div></article></body></html>"""


@dataclass
class ADecider:
    """Passes every rule but those that it is told otherwise of; remembers what it was asked."""

    verdicts: dict[str, Verdict] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    failing: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    name: str = "rules"

    def version(self, rule: str) -> str:
        return self.versions.get(rule, "1")

    def decide(self, rule: str, case: Case) -> Answer:
        self.asked.append(rule)
        if rule in self.failing:
            raise DeciderError("no key", hint="Set one.")
        verdict = self.verdicts.get(rule, "pass")
        decision = Decision(rule=rule, verdict=verdict, reason="as told", decider=self.name, version=self.version(rule))
        return Answer(decision, TaskTuple(method="YieldNet") if rule == "1.1" else None)


def a_case() -> Case:
    document = Document(
        source="html", title="A study", abstract="It works.", sections=(Section("Results", 1, "Fine."),)
    )
    return Case(Manuscript("10.5555_x", document))


def human(rule: str, verdict: Verdict, code: str | None = None) -> Decision:
    return Decision(
        rule=rule, verdict=verdict, code=code, reason="I read it", decider=HUMAN, version="1", by="A. Reader", at=NOW
    )


# -- the cascade ---------------------------------------------------------------------------------


def test_every_rule_is_asked_in_order_where_all_pass() -> None:
    decider, case = ADecider(), a_case()
    assert screen(case, lambda _: decider).verdict == "passed"
    assert decider.asked == list(RULES)
    assert case.task.method == "YieldNet"


@pytest.mark.parametrize(("verdict", "expected"), [("reject", "rejected"), ("undecided", "undecided")])
def test_it_stops_at_the_first_rule_that_does_not_pass(verdict: Verdict, expected: str) -> None:
    decider, case = ADecider({"2.2": verdict, "3.1": "reject"}), a_case()
    screened = screen(case, lambda _: decider)
    assert (screened.verdict, screened.stopped_at) == (expected, "2.2")
    assert decider.asked[-1] == "2.2"
    assert case.decisions[-1].rule == "2.2"


def test_a_decider_that_fails_leaves_the_paper_undecided_with_the_cause() -> None:
    decider, case = ADecider(failing={"1.1"}), a_case()
    screened = screen(case, lambda _: decider)
    assert (screened.verdict, screened.stopped_at, screened.failed) == ("undecided", "1.1", True)
    assert "no key" in case.decisions[-1].reason
    assert "Set one." in case.decisions[-1].reason


def test_a_persons_answer_wins_and_the_task_is_still_filled() -> None:
    decider, case = ADecider({"1.1": "reject"}), a_case()
    screened = screen(case, lambda _: decider, {"1.1": human("1.1", "pass")})
    assert screened.verdict == "passed"
    assert next(made for made in case.decisions if made.rule == "1.1").by == "A. Reader"
    assert case.task.method == "YieldNet"


def test_a_persons_answer_stands_where_the_decider_fails() -> None:
    decider = ADecider(failing={"1.1"})
    assert screen(a_case(), lambda _: decider, {"1.1": human("1.1", "pass")}).verdict == "passed"


def test_nobody_is_asked_about_a_rule_that_a_person_rejected() -> None:
    decider = ADecider()
    screened = screen(a_case(), lambda _: decider, {"1.1": human("1.1", "reject", "non_computational")})
    assert screened.verdict == "rejected"
    assert decider.asked == ["0"]


def test_rules_may_have_deciders_of_their_own() -> None:
    cheap, dear = ADecider(), ADecider(name="llm")
    case = a_case()
    screen(case, lambda rule: dear if rule == "1.1" else cheap)
    assert [made.rule for made in case.decisions if made.decider == "llm"] == ["1.1"]


def test_a_paper_that_was_cut_off_is_left_undecided() -> None:
    problems = ("the XML is broken at line 2: premature end", "the file has no text below its abstract")
    document = Document(source="xml", title="A study", abstract="We grew cells.", problems=problems)
    decider, case = ADecider({"1.1": "reject"}), Case(Manuscript("10.5555_x", document))
    screened = screen(case, lambda _: decider)
    assert (screened.verdict, screened.stopped_at) == ("undecided", "1.1")
    assert "broken at line 2" in case.decisions[-1].reason


# -- the stage -----------------------------------------------------------------------------------


@pytest.fixture
def paper(naturegym_home: Path, tmp_path: Path) -> PaperFolder:
    page = tmp_path / "page.html"
    page.write_text(PAGE.format(doi="s41467-022-30001-4", title="A network that predicts yields of reactions"))
    (taken,) = ingest([page], Papers(naturegym_home / "papers"))
    assert taken.folder is not None
    return taken.folder


def stage_with(decider: Decider, home: Path, **settings: object) -> ScreenStage:
    return ScreenStage(Settings(home=home, probe_links=False, **settings), decider_of=lambda _: decider)  # type: ignore[arg-type]


def screening_of(paper: PaperFolder) -> Screening:
    published = paper.published(STAGE)
    assert published is not None
    return read_screening(published.folder)


def test_a_screening_is_recorded_with_its_decisions(paper: PaperFolder, naturegym_home: Path) -> None:
    result = carry_out(stage_with(ADecider({"3.5": "reject"}), naturegym_home), paper)
    assert (result.kind, result.verdict) == ("done", "rejected")
    screening = screening_of(paper)
    assert (screening.verdict, screening.stopped_at) == ("rejected", "3.5")
    assert screening.summary == "stopped at rule 3.5: as told"
    assert [made.rule for made in screening.decisions] == list(RULES[: RULES.index("3.5") + 1])
    record = paper.record(STAGE)
    assert record is not None
    assert record.facts["stopped_at"] == "3.5"


def test_a_paper_that_was_read_can_be_screened(paper: PaperFolder, naturegym_home: Path) -> None:
    assert screenable(Papers(naturegym_home / "papers")) == [paper.id]


def test_only_rules_that_were_reached_make_a_paper_stale(paper: PaperFolder, naturegym_home: Path) -> None:
    carry_out(stage_with(ADecider({"2.1": "reject"}), naturegym_home), paper)
    behind = stage_with(ADecider({"2.1": "reject"}, versions={"3.1": "2"}), naturegym_home)
    assert is_current(behind, paper)
    reached = stage_with(ADecider({"2.1": "reject"}, versions={"2.1": "2"}), naturegym_home)
    assert not is_current(reached, paper)


def test_another_decider_makes_a_paper_stale(paper: PaperFolder, naturegym_home: Path) -> None:
    carry_out(stage_with(ADecider(), naturegym_home), paper)
    assert not is_current(stage_with(ADecider(name="llm"), naturegym_home), paper)


def test_a_decider_that_failed_is_asked_again_and_one_that_does_not_know_is_not(
    paper: PaperFolder, naturegym_home: Path
) -> None:
    carry_out(stage_with(ADecider(failing={"1.1"}), naturegym_home), paper)
    assert not is_current(stage_with(ADecider(failing={"1.1"}), naturegym_home), paper)
    carry_out(stage_with(ADecider({"1.1": "undecided"}), naturegym_home), paper)
    assert is_current(stage_with(ADecider({"1.1": "undecided"}), naturegym_home), paper)


def test_a_paper_that_was_never_read_fails_and_says_what_to_do(naturegym_home: Path) -> None:
    papers = Papers(naturegym_home / "papers")
    folder = papers["10.5555_nothing"]
    folder.path.mkdir(parents=True)
    result = carry_out(stage_with(ADecider(), naturegym_home), folder)
    assert (result.kind, result.reason) == ("failed", "the paper was not read yet")


# -- answers -------------------------------------------------------------------------------------


def test_an_answer_makes_the_paper_stale_and_decides_it(paper: PaperFolder, naturegym_home: Path) -> None:
    decider = ADecider({"1.1": "undecided"})
    stage = stage_with(decider, naturegym_home)
    carry_out(stage, paper)
    papers = Papers(naturegym_home / "papers")
    assert [(question.paper.id, question.decision.rule) for question in queue(papers)] == [(paper.id, "1.1")]
    answer(paper, human("1.1", "pass"))
    assert list(queue(papers)) == []  # answered: it waits for the next screening, not for a person
    assert carry_out(stage, paper).verdict == "passed"
    assert is_current(stage, paper)


def test_an_answer_can_be_taken_back_and_nothing_is_forgotten(paper: PaperFolder) -> None:
    answer(paper, human("1.1", "pass"))
    answer(paper, human("1.1", "reject", "non_computational"))
    assert answers(paper)["1.1"].verdict == "reject"
    answer(paper, human("1.1", "undecided"))
    assert answers(paper) == {}
    assert [made.verdict for made in history(paper)] == ["pass", "reject", "undecided"]


def test_decisions_of_another_system_settle_a_paper_as_a_persons_do(paper: PaperFolder, naturegym_home: Path) -> None:
    stage = stage_with(ADecider({"1.1": "undecided"}), naturegym_home)
    answer(paper, human("1.1", "pass").model_copy(update={"decider": "imported"}))
    assert carry_out(stage, paper).verdict == "passed"
    assert is_current(stage, paper)


@pytest.mark.parametrize(
    ("rule", "verdict", "code", "said"),
    [
        ("9.9", "pass", None, "no rule '9.9'"),
        ("1.1", "reject", None, "no rejection code None"),
        ("1.1", "reject", "too_large", "no rejection code 'too_large'"),
        ("1.1", "pass", "non_computational", "goes with a rejection"),
    ],
)
def test_an_answer_that_cannot_be_is_refused(
    paper: PaperFolder, rule: str, verdict: Verdict, code: str | None, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        answer(paper, human(rule, verdict, code))
    assert history(paper) == []


def test_a_task_that_was_imported_fills_what_is_not_known_here(paper: PaperFolder, naturegym_home: Path) -> None:
    stage = stage_with(ADecider(), naturegym_home)
    carry_out(stage, paper)
    answer_all(paper, [], task=TaskTuple(method="OtherNet", task_type="regression", baselines=("SVM",)))
    assert not is_current(stage, paper)
    carry_out(stage, paper)
    task = screening_of(paper).task
    assert (task.method, task.task_type, task.baselines) == ("YieldNet", "regression", ("SVM",))
    assert is_current(stage, paper)


# -- links that could not be looked at -----------------------------------------------------------


class LookingDecider(ADecider):
    """Looks at a link for rule 3.1, and does not know where it could not be seen."""

    def decide(self, rule: str, case: Case) -> Answer:
        if rule == "3.1":
            seen = case.probe(["https://x.org/data"])["https://x.org/data"].status
            self.verdicts[rule] = "undecided" if seen == "error" else "pass"
        return super().decide(rule, case)


def test_a_paper_whose_link_could_not_be_seen_is_undecided_and_tried_again(
    paper: PaperFolder, naturegym_home: Path
) -> None:
    settings = Settings(home=naturegym_home)
    dark = ToldProber({"https://x.org/data": "error"})
    stage = ScreenStage(settings, decider_of=lambda _: LookingDecider(), prober=dark)
    assert carry_out(stage, paper).verdict == "undecided"
    assert screening_of(paper).stopped_at == "3.1"
    assert not is_current(stage, paper)
    light = ToldProber({"https://x.org/data": "accessible"})
    stage = ScreenStage(settings, decider_of=lambda _: LookingDecider(), prober=light)
    assert carry_out(stage, paper).verdict == "passed"
    assert is_current(stage, paper)


def test_what_the_text_leaves_open_is_not_asked_again_for_a_broken_link(
    paper: PaperFolder, naturegym_home: Path
) -> None:
    dark = ToldProber({"https://x.org/data": "error"})

    class Decider(ADecider):
        def decide(self, rule: str, case: Case) -> Answer:
            if rule == "3.1":
                case.probe(["https://x.org/data"])
            return super().decide(rule, case)

    stage = ScreenStage(Settings(home=naturegym_home), decider_of=lambda _: Decider({"3.5": "undecided"}), prober=dark)
    assert carry_out(stage, paper).verdict == "undecided"
    assert is_current(stage, paper)
