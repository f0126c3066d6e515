from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from nature_gym.config import Settings
from nature_gym.reading.ingest import ingest
from nature_gym.records import PaperFolder, Papers
from nature_gym.screening.deciders import Answer, Case, DeciderError
from nature_gym.screening.decisions import RULES, Decision, Evidence
from nature_gym.screening.review import answer, queue
from nature_gym.screening.second_opinion import CRITICISED, second_opinion, version_of
from nature_gym.screening.stage import ScreenStage
from nature_gym.screening.strict import StrictReader
from nature_gym.stages import carry_out, is_current
from tests.unit.screening.papers import case, manuscript


@dataclass
class ACritic:
    """Objects where it is told to; remembers what it was asked."""

    against: dict[str, str] = field(default_factory=dict)
    failing: bool = False
    asked: list[str] = field(default_factory=list)
    name: str = "rules"

    def version(self, rule: str) -> str:
        return "7"

    def objection(self, rule: str, case: Case) -> Decision | None:
        self.asked.append(rule)
        if self.failing:
            raise DeciderError("no key", hint="Set one.")
        if rule not in self.against:
            return None
        evidence = (Evidence(quote="It is slow."),)
        return Decision(
            rule=rule, verdict="reject", code=self.against[rule], reason="It says so.", evidence=evidence,
            decider="rules", version="7",
        )  # fmt: skip


def passed() -> Case:
    judged = case(manuscript())
    for rule in RULES:
        quote = (Evidence(quote="It is good."),)
        judged.decisions.append(
            Decision(rule=rule, verdict="pass", reason="Fine.", evidence=quote, decider="llm", version="1")
        )
    return judged


def test_a_paper_that_nobody_objects_to_stays_passed() -> None:
    judged, critic = passed(), ACritic()
    assert second_opinion(judged, lambda _: critic).verdict == "passed"
    assert critic.asked == list(CRITICISED)
    assert [decision.verdict for decision in judged.decisions] == ["pass"] * len(RULES)


def test_a_disagreement_is_undecided_with_both_reasons_and_proofs_and_ends_the_decisions() -> None:
    judged = passed()
    critic = ACritic({"2.1": "efficiency_metric", "3.1": "on_request"})
    screened = second_opinion(judged, lambda _: critic)
    assert (screened.verdict, screened.stopped_at, screened.failed) == ("undecided", "2.1", False)
    last = judged.decisions[-1]
    assert (last.rule, last.verdict, last.code) == ("2.1", "undecided", None)
    assert "llm passes: Fine; the second opinion (rules)" in last.reason
    assert "rejects as efficiency_metric: It says so." in last.reason
    assert [evidence.quote for evidence in last.evidence] == ["It is good.", "It is slow."]
    assert [decision.rule for decision in judged.decisions] == ["0", "1.1", "2.1"]


def test_what_a_person_has_decided_is_not_questioned() -> None:
    judged, critic = passed(), ACritic({"2.1": "efficiency_metric"})
    assert second_opinion(judged, lambda _: critic, answered={"2.1"}).verdict == "passed"
    assert "2.1" not in critic.asked


def test_a_critic_that_fails_leaves_the_paper_undecided_to_be_asked_again() -> None:
    judged = passed()
    screened = second_opinion(judged, lambda _: ACritic(failing=True))
    assert (screened.verdict, screened.stopped_at, screened.failed) == ("undecided", "1.1", True)
    assert "no second opinion: no key (Set one.)" in judged.decisions[-1].reason


def test_the_version_names_each_critic_once() -> None:
    assert version_of(lambda _: ACritic()) == "rules:7"
    assert version_of(lambda rule: ACritic(name="llm" if rule == "1.1" else "rules")) == "llm:7,rules:7"


# -- the stricter reading by rules -----------------------------------------------------------


def objection(rule: str, judged: Case) -> Decision | None:
    return StrictReader().objection(rule, judged)


def test_an_admission_that_others_are_better_is_an_objection_to_a_win() -> None:
    text = "On WildSet, NovelNet performs worse than ResNet, with an AUROC of 0.70 against 0.74."
    found = objection("2.1", case(manuscript(Results=text)))
    assert found is not None
    assert (found.verdict, found.code, found.evidence[0].quote) == ("reject", "non_competitive_quality", text)
    assert objection("2.1", case(manuscript(Results="NovelNet has the highest AUROC, 0.91."))) is None


def test_any_part_of_the_data_on_request_is_an_objection_to_open_access() -> None:
    open_ = "The data are available at https://zenodo.org/records/7."
    closed = "The raw photographs are available from the authors upon reasonable request."
    found = objection("3.1", case(manuscript(f"{open_} {closed}")))
    assert found is not None
    assert (found.code, found.evidence[0].quote) == ("on_request", closed)
    assert objection("3.1", case(manuscript(open_))) is None


def test_cross_validation_without_a_fixed_test_set_is_an_objection() -> None:
    folds = "All methods were compared by five-fold cross-validation on OpenSet and WildSet."
    found = objection("3.5", case(manuscript(methods=folds)))
    assert found is not None
    assert (found.code, found.evidence[0].quote) == ("invalid_eval_method", folds)
    fixed = "All methods were compared on the fixed test set of OpenSet and on that of WildSet."
    assert objection("3.5", case(manuscript(methods=fixed))) is None


def test_an_estimate_near_the_limit_that_no_header_bears_out_is_an_objection() -> None:
    text = "The data set OpenSet (40 GB) is available at https://zenodo.org/records/7."
    found = objection("3.6", case(manuscript(text)))
    assert found is not None
    assert found.code == "too_large"
    assert objection("3.6", case(manuscript(text.replace("40 GB", "4 GB")))) is None


# -- in the stage ----------------------------------------------------------------------------


@dataclass
class PassesAll:
    """Passes every rule."""

    name: str = "rules"

    def version(self, rule: str) -> str:
        return "1"

    def decide(self, rule: str, case: Case) -> Answer:
        return Answer(Decision(rule=rule, verdict="pass", reason="Fine.", decider="rules", version="1"))


PAGE = """<html><head><meta name="citation_doi" content="10.5555/s41467-022-30001-4">
<meta name="citation_title" content="A network"><meta name="citation_article_type" content="Article"></head><body>
<article><h1 class="c-article-title">A network</h1><div class="c-article-body"><section data-title="Abstract">
<div class="c-article-section" id="Abs1-section"><h2>Abstract</h2><div class="c-article-section__content">
<p>We propose a network that predicts yields. It is better.</p></div></div></section><section data-title="Results">
<div class="c-article-section"><h2>Results</h2><div class="c-article-section__content">
<p>The network wins on every test set. The details follow below.</p></div></div></section></div></article></body>
</html>"""


@pytest.fixture
def paper(tmp_path: Path) -> PaperFolder:
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    (taken,) = ingest([page], Papers(tmp_path / "home" / "papers"))
    assert taken.folder is not None
    return taken.folder


def stage(critic: ACritic, home: Path, *, wanted: bool = True) -> ScreenStage:
    settings = Settings(home=home, probe_links=False, second_opinion=wanted)
    return ScreenStage(settings, decider_of=lambda _: PassesAll(), critic_of=lambda _: critic)


def test_a_paper_that_meets_an_objection_waits_in_the_queue_until_a_person_decides(
    paper: PaperFolder, tmp_path: Path
) -> None:
    critic = ACritic({"2.1": "efficiency_metric"})
    judging = stage(critic, tmp_path / "home")
    assert carry_out(judging, paper).verdict == "undecided"
    (question,) = queue(Papers(tmp_path / "home" / "papers"))
    assert question.decision.rule == "2.1"
    assert "efficiency_metric" in question.decision.reason
    answer(
        paper,
        Decision(
            rule="2.1", verdict="pass", reason="I read it.", decider="human", version="1", by="A. Reader",
            at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        ),
    )  # fmt: skip
    assert carry_out(judging, paper).verdict == "passed"
    assert not list(queue(Papers(tmp_path / "home" / "papers")))


def test_second_opinions_are_given_where_they_are_wanted_and_again_when_critics_change(
    paper: PaperFolder, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    unasked, critic = ACritic({"1.1": "non_computational"}), ACritic()
    assert carry_out(stage(unasked, home, wanted=False), paper).verdict == "passed"
    assert not unasked.asked
    assert not is_current(stage(critic, home), paper)
    assert carry_out(stage(critic, home), paper).verdict == "passed"
    assert is_current(stage(critic, home), paper)
    assert not is_current(stage(ACritic(name="llm"), home), paper)


def test_a_paper_without_a_second_opinion_is_asked_for_again(paper: PaperFolder, tmp_path: Path) -> None:
    assert carry_out(stage(ACritic(failing=True), tmp_path / "home"), paper).verdict == "undecided"
    assert not is_current(stage(ACritic(failing=True), tmp_path / "home"), paper)
    assert carry_out(stage(ACritic(), tmp_path / "home"), paper).verdict == "passed"
