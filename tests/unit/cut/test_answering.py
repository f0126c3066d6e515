"""What a person answers to a draft's questions lands in its task.yaml, and nothing else of it changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from nature_gym.cli.main import app
from nature_gym.cut.answering import settle, task_of
from nature_gym.cut.questions import Question, questions_of, write_questions
from nature_gym.errors import UsageError
from nature_gym.packaging.specification import TaskSpecification
from nature_gym.packaging.task_file import read_task, task_text
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import Outcome, carry_out
from tests.unit.splitting.conftest import document

LICENCE = Question("source data", "under which licence is it? Nothing was found that says so")
SPLIT = Question("split of main", 'a.py:3: how many rows are in each part? It\'s "not" said: in numbers', ("a.py:3",))
SHOWN = Question("file data/all.csv", "does any method need it? It was judged initial_state with 0.41")
NEEDED = Question(
    "files data/more/*.csv (2)", "does a task need it? It is kept as external_resource (0.50); no setting"
)
WORDS = Question("name, domain and problem", "the words about the science are drafted; a person writes them, " * 4)
ASKED = [LICENCE, SPLIT, SHOWN, NEEDED, WORDS]


class Drafted:
    """A stage that publishes a draft as the cut does."""

    name, rules = "cut", "1"

    def inputs(self, paper: PaperFolder) -> Any:
        return paper.id

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        del paper
        value = document() | {"questions": [str(one) for one in ASKED]}
        (draft / "task.yaml").write_text(task_text(TaskSpecification.model_validate(value)))
        other = "external_resource"
        kept = [("more/a.csv", other, True), ("more/b.csv", other, True), ("more/c/d.csv", other, True),
                ("more/results.csv", "algorithm_output", False), ("more/e.csv", other, False)]  # fmt: skip
        files = [{"path": path, "category": category, "kept": keep} for path, category, keep in kept]
        (draft / "report.json").write_bytes(orjson.dumps({"data": {"files": files}}))
        write_questions(ASKED, draft)
        return Outcome("drafted")


@pytest.fixture
def paper(naturegym_home: Path) -> PaperFolder:
    paper = Papers(naturegym_home / "papers")["10.5555_a"]
    paper.path.mkdir(parents=True)
    assert carry_out(Drafted(), paper).kind == "done"
    return paper


@pytest.mark.parametrize("question", ASKED, ids=lambda one: one.about.replace("/", " "))
def test_what_is_kept_as_drafted_takes_its_question_away_and_nothing_else(
    paper: PaperFolder, question: Question
) -> None:
    before = read_task(task_of(paper))
    settle(paper, question)
    rest = tuple(str(one) for one in ASKED if one != question)
    assert read_task(task_of(paper)) == before.model_copy(update={"questions": rest})
    assert questions_of(paper) == [one for one in ASKED if one != question]
    assert task_of(paper).read_text() == task_text(read_task(task_of(paper)))
    with pytest.raises(UsageError, match="settled already"):
        settle(paper, question)


def test_comments_of_a_person_stay_and_values_are_theirs_to_change(paper: PaperFolder) -> None:
    path = task_of(paper)
    path.write_text(path.read_text().replace("questions:\n", "# to be settled\nquestions:\n") + "# the end\n")
    for question in (WORDS, SHOWN, NEEDED):
        settle(paper, question)
    with pytest.raises(UsageError, match="changed by hand"):
        settle(paper, LICENCE, "MIT")
    settle(paper, LICENCE)
    assert read_task(path).questions == (str(SPLIT),)
    settle(paper, SPLIT)
    assert read_task(path).questions == ()
    assert path.read_text().endswith("# to be settled\n# the end\n")


def test_a_licence_is_written_to_its_source(paper: PaperFolder) -> None:
    settle(paper, LICENCE, "CC BY 4.0")
    task = read_task(task_of(paper))
    assert task.sources["data"].licence == "CC BY 4.0"
    assert str(LICENCE) not in task.questions


def test_files_that_a_task_needs_are_shown_but_never_those_beside_them_that_were_dropped(paper: PaperFolder) -> None:
    settle(paper, NEEDED, "yes")
    made = [one for one in read_task(task_of(paper)).instances[0].files if one.role == "resource"]
    assert [(one.file, one.take) for one in made] == [
        ("more/a.csv", "data/more/a.csv"),
        ("more/b.csv", "data/more/b.csv"),
    ]


def test_an_answer_with_which_the_task_would_be_none_is_refused_and_leaves_it(paper: PaperFolder) -> None:
    before = task_of(paper).read_bytes()
    with pytest.raises(UsageError, match="is none"):
        settle(paper, SHOWN, "no")
    assert task_of(paper).read_bytes() == before


def test_the_queue_asks_one_question_after_the_other_and_each_answer_lands_at_once(paper: PaperFolder) -> None:
    told = CliRunner().invoke(app, ["review"], input="l\nMIT\ns\ny\nx\ny\nq\n")
    assert told.exit_code == 0, told.output
    assert "a.py:3" in told.output, "evidence is shown"
    task = read_task(task_of(paper))
    assert task.sources["data"].licence == "MIT"
    assert task.questions == (str(SPLIT), str(WORDS))
    assert {one.take for one in task.instances[0].files} >= {"data/all.csv", "data/more/a.csv", "data/more/b.csv"}
