"""One answer scored once, as a trial's are: copied out, in the evaluator's sandbox. Nothing is kept."""

from __future__ import annotations

from pathlib import Path

from nature_gym.evaluation.evaluator import CURRENT, Evaluator, place
from nature_gym.evaluation.improvement import Scores, read_result
from nature_gym.evaluation.intake import AnswerLimits, take_in
from nature_gym.evaluation.trial import SCORING_MEMORY, SCORING_SECONDS, Task
from nature_gym.sandbox import folders
from nature_gym.sandbox.interface import Sandbox


def score_folder(
    task: Task, folder: Path, sandbox: Sandbox, *, image: str = "",
    seconds: float = SCORING_SECONDS, memory: int = SCORING_MEMORY,
) -> Scores:  # fmt: skip
    """The scores of the answer in ``folder``.

    Raises IntakeError for one that is not fit to be taken in, EvaluatorFaultError, InfrastructureError.
    """
    folder = folder.absolute()
    own = place()
    try:
        answers = own / "answers"
        answers.mkdir()
        answers.chmod(0o755)
        take_in(folder.parent, folder.name, answers / CURRENT, AnswerLimits())
        evaluator = Evaluator(task.evaluation, answers, sandbox, image=image, memory=memory, as_processes=True)
        with evaluator:
            return read_result(evaluator.score(seconds).result, task)
    finally:
        folders.remove(own)
