from __future__ import annotations

from dataclasses import dataclass, field

from nature_gym.screening.deciders import Case, DeciderError
from nature_gym.screening.decisions import RULES, Decision, Evidence
from nature_gym.screening.second_opinion import CRITICISED, second_opinion, version_of
from nature_gym.screening.strict import StrictReader
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
    assert "llm passes: Fine." in last.reason
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
