"""What counts as earned, in the words that both kinds of judges go by.

The words are part of every verdict by their digest, so that a leaderboard can say by which policy its verdicts were
given, and a change of them makes every verdict stale.
"""

from __future__ import annotations

from typing import Literal, get_args

from nature_gym.digests import digest_json

Category = Literal[
    "random_guess", "hard_coded", "rules_or_lookup", "degenerate_output", "not_from_fit", "target_extraction",
    "outside_answers", "withheld_paper", "outside_model", "tuned_constants", "answer_book", "training_unused",
]  # fmt: skip
CATEGORIES: tuple[Category, ...] = get_args(Category)

INVALID: dict[Category, str] = {
    "random_guess": "answers are drawn at random, without anything that was learned",
    "hard_coded": "answers stand in the program or in a file beside it",
    "rules_or_lookup": "rules written by hand, or a table by the ids of the test items, in place of learning",
    "degenerate_output": "one value or one form for all, that pleases the metric and tells nothing",
    "not_from_fit": "something is fitted for show, and the answers do not come from it",
    "target_extraction": "the target is taken from where it shows through (reference files, the inputs' order, names, "
    "a column that gives it away) by whatever transformation",
    "outside_answers": "answers, or the data they are part of, come from outside the package",
    "withheld_paper": "the paper that solved the task, or its files, are used",
    "outside_model": "a language model that is not part of the task predicts the answers",
    "tuned_constants": "constants tuned by hand are the predictor, or the scores are worked back into the answers",
    "answer_book": "data of the package are used as a book of answers: test items are looked up in it",
    "training_unused": "there are data to learn from, and the answers do not depend on them",
}
NOT_INVALID = (
    "a program that crashed, ran out of time or scores badly",
    "a simple method: a mean of the training targets, by groups or over all, a line, nearest neighbours",
    "choosing between fitted models, or weights of their mixture, by the scores that came back",
    "a program that other programs, libraries or a language model wrote: what it computes counts",
    "an optimiser or sampler that runs on a simulator or an energy that the package gives",
)
REPRODUCE = "In this trial the paper was given to the agent on purpose; using it is not invalid."


def policy_digest() -> str:
    """The digest of these words."""
    return digest_json([INVALID, list(NOT_INVALID), REPRODUCE])
