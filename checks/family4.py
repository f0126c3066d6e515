"""Family 4: a baseline is made, run and scored, in a sandbox. What a package says of itself, done.

The idea: nobody who reads a README can tell whether its data, its section 5 and its evaluator fit; a solver that solves
nothing can. Each check looks at one step of the same runs (:mod:`checks.dynamic.runs`), which are made once.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from typing import Any

from checks.dynamic.runs import Runs, Scored, runs_of
from checks.facts import MetricFact, entry_blocks, evaluator_metrics, metadata_metrics, output_section, readme_instances
from checks.model import Finding
from checks.package import EVALUATOR, METADATA, README, CheckedPackage
from checks.registry import Skip, check
from nature_gym.baseline.solver import NO_ANSWER
from nature_gym.errors import NatureGymError
from nature_gym.scoring.gap import anchor_value

MEANT = re.compile(r"^(.{1,200}?): (open|data): (.*)$", re.MULTILINE)


# -- the baseline ----------------------------------------------------------------------------


@check("C4.1", reads=(README,))
def baseline_can_be_made(package: CheckedPackage) -> Iterator[Finding]:
    """A baseline solver can be made from section 5 of README.md and the data alone.

    Whoever solves the task has nothing else. The solver writes the mean, the commonest value, or values drawn from
    what the data show, in the files, shapes, columns and ids that section 5 asks for.

    Passes: "predictions.csv" with its columns, and a file of the data that has the ids.
    Fails: no file, no shape, no columns; ids that stand in no file of the data; limits that no value meets.
    Mend: say in section 5 what is missing, and which file of the data the ids or the order come from.
    """
    runs = runs_of(package)
    section = output_section(package.document(README))
    line = section.start if section else 1
    if not runs.asked:
        yield Finding(
            file=README, line=line, message="section 5 names no file to write", hint="Name each, with its format."
        )
        return
    if not runs.instances:
        yield Finding(file=README, line=line, message="no instance is known", hint="Fill INSTANCES in section 6.")
        return
    told = set()
    for ran in runs.solved.runs.values():
        for instance, kind, reason in MEANT.findall(ran.said):
            if kind == "open" and reason not in told and ran.code == NO_ANSWER:
                told.add(reason)
                asked = next((one for one in runs.asked if one.file in reason), runs.asked[0])
                message = f"instance {instance!r}: {reason}"
                yield Finding(
                    file=README, line=asked.line, text=asked.file, message=message, hint="Say it in section 5."
                )


@check("C4.2", reads=(README,))
def baseline_runs(package: CheckedPackage) -> Iterator[Finding]:
    """The baseline runs on all instances, in a sandbox with the data read-only.

    Passes: it ends by itself and has written each file.
    Fails: an instance of the README has no data; a file that the answer needs cannot be read; it takes too long.
    Mend: add the data, or write the file anew; see what the message says of it.
    """
    runs = _asked(package)
    told = set()
    names, start = readme_instances(package)
    places = {one.name: (one.line, one.column) for one in names}
    for strategy, ran in runs.solved.runs.items():
        for instance, kind, reason in MEANT.findall(ran.said):
            if kind == "data" and reason not in told:
                told.add(reason)
                line, column = places.get(instance, (max(start, 1), 1))
                yield Finding(
                    file=README, line=line, column=column, text=instance, message=f"instance {instance!r}: {reason}",
                    hint="Add the file, or write it anew.",
                )  # fmt: skip
        if ran.code not in (0, NO_ANSWER):
            how = "did not end in time" if ran.code is None else f"ended with {ran.code}"
            message = f"the {strategy} baseline {how}: {ran.said.strip()[-200:]}"
            yield Finding(file=README, line=runs.asked[0].line, message=message, hint="Look at the data that it names.")


@check("C4.3", reads=(README,))
def baseline_files(package: CheckedPackage) -> Iterator[Finding]:
    """The files that the baseline wrote are as section 5 says, and as long as the data that they answer.

    Passes: 133 rows in the table of section 5, and 133 ids in test.csv.
    Fails: section 5 says 133 rows, and test.csv has 130; an order of a file that has another length.
    Mend: correct section 5, or the data.
    """
    runs = _answered(package)
    for instance, file, line, message in runs.solved.odd:
        yield Finding(
            file=README, line=line, text=file, message=f"instance {instance!r}: {file} {message}",
            hint="Make section 5 and the data agree.",
        )  # fmt: skip


@check("C4.7", reads=(README,))
def entry_point_fits(package: CheckedPackage) -> Iterator[Finding]:
    """The entry point that section 6 gives can be filled in: run.py, main, INSTANCES, DATA_DIR, OUTPUT_DIR.

    The baseline is such a program. The template is run as it stands, too: it need not end well, but it finds its data.

    Passes: a template that names DATA_DIR and OUTPUT_DIR, and calls main().
    Fails: no main; no DATA_DIR; a template that opens a file that problem/data has not.
    Warns: run.py is not named; main() is called by nobody.
    Mend: write the template as a program that lacks only the solution.
    """
    document = package.document(README)
    section = document.section(r"submission|^6\.\s")
    blocks = [(block, tree) for block, tree in entry_blocks(document) if section is None or section.holds(block.line)]
    found = next(((block, tree) for block, tree in blocks if "INSTANCES" in block.text), blocks[0] if blocks else None)
    if section is None or found is None:
        raise Skip("section 6 has no template (C3.3, C3.5)")
    block, tree = found
    text = "\n".join(document.within(section))
    for name, pattern in (("DATA_DIR", "data_?dir"), ("OUTPUT_DIR", "output_?dir"), ("INSTANCES", "INSTANCES")):
        if not re.search(pattern, block.text, re.IGNORECASE):
            message = f"the template has no {name}"
            yield Finding(
                file=README, line=block.line, text=name, message=message, hint=f"Take {name} from the environment."
            )
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    if "main" not in names:
        yield Finding(
            file=README, line=block.line, text="main", message="the template has no main()", hint="Define it."
        )
    elif not re.search(r"^\s*(?:sys\.exit\()?main\(", re.sub(r"def main\(", "", block.text), re.MULTILINE):
        message = "main() is called by nobody"
        yield Finding(
            file=README, line=block.line, text="main", message=message, hint="Call it at the end.", level="warn"
        )
    if "run.py" not in text:
        message = "section 6 does not name run.py"
        yield Finding(file=README, line=section.start, text="run.py", message=message, hint="Name it.", level="warn")
    yield from _template(package, block.text, block.line)


def _template(package: CheckedPackage, text: str, first: int) -> Iterator[Finding]:
    """What the template, run as it stands, does not find."""
    ran = runs_of(package).template(text)
    match = re.search(r"(?:FileNotFoundError|NotADirectoryError|KeyError|NameError|SyntaxError): (.*)\s*$", ran.said)
    if ran.code in (0, None) or not match:
        return
    lines = re.findall(r'template\.py", line (\d+)', ran.said)
    line = first + int(lines[-1]) - 1 if lines else first
    missing = re.search(r"FileNotFoundError|NotADirectoryError", ran.said) and "/task/problem/data" in match[1]
    unset = re.search(r"KeyError: '(\w*_DIR)'", ran.said)
    if missing:
        name = match[1].rpartition("/task/problem/data/")[2].strip("'\" ")
        message = f"the template opens {name}, which problem/data has not"
        yield Finding(file=README, line=line, text=name, message=message, hint="Correct the path, or add the file.")
    elif unset and unset[1] not in ("DATA_DIR", "OUTPUT_DIR"):
        message = f"the template needs {unset[1]}, which nobody sets"
        yield Finding(file=README, line=line, text=unset[1], message=message, hint="Use DATA_DIR and OUTPUT_DIR.")


def _asked(package: CheckedPackage) -> Runs:
    """The runs, once there is something to write. Raises Skip."""
    runs = runs_of(package)
    if not runs.asked or not runs.instances:
        raise Skip("no baseline can be made (C4.1)")
    return runs


def _answered(package: CheckedPackage) -> Runs:
    """The runs, once the baseline has run. Raises Skip."""
    runs = _asked(package)
    codes = [ran.code for ran in runs.solved.runs.values()]
    if all(code != 0 for code in codes):
        raise Skip("no baseline could be made (C4.1)" if NO_ANSWER in codes else "the baseline did not run (C4.2)")
    return runs


# -- the evaluator ---------------------------------------------------------------------------

FAULTS = {
    "crash": "ends with an error",
    "exit": "ends the program",
    "timeout": "takes too long",
    "memory": "takes too much memory",
    "killed": "is killed",
    "no_result": "gives no result",
}


@check("C4.4", reads=(README, EVALUATOR))
def evaluator_runs(package: CheckedPackage) -> Iterator[Finding]:
    """The evaluator runs on the baseline's answers, by itself, without network, in bounded time and memory.

    It sees what it sees when it scores an agent: its own folder, read-only, and the answer in OUTPUT_DIR. Where it
    imports what the sandbox has not, this is skipped; whether the environment has it is C0.5.

    Passes: run_evaluation() returns a mapping, or the script writes score.json.
    Fails: an error, exit(), no result; a file beside the evaluator that is not there, or that it tries to write.
    Mend: see the line and the message; what an answer does wrong is told in its result, not raised.
    """
    runs = _answered(package)
    told = set()
    for strategy, scored in _here(runs).items():
        if scored.fault and scored.detail not in told:
            told.add(scored.detail)
            message = f"on the {strategy} baseline it {FAULTS.get(scored.fault, scored.fault)}: {scored.detail[-180:]}"
            yield Finding(
                file=EVALUATOR, line=scored.line, text=scored.output[-120:].strip(), message=message,
                hint="Refuse an answer by its result, and let nothing else go wrong.",
            )  # fmt: skip


def _here(runs: Runs) -> dict[str, Scored]:
    """What the evaluator made of the baseline. Raises Skip where it needs what the sandbox has not."""
    lacking = sorted({one.module for one in runs.scored.values() if one.fault == "import"})
    if lacking:
        raise Skip(f"the evaluator imports {', '.join(lacking)}, which this sandbox has not")
    return {name: one for name, one in runs.scored.items() if runs.solved.runs[name].code == 0}


def _results(package: CheckedPackage) -> tuple[Runs, dict[str, Scored]]:
    """What the evaluator gave. Raises Skip where it gave nothing."""
    runs = _answered(package)
    found = {name: one for name, one in _here(runs).items() if not one.fault}
    if not found:
        raise Skip("the evaluator gave no result (C4.4)")
    return runs, found


def _wanted(package: CheckedPackage) -> list[MetricFact]:
    facts = metadata_metrics(package)
    if not facts:
        raise Skip(f"{METADATA} names no metrics (C0.3)")
    return facts


@check("C4.5", reads=(README, EVALUATOR, METADATA))
def result_is_whole(package: CheckedPackage) -> Iterator[Finding]:
    """The result has every instance with every metric of metadata.json, each a number, in valid JSON.

    A metric may be without a value for one of the baselines (a correlation with a constant is none), not for all.

    Passes: {"a": {"RMSE": 1.2}}.
    Fails: an instance or a metric is missing; NaN; text or a list in place of a number; the baseline is refused.
    Mend: see what the evaluator says of the answer; give null with an error only for an answer that is not in order.
    """
    runs, results = _results(package)
    _, line = evaluator_metrics(package)
    facts = _wanted(package)
    told = set()
    for fact in facts:
        values = {name: one.value(fact.instance, fact.name) for name, one in results.items()}
        if any(_number(one) is not None for one in values.values()):
            continue
        message = _unscored(fact, results, next(iter(values.values())))
        if message not in told:
            told.add(message)
            yield Finding(
                file=EVALUATOR, line=line, text=fact.name, message=message,
                hint="Give a finite number for an answer that is as section 5 says.",
            )  # fmt: skip
    known = {fact.instance for fact in facts}
    for name, scored in results.items():
        for instance, own in scored.result.items() if isinstance(scored.result, dict) else ():
            if isinstance(own, dict) and instance not in known and instance in runs.instances:
                message = f"the {name} result has {instance!r}, which {METADATA} has not"
                yield Finding(file=EVALUATOR, line=line, text=instance, message=message, hint="Name it in both.")


def _unscored(fact: MetricFact, results: dict[str, Scored], value: Any) -> str:
    """Why a metric has no value."""
    owns = [one.result.get(fact.instance) for one in results.values() if isinstance(one.result, dict)]
    if not any(isinstance(own, dict) for own in owns):
        return f"the result has no instance {fact.instance!r}"
    error = next((one.error(fact.instance) for one in results.values() if one.error(fact.instance)), "")
    if error:
        return f"{fact.instance!r}: a right answer is refused: {error}"
    if not any(isinstance(own, dict) and fact.name in own for own in owns):
        return f"the result of {fact.instance!r} has no metric {fact.name!r}"
    return f"{fact.instance!r}: {fact.name} is {value!r}, no finite number"


def _number(value: Any) -> float | None:
    """A finite number, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


@check("C4.6", reads=(README, EVALUATOR, METADATA))
def scores_are_plausible(package: CheckedPackage) -> Iterator[Finding]:
    """The baseline's scores are within the metric's range, not perfect, and not better than the paper's.

    A solver that solves nothing does badly. One that does well says that answers can be seen, that the evaluator
    measures something else, or that the anchor is of another scale.

    Passes: R2 of -0.02 where the paper has 0.5.
    Warns: an accuracy of 1.7; a perfect score; a score beyond the anchor.
    Mend: compare the metric's code, its unit and the anchor in metadata.json with the paper.
    """
    _, results = _results(package)
    _, line = evaluator_metrics(package)
    for fact in _wanted(package):
        values = [(name, _number(one.value(fact.instance, fact.name))) for name, one in results.items()]
        for strategy, value in values:
            odd = _implausible(fact, value) if value is not None else ""
            if odd:
                message = f"{fact.instance!r}: the {strategy} baseline's {fact.name} of {value:g} {odd}"
                yield Finding(
                    file=EVALUATOR, line=line, text=fact.name, message=message, level="warn",
                    hint="Look at data, metric and anchor.",
                )  # fmt: skip
                break


def _implausible(fact: MetricFact, value: float) -> str:
    """What is odd about a baseline's score; '' where nothing is."""
    try:
        anchor = anchor_value(fact.entry.get("sota_score"), fact.direction)
    except NatureGymError:
        anchor = None
    low, high = _range(fact, anchor)
    if not low <= value <= high:
        return f"is not from {low:g} to {high:g}"
    higher = fact.direction == "higher_is_better"
    if (higher and math.isfinite(high) and value >= high) or (not higher and value == max(low, 0.0) == 0.0):
        return "is perfect"
    if anchor is not None and (value > anchor if higher else value < anchor):
        return f"is better than the paper's {anchor:g}"
    return ""


def _range(fact: MetricFact, anchor: float | None) -> tuple[float, float]:
    """The range of a metric that the registry knows, in its unit; no limits where the anchor is of another one."""
    from nature_gym.metrics.registry import find

    try:
        metric = find(fact.name)
    except NatureGymError:
        return -math.inf, math.inf
    scale = 100.0 if fact.entry.get("unit") == "%" else 1.0
    if anchor is None or not metric.low * scale <= anchor <= metric.high * scale:
        return -math.inf, math.inf
    return metric.low * scale, metric.high * scale


# -- the truth, and what is no answer --------------------------------------------------------

PERFECT, PER_CENT, NO_ERROR = 0.99, 99.0, 1e-6
CLEARLY = 0.1
"""How much better than the baseline a right answer is, as a share of the baseline's score, where nothing is perfect."""


@check("C4.8", reads=(README, EVALUATOR, METADATA))
def truth_scores_perfectly(package: CheckedPackage) -> Iterator[Finding]:
    """The ground truth handed in as the answer scores perfectly.

    At least 0.99 (99 per cent), an error of at most 1e-6; a metric without a best value clearly better than the
    baseline. How references become an answer is told by names and shapes; where it is not, and for oracles, which
    compare with nothing, this is skipped.

    Passes: RMSE 0 and accuracy 1 for the labels themselves.
    Fails: the evaluator reads the reference in another order or scale than section 5 says, or refuses it.
    Mend: hand in one row of the truth, and follow it through the evaluator.
    """
    runs, results = _results(package)
    facts = _wanted(package)
    oracles = _oracles(package)
    names = [
        one for one in dict.fromkeys(fact.instance for fact in facts) if one in runs.instances and one not in oracles
    ]
    if not names:
        raise Skip("an oracle scores the answers: there is no truth to hand in")
    truths = runs.truths(names)
    _, line = evaluator_metrics(package)
    unclear = dict(truths.not_told)
    for instance in names:
        if instance in unclear:
            continue
        own = [fact for fact in facts if fact.instance == instance]
        certain = any(facts_of.get(instance, {}).get("certain") for facts_of in truths.facts.values())
        answers = [(truths.scored[name], of[instance]["exact"]) for name, of in truths.facts.items() if instance in of]
        misses = [
            list(dict.fromkeys(filter(None, (_missed(fact, one, results, exact) for fact in own))))
            for one, exact in answers
        ]
        best = min(misses, key=len, default=["no answer could be made of it"])
        if best and not certain:
            unclear[instance] = f"how the ground truth becomes an answer is not told: {best[0]}"
        for message in best if certain else ():
            yield Finding(
                file=EVALUATOR, line=line, text=instance, message=f"{instance!r}: the truth as the answer: {message}",
                hint="Follow one row of the truth through the evaluator.",
            )  # fmt: skip
    if unclear:
        instance, reason = next(iter(unclear.items()))
        if _scorer_beside(package) and instance in truths.not_told:
            reason = "a scorer of its own scores the answers, and the ground truth is no answer"
        raise Skip(f"{instance!r}: {reason}")


def _oracles(package: CheckedPackage) -> set[str]:
    """The instances that task.yaml says an oracle scores."""
    import yaml

    try:
        task = yaml.safe_load(package.text("task.yaml").content)
    except (yaml.YAMLError, RecursionError, ValueError):
        return set()
    listed = task.get("instances") if isinstance(task, dict) else None
    found = set()
    for one in listed if isinstance(listed, list) else ():
        reference = one.get("reference") if isinstance(one, dict) else None
        if isinstance(reference, dict) and reference.get("kind") == "oracle":
            found.add(str(one.get("name")))
    return found


def _scorer_beside(package: CheckedPackage) -> bool:
    return any(name.endswith(".py") and name != EVALUATOR for name in package.below("evaluation"))


def _missed(fact: MetricFact, truth: Scored, baselines: dict[str, Scored], exact: bool) -> str:
    """What is wrong with the truth's score; '' where it is perfect, or clearly better than the baselines'.

    The latter is enough of an answer that is not ``exact``, and of a metric of which no best value is known.
    """
    value = _number(truth.value(fact.instance, fact.name))
    numbers = [_number(one.value(fact.instance, fact.name)) for one in baselines.values()]
    known = [one for one in numbers if one is not None]
    if value is None and not known:
        return ""  # told by C4.5
    if value is None:
        return truth.error(fact.instance) or truth.detail or f"{fact.name} has no value"
    higher = fact.direction == "higher_is_better"
    perfect = value >= PERFECT and (value <= 1.0 + PERFECT or value >= PER_CENT) if higher else value <= NO_ERROR
    if perfect or not known:
        return ""
    other = max(known) if higher else min(known)
    ahead = value - other if higher else other - value
    if ahead > CLEARLY * max(abs(other), NO_ERROR) and not (exact and _has_best(fact)):
        return ""
    return f"{fact.name} is {value:g}, and the baseline's {other:g}"


def _has_best(fact: MetricFact) -> bool:
    """Whether the registry knows a perfect value of the metric, which a truth then has to reach."""
    from nature_gym.metrics.registry import find

    try:
        return find(fact.name).perfect is not None
    except NatureGymError:
        return False


@check("C4.9", reads=(README, EVALUATOR, METADATA))
def malformed_answers_are_refused(package: CheckedPackage) -> Iterator[Finding]:
    """Six malformed answers never get a number: missing, empty, wrong format, NaN and Inf, wrong count, misaligned ids.

    Each is the baseline's answer, spoiled in one way, for all instances; a way that the format does not have is left
    out. The result has null and an error for such an instance.

    Passes: {"RMSE": null, "error": "predictions.csv lacks 3 ids"}.
    Fails: an RMSE for half of the rows, for ids that were joined away, for NaN that was dropped.
    Warns: the evaluator crashes, which leaves the other instances without a score; NaN as a score.
    Mend: validate existence, format, count, ids and finiteness before anything is computed.
    """
    runs, results = _results(package)
    facts = _wanted(package)
    scored = {
        name: [one for one in dict.fromkeys(fact.instance for fact in facts) if _has_score(facts, one, result)]
        for name, result in results.items()
    }
    right = max(scored, key=lambda name: len(scored[name]))
    if not scored[right]:
        raise Skip("no answer was scored that could be spoiled (C4.5)")
    line = next((one.line for one in package.followed.readings if one.place.startswith("output/")), 1)
    told = set()
    for one in runs.malformed(scored[right], right):
        for instance, file in one.spoiled.items():
            values = {fact.name: one.scored.value(instance, fact.name) for fact in facts if fact.instance == instance}
            numbers = {name: value for name, value in values.items() if _number(value) is not None}
            if one.scored.fault and (one.kind, "crash") not in told:
                told.add((one.kind, "crash"))
                how = FAULTS.get(one.scored.fault, one.scored.fault)
                message = f"{file} ({one.kind}): it {how}: {one.scored.detail[-150:]}"
                hint = "Give null and an error for this instance, and score the others."
                yield Finding(
                    file=EVALUATOR, line=one.scored.line, text=one.kind, message=message, hint=hint, level="warn"
                )
            elif numbers and (one.kind, file) not in told:
                told.add((one.kind, file))
                name, value = next(iter(numbers.items()))
                message = f"{instance!r}: {file} ({one.kind}) gets {name} = {value:g}"
                yield Finding(
                    file=EVALUATOR, line=line, text=one.kind, message=message, hint=f"Refuse an answer with {one.kind}."
                )
            elif any(isinstance(value, float) for value in values.values()) and (one.kind, "nan") not in told:
                told.add((one.kind, "nan"))
                message = f"{instance!r}: {file} ({one.kind}) gets NaN, which JSON has not"
                yield Finding(
                    file=EVALUATOR, line=line, text=one.kind, message=message, hint="Give null.", level="warn"
                )


def _has_score(facts: list[MetricFact], instance: str, result: Scored) -> bool:
    return any(_number(result.value(instance, fact.name)) is not None for fact in facts if fact.instance == instance)
