"""``naturegym review``: the queue of what programs could not decide, for a person at a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nature_gym.cli.default_command import DEFAULT, DefaultCommand
from nature_gym.cli.output import JsonOption, console, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.cut.questions import Question as Asked
    from nature_gym.records import PaperFolder
    from nature_gym.screening.review import Question

app = typer.Typer(cls=DefaultCommand, help="Answer what nobody else could decide; answers are decisions, and win.")


@app.command(DEFAULT)
def review(
    who: Annotated[str | None, typer.Option("--as", help="Your name; the account's if left out.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Go through the queue: p passes, r rejects, s skips, o opens the paper, q quits. Every answer is kept at once.

    Then come the drafts of tasks, one question a file group, with what speaks for what: k keeps what is drafted; y and
    n say whether files are needed; a licence is typed; o opens the task.yaml. An answer changes the task.yaml, which a
    later cut keeps.

    'review list' shows the queue, as --json does; 'review answer' answers without asking; 'review ask' asks in the
    Prefect UI.

    Example:  naturegym review --as "A. Reader"
    """
    from nature_gym.records import Papers
    from nature_gym.screening.review import queue

    if as_json:
        list_(as_json=True)
        return
    from nature_gym.cut.questions import open_questions

    out = console()
    papers = Papers(load().papers)
    waiting = list(queue(papers))
    drafts = list(open_questions(papers))
    if not waiting and not drafts:
        out.print("Nothing waits for an answer.")
        return
    for number, question in enumerate(waiting, start=1):
        _print_question(out, question, f"{number} of {len(waiting)}")
        if not _ask(out, question, who or _account()):
            return
    for number, (paper, asked) in enumerate(drafts, start=1):
        _print_asked(out, paper, asked, f"{number} of {len(drafts)}")
        if not _ask_of_draft(out, paper, asked):
            return


_CHOICES = {
    "needed": "[y]es, show it  [n]o  [s]kip  [o]pen  [q]uit",
    "shown": "[y]es  [n]o, take it away  [s]kip  [o]pen  [q]uit",
    "licence": "[l]icence  [k]eep none  [s]kip  [o]pen  [q]uit",
    "other": "[k]eep what is drafted  [s]kip  [o]pen  [q]uit",
}


def _ask_of_draft(out: Console, paper: PaperFolder, asked: Asked) -> bool:
    """Ask until the question is settled or skipped; False where the person has had enough."""
    from nature_gym.cut.answering import kind_of, settle, task_of
    from nature_gym.errors import UsageError

    kind = kind_of(asked)
    answers = {"needed": {"y": "yes", "n": "no"}, "shown": {"y": "yes", "n": "no"}, "licence": {"k": ""},
               "other": {"k": ""}}[kind]  # fmt: skip
    while True:
        try:
            key = typer.prompt(_CHOICES[kind], prompt_suffix=" > ").strip().lower()[:1]
            if kind == "licence" and key == "l":
                answers = {"l": str(typer.prompt("licence")).strip()}
        except typer.Abort:
            return False
        if key in ("q", "s"):
            return bool(key == "s")
        if key == "o":
            out.print(f"  {shown(str(task_of(paper)))}", soft_wrap=True)
            typer.launch(str(task_of(paper)))
        elif key in answers:
            try:
                settle(paper, asked, answers[key])
            except UsageError as error:
                out.print(f"[red]{shown(error.message)}[/]\n  {shown(error.hint)}")
            return True


def _ask(out: Console, question: Question, who: str) -> bool:
    """Ask until there is an answer; False where the person has had enough."""
    while True:
        try:
            key = typer.prompt("[p]ass  [r]eject  [s]kip  [o]pen  [q]uit", prompt_suffix=" > ").strip().lower()[:1]
        except typer.Abort:
            return False
        if key == "q":
            return False
        if key == "s":
            return True
        if key == "o":
            text = _paper_text(question.paper)
            out.print(f"  {shown(text)}", soft_wrap=True)  # for those who have no programs that open files
            typer.launch(str(text))
        elif key == "p":
            _keep(question.paper, question.decision.rule, "pass", None, typer.prompt("why", default="read it"), who)
            return True
        elif key == "r":
            code = _ask_code(out, question.decision.rule)
            _keep(question.paper, question.decision.rule, "reject", code, typer.prompt("why", default=code), who)
            return True


def _ask_code(out: Console, rule: str) -> str:
    from nature_gym.screening.review import codes_of

    codes = codes_of(rule)
    for number, code in enumerate(codes, start=1):
        out.print(f"  {number}  {code}")
    while True:
        told = str(typer.prompt("which")).strip()
        if told in codes:
            return told
        if told.isdigit() and 1 <= int(told) <= len(codes):
            return codes[int(told) - 1]


@app.command(name="list")
def list_(as_json: JsonOption = False) -> None:
    """Show what waits for an answer: the paper, the rule, and why nobody could decide it; then drafts of tasks.

    What a draft leaves open is settled by 'naturegym review', or in its task.yaml: put the right value there, and
    remove the question.

    Example:  naturegym review list --json
    """
    from dataclasses import asdict

    from nature_gym.cut.questions import open_questions
    from nature_gym.records import Papers
    from nature_gym.screening.review import queue

    papers = Papers(load().papers)
    waiting = list(queue(papers))
    drafts = list(open_questions(papers))

    def text(out: Console) -> None:
        for question in waiting:
            _print_question(out, question, "")
        for paper, asked in drafts:
            _print_asked(out, paper, asked, "")
        out.print(f"{len(waiting):,} wait for an answer; {len(drafts):,} questions in drafts of tasks")

    value = [
        {"id": question.paper.id, "title": question.screening.title, **question.decision.model_dump(mode="json")}
        for question in waiting
    ]
    value += [
        {"id": paper.id, "task": str(paper.path / "cut" / "task.yaml"), **asdict(asked)} for paper, asked in drafts
    ]
    emit(value, as_json=as_json, text=text)


@app.command()
def answer(
    paper: Annotated[str, typer.Argument(help="Id or DOI.")],
    rule: Annotated[str, typer.Argument(help="The rule: 1.1, 2.1, ...")],
    verdict: Annotated[
        Literal["pass", "reject", "undecided"], typer.Argument(help="undecided takes an earlier answer back.")
    ],
    because: Annotated[str, typer.Option("--because", help="Why, in a sentence.")],
    code: Annotated[str | None, typer.Option("--code", help="With reject: the rejection's code.")] = None,
    who: Annotated[str | None, typer.Option("--as", help="Your name; the account's if left out.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Answer one rule for one paper, and screen the paper again.

    Example:  naturegym review answer 10.5555/s42256-023-00601-7 1.1 pass --because "a new loss, section 2"
    """
    from nature_gym.records import Papers

    folder = Papers(load().papers).find(paper)
    told = _keep(folder, rule, verdict, code, because, who or _account())
    emit(
        {"id": folder.id, "rule": rule, "verdict": verdict, "code": code, "now": told},
        as_json=as_json,
        text=lambda out: out.print(f"{shown(folder.id)}: {shown(told)}"),
    )


@app.command()
def ask(
    paper: Annotated[str, typer.Argument(help="Id or DOI of a paper that waits.")],
    hours: Annotated[float, typer.Option(min=0, help="How long to wait for an answer.")] = 24.0,
    as_json: JsonOption = False,
) -> None:
    """Ask in the Prefect UI: a run that stands still until somebody there has filled in its form.

    Press Resume on the run's page. Ctrl-C ends the wait; the paper stays in the queue.

    Example:  naturegym review ask 10.5555/s42256-023-00601-7
    """
    from flows.launch import reachable_api, run_flow
    from nature_gym.cli.stopping import resumable
    from nature_gym.records import Papers
    from nature_gym.screening.stage import STAGE

    settings = load()
    folder = Papers(settings.papers).find(paper)
    with resumable("review ask", as_json=as_json), reachable_api(settings) as api_url:
        where = api_url.removesuffix("/api")
        console(stderr=True).print(f"Answer at {where}: the run 'review {folder.id}', Resume.")
        parameters = {"paper": folder.id, "timeout": round(hours * 3600)}
        run_flow("flows.review:review", settings, parameters)
    record = folder.record(STAGE)
    told = ": ".join(filter(None, (record.verdict, record.reason))) if record is not None else ""
    emit(
        {"id": folder.id, "now": told},
        as_json=as_json,
        text=lambda out: out.print(f"{shown(folder.id)}: {shown(told)}"),
    )


def _keep(
    folder: PaperFolder,
    rule: str,
    verdict: Literal["pass", "reject", "undecided"],
    code: str | None,
    why: str,
    who: str,
) -> str:
    """Keep the answer, screen the paper again, and say what it came to."""
    from nature_gym.screening.decisions import Decision
    from nature_gym.screening.review import HUMAN, answer
    from nature_gym.screening.stage import ScreenStage
    from nature_gym.stages import carry_out, now

    decision = Decision(rule=rule, verdict=verdict, code=code, reason=why, decider=HUMAN, version="1", by=who, at=now())
    answer(folder, decision)
    result = carry_out(ScreenStage(load()), folder)
    return ": ".join(filter(None, (result.verdict, result.reason)))


def _account() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "somebody"


def _paper_text(folder: PaperFolder) -> Path:
    from nature_gym.errors import InfrastructureError
    from nature_gym.reading.stage import STAGE
    from nature_gym.reading.writing import TEXT

    published = folder.published(STAGE)
    if published is None:
        raise InfrastructureError("the paper's text is gone", hint="Read it again: naturegym read.")
    return published.folder / TEXT


def _print_question(out: Console, question: Question, place: str) -> None:
    decision = question.decision
    out.print(f"[bold]{shown(question.screening.title or question.paper.id)}[/]  [dim]{place}[/]")
    out.print(f"  {shown(question.paper.id)}  rule {decision.rule}: {shown(decision.reason)}")
    for evidence in decision.evidence:
        out.print(f"    “{shown(evidence.quote)}” [dim]({shown(evidence.section or 'observed')})[/]")


def _print_asked(out: Console, paper: PaperFolder, asked: Asked, place: str) -> None:
    out.print(f"{shown(paper.id)}  task.yaml, {shown(asked.about)}: {shown(asked.asks)}  [dim]{place}[/]")
    for said in asked.evidence:
        out.print(f"    [dim]{shown(said)}[/]")
