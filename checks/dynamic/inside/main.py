"""What runs in a box: reads the job, does its work, and writes a report as JSON.

    python -I main.py solve|template|score|truth|malformed|again

The job lies beside it; what is written goes to /workspace.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROGRAMS = Path(__file__).resolve().parent
WORKSPACE = Path("/workspace")
DATA = Path("/task/problem/data")
EVALUATOR = Path("/evaluation/evaluator.py")
MOST_TEXT = 4000

Report = dict[str, Any]


def run_script(script: Path, output: Path, seconds: float, **given: str) -> Report:
    """Run a solver: its exit status (None where it took too long) and the end of what it said."""
    environment = {
        **os.environ,
        "DATA_DIR": str(DATA),
        "OUTPUT_DIR": str(output),
        "PYTHONDONTWRITEBYTECODE": "1",
        **given,
    }
    output.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(
            [sys.executable, str(script)],
            env=environment,
            cwd=WORKSPACE,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"code": None, "stderr": "", "stdout": ""}
    texts = {"stderr": done.stderr, "stdout": done.stdout}
    return {
        "code": done.returncode,
        **{name: text[-MOST_TEXT:].decode("utf-8", "replace") for name, text in texts.items()},
    }


def solve(job: Report) -> Report:
    """The baseline in each strategy, and what its files are like beside what is asked for."""
    report: Report = {"runs": {}, "odd": []}
    for strategy in job["strategies"]:
        output = WORKSPACE / "answers" / strategy
        report["runs"][strategy] = run_script(PROGRAMS / "run.py", output, job["seconds"], STRATEGY=strategy)
    import run as baseline  # type: ignore[import-not-found]

    for instance, own in files_of(baseline).items():
        for file, form in own:
            path = WORKSPACE / "answers" / job["strategies"][0] / instance / file
            odd = odd_in(baseline, path, form, instance)
            if odd:
                report["odd"].append({"instance": instance, "file": file, "line": form["line"], "message": odd})
    return report


def odd_in(baseline: Any, path: Path, form: Report, instance: str) -> str:
    """What of a file is not as section 5 says, '' where it is."""
    if not path.is_file():
        return "was not written"
    if not path.stat().st_size:
        return "is empty"
    columns = baseline.read(path)
    if form["format"] == "npy":
        array = columns[""]
        fits = len(array.shape) == len(form["shape"] or array.shape) and all(
            isinstance(one, str) or one == length
            for one, length in zip(form["shape"] or array.shape, array.shape, strict=True)
        )
        if not fits or (form["dtype"] and array.dtype.name != form["dtype"]):
            return f"is {array.dtype.name} of shape {array.shape}"
    if form["format"] in ("csv", "tsv") and list(columns) != [one["name"] for one in form["columns"]]:
        return f"has the columns {', '.join(columns)}"
    count = max((len(one) for one in columns.values() if hasattr(one, "__len__")), default=0)
    if form["format"] in ("csv", "tsv") and form["rows"] is not None and count != form["rows"] and not form["free"]:
        return f"has {count} rows by the ids of the data, and section 5 says {form['rows']}"
    if form["format"] in ("npy", "npz") and form["follows"]:
        return followed(baseline, form, instance, count)
    return ""


def followed(baseline: Any, form: Report, instance: str, count: int) -> str:
    """Whether a count that is said is that of the file whose order is followed."""
    data = baseline.Data(DATA / instance)
    for name in data.paths:
        if name in form["follows"] or name.rpartition("/")[2] in form["follows"]:
            lengths = {len(one) for one in data.columns(name).values() if getattr(one, "ndim", 1)}
            if lengths and count not in lengths:
                return f"has {count} entries as section 5 says, and {name}, whose order it follows, has {max(lengths)}"
    return ""


def files_of(baseline: Any) -> dict[str, list[tuple[str, Report]]]:
    """The files of each instance with their forms, as far as the data tell them."""
    found: dict[str, list[tuple[str, Report]]] = {}
    for instance in baseline.INSTANCES:
        found[instance] = []
        for form in baseline.FORMS:
            try:
                data = baseline.Data(DATA / instance)
                found[instance] += [(name, form) for name in baseline.files_of(form, instance, data)]
            except baseline.NoAnswerError:
                continue
    return found


def template(job: Report) -> Report:
    """The template of the README, as it stands."""
    return run_script(PROGRAMS / "template.py", WORKSPACE / "template", job["seconds"])


def scored(answers: list[Path], job: Report, *, script: bool = False) -> Report:
    """What the evaluator makes of each answer."""
    from scoring import score_all  # type: ignore[import-not-found]

    return dict(score_all(EVALUATOR, answers, job["seconds"], WORKSPACE, script=script))


def score(job: Report) -> Report:
    """The evaluator on the baseline's answers; by its command line as well, where it has both."""
    answers = [WORKSPACE / "answers" / one for one in job["strategies"]]
    found = scored(answers, job)
    well = [one for one in answers if "result" in found[one.name]]
    source = EVALUATOR.read_text(encoding="utf-8-sig", errors="replace")
    both = re.search(r"^(?:async )?def run_evaluation\b", source, re.MULTILINE) and "__main__" in source
    return {"scored": found, "scripted": scored(well[:1], job, script=True) if both else {}}


def truth(job: Report) -> Report:
    """The evaluator on answers made from the ground truth."""
    import run as baseline
    from truth import write_truths  # type: ignore[import-not-found]

    folder = WORKSPACE / "truth"
    files = {name: own for name, own in files_of(baseline).items() if name in job["instances"]}
    made = write_truths(
        files, lambda instance: baseline.Data(DATA / instance), EVALUATOR.parent / "ground_truth", folder
    )
    return {**made, "scored": scored([folder / name for name in made["answers"]], job)}


def again(job: Report) -> Report:
    """The evaluator several times on one right answer."""
    from again import again as runs  # type: ignore[import-not-found]

    return {"scored": runs(EVALUATOR, WORKSPACE / "answers" / job["right"], job["seconds"], WORKSPACE)}


def malformed(job: Report) -> Report:
    """The evaluator on answers that it has to refuse."""
    import run as baseline
    from malforming import spoiled  # type: ignore[import-not-found]

    files = {name: own for name, own in files_of(baseline).items() if name in job["instances"]}
    folder = WORKSPACE / "malformed"
    cases = {
        name: {"kind": kind, "files": done}
        for name, kind, done in spoiled(WORKSPACE / "answers" / job["right"], files, folder)
    }
    return {"cases": cases, "scored": scored([folder / name for name in cases], job)}


WORK: dict[str, Callable[[Report], Report]] = {
    "solve": solve, "template": template, "score": score, "truth": truth, "malformed": malformed,
    "again": again,
}  # fmt: skip


def main() -> None:
    """Do the job."""
    sys.path.insert(0, str(PROGRAMS))
    job = json.loads((PROGRAMS / "job.json").read_text(encoding="utf-8"))
    report = WORK[sys.argv[1]](job)
    content = re.sub(r"[\ud800-\udfff]", "?", json.dumps(report))
    (WORKSPACE / f"{sys.argv[1]}.json").write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
