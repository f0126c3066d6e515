"""Homes with records of any number: papers that stopped everywhere, packages, trials with all their evidence.

A number gives the same records each time. They are written plainly, as in a home that was copied.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from nature_gym.files import to_json
from nature_gym.judging.verdict import Evidence, Outcome, Verdict, write_outcome, write_verdict
from nature_gym.screening.decisions import CODES, RULES
from nature_gym.sweeping.spec import Policy, TrialSpec

VENUES = ("Nature Methods", "Nature Machine Intelligence", "Nature Energy", "Nature Materials", "Nature Genetics")
AGENTS = ("constant", "tabular", "coder:large", "coder:small", "reader:large")
DOMAINS = ("Medicine", "Chemistry", "Computer Science", "Physics")
WORDS = (
    "accurate", "learned", "retrieval", "of", "binding", "sites", "from", "sequence", "graphs", "with", "sparse",
    "attention", "calibrated", "single-cell", "atlas", "crystal", "structure", "prediction", "energy", "models",
)  # fmt: skip
AT = "2026-01-02T03:04:05Z"


def write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(to_json(value))


def add_stage(home: Path, paper: str, stage: str, verdict: str = "done", **changes: Any) -> None:
    record = {
        "paper": paper, "stage": stage, "status": "done", "verdict": verdict, "inputs": "sha256:0", "rules": "1",
        "started": AT, "finished": AT,
    }  # fmt: skip
    write_json(home / "papers" / paper / stage / "record.json", record | changes)


def add_error(home: Path, paper: str, stage: str, error: str, reason: str) -> None:
    told = {"paper": paper, "stage": stage, "error": error, "reason": reason, "hint": "Try again.", "at": AT}
    write_json(home / "papers" / paper / f"{stage}.error.json", told)


def add_paper(
    home: Path, number: int, *, title: str = "", quote: str = "We learn it from data.", stopped: str | None = None,
    code: str | None = None, until: str = "screen", package: str = "",
) -> str:  # fmt: skip
    """A paper that went through the stages up to ``until``; ``stopped`` at a rule of screening, or passed."""
    paper = f"10.5555_paper-{number:05}"
    random_ = random.Random(number)
    title = title or " ".join(random_.choices(WORDS, k=9))
    work = {
        "id": paper, "doi": paper.replace("_", "/"), "title": title,
        "venue": VENUES[number % len(VENUES)], "published": f"{2022 + number % 4}-{1 + number % 12:02}-11",
        "article_type": "article", "authors": [f"Author {name} of {number}" for name in range(5)], "licence": "cc-by",
    }  # fmt: skip
    write_json(home / "papers" / paper / "harvest" / "work.json", work)
    stages = ("harvest", "fetch", "read", "screen", "acquire", "cut", "build")
    verdicts = {"acquire": "acquired", "cut": "drafted", "build": "built"}
    for stage in stages[: stages.index(until) + 1]:
        if stage != "screen":
            facts = {"task": package} if stage == "build" else {}
            add_stage(home, paper, stage, verdicts.get(stage, "done"), facts=facts)
            continue
        verdict = "rejected" if stopped else "passed"
        add_stage(home, paper, stage, verdict, facts={"stopped_at": stopped, "code": code})
        write_json(home / "papers" / paper / "screen" / "screening.json", screening(paper, title, stopped, code, quote))
    return paper


def screening(paper: str, title: str, stopped: str | None, code: str | None, quote: str) -> dict[str, Any]:
    asked = RULES[: RULES.index(stopped) + 1] if stopped else RULES
    decisions = [
        {
            "rule": rule, "verdict": "reject" if rule == stopped else "pass", "code": code if rule == stopped else None,
            "reason": f"What rule {rule} asks for is told by the authors in so many words.", "decider": "rules",
            "version": "1", "evidence": [{"quote": quote, "section": "Methods", "start": 0, "end": len(quote)}] * 2,
        }
        for rule in asked
    ]  # fmt: skip
    task = {
        "task_type": "classification", "method": "SparseNet", "metrics": [{"name": "F1", "primary": True}],
        "settings": [{"name": "held-out", "accepted": True}],
    }  # fmt: skip
    return {
        "id": paper, "title": title, "verdict": "rejected" if stopped else "passed", "stopped_at": stopped,
        "summary": f"stopped at rule {stopped}" if stopped else "passed", "task": task, "decisions": decisions,
    }  # fmt: skip


def add_package(home: Path, name: str, *, title: str = "A task", domain: str = "Medicine") -> Path:
    folder = home / "packages" / name
    metric = {
        "name": "F1", "is_primary": True, "metric_direction": "higher_is_better",
        "sota_score": [{"value": "0.98", "method": "x"}], "baseline_score": {"value": "0.9", "method": "y"},
    }  # fmt: skip
    write_json(folder / "metadata.json", {
        "task_name": title, "domain_metadata": {"primary_domain": domain},
        "performance_entries": [{"dataset_name": "held-out", "metrics": [metric]}],
    })  # fmt: skip
    for file in ("problem/README.md", "problem/data/held-out/x.csv"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("# A task\n")
    return folder


def add_admission(home: Path, package: str, verdict: str = "admit", *, evidence: str = "the floor is high") -> None:
    defects = [] if verdict == "admit" else [{"kind": "missing_data", "evidence": evidence, "mend": "Add it."}]
    passes = [{"name": "floor", "agent": "constant", "trial": "0" * 16, "grade": "failure", "gap": -0.5, "reason": ""}]
    write_json(home / "calibration" / package / "report.json", {
        "package": package, "task_digest": "sha256:0", "verdict": verdict, "summary": "As it is.", "passes": passes,
        "defects": defects,
    })  # fmt: skip


def add_trial(
    home: Path, package: str, agent: str, seed: int, gaps: tuple[float | None, ...], *, status: str = "succeeded",
    verdict: str = "valid", text: str = "I look at the data.", cost: float = 0.0, domain: str = "Medicine",
    host: str = "api.example.org", reason: str = "",
) -> str:  # fmt: skip
    spec = TrialSpec(package, f"sha256:{package}", agent, seed, budget=600.0, policy=Policy())
    folder = home / "trials" / spec.id
    write_json(folder / "spec.json", spec.as_json())
    write_json(folder / "trial.json", {
        "status": status, "reason": reason, "opened": 1000.0, "began": 999.0, "finished": 1600.0 + seed,
        "phases": {"set_up": 1.0, "solving": 500.0, "finishing": 0.5}, "attempts": len(gaps), "domain": domain,
        "spent": {"events": 90, "input_tokens": 1000, "cost": cost}, "comparable": True, "backend": "bubblewrap",
        "agent_version": "1.0", "anchors": {}, "evaluation": "sha256:e", "token": "a-secret-digest",
    })  # fmt: skip
    for number, gap in enumerate(gaps, start=1):
        write_json(folder / "attempts" / str(number) / "attempt.json", {
            "number": number, "begun": 1000.0 + 40.0 * number, "ended": 1001.0 + 40.0 * number, "paused": 1.0,
            "status": "scored" if gap is not None else "invalid", "gap": gap,
            "result": {"per_instance_improvement": {"held-out": gap}} if gap is not None else {"reason": text},
        })  # fmt: skip
    events = [{"kind": "text", "text": f"{text} {step}", "time": float(step), "tool": ""} for step in range(130)]
    (folder / "trajectory.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    asked = {"time": 1.0, "host": host, "port": 443, "verdict": "refused", "reason": "not on the list", "received": 0}
    (folder / "egress.jsonl").write_text((json.dumps(asked) + "\n") * 3)
    write_verdict_of(folder, verdict, len(gaps), text)
    return spec.id


def write_verdict_of(folder: Path, verdict: str, attempt: int, text: str) -> None:
    if verdict == "not judged":
        return
    word: Any = verdict
    categories: Any = ("target_extraction",) if verdict == "invalid" else ()
    seen = (Evidence(file="solve.py", line=3, text=text[:400], about="where it stands"),)
    write_verdict(folder, Verdict(
        judge="forensic", version="1", verdict=word, reason=text[:400], categories=categories, evidence=seen,
        attempt=attempt,
    ))  # fmt: skip
    write_outcome(folder, Outcome(verdict=word, reason=text[:400], categories=categories, judges={"forensic": word}))


def grow(home: Path, *, papers: int, trials: int) -> None:
    """A whole home of a size: a paper in 25 passes, one in 60 breaks; agents differ in how good they are."""
    stops = [(rule, code) for rule, codes in CODES.items() for code in codes] + [("0", "article_type:news")] * 8
    names = []
    for number in range(papers):
        if number % 25 == 0:
            name = f"task-{number:05}"
            names.append(name)
            add_package(home, name, title=f"Task {number}", domain=DOMAINS[number % 4])
            add_admission(home, name, ("admit", "admit", "repair")[number % 3])
            add_paper(home, number, until="build", package=name)
        elif number % 60 == 7:
            paper = add_paper(home, number, until="fetch")
            add_error(home, paper, "read", "InfrastructureError", "the disk is full")
        else:
            rule, code = stops[(number * 7919) % len(stops)]
            add_paper(home, number, stopped=rule, code=code)
    random_ = random.Random(papers)
    for number in range(trials if names else 0):
        agent, package = AGENTS[number % 5], names[(number // 5) % len(names)]
        skill = (number % 5 - 3) * 0.15
        gaps = tuple(round(random_.gauss(skill, 0.3), 4) for _ in range(1 + number % 6))
        add_trial(
            home, package, agent, number // (5 * len(names)), gaps, cost=0.4 * (number % 5), domain=DOMAINS[number % 4],
            status=("agent_error", *["succeeded"] * 20)[number % 21], verdict=("invalid", *["valid"] * 12)[number % 13],
        )  # fmt: skip
