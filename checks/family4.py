"""C4.1 to C4.3 and C4.7: a baseline is made and run, in a sandbox. What a README says of its task, done.

The idea: nobody who reads a README can tell whether its data, its section 5 and its evaluator fit; a solver that solves
nothing can. Each check looks at one step of the same runs (:mod:`checks.dynamic.runs`), which are made once; what the
evaluator makes of them is for :mod:`checks.dynamic.scores` and :mod:`checks.dynamic.handed_in`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from checks.dynamic.runs import Runs, runs_of
from checks.facts import entry_blocks, output_section, readme_instances
from checks.model import Finding
from checks.package import README, CheckedPackage
from checks.registry import Skip, check
from nature_gym.baseline.solver import NO_ANSWER

MEANT = re.compile(r"^(.{1,200}?): (open|data|limit|guess): (.*)$", re.MULTILINE)
FOLDER_WORDS = {"os", "Path", "pathlib", "PurePath", "str", "join", "__file__", "abspath", "dirname"}
"""Names that stand in a path that does not depend on anything."""


# -- the baseline ----------------------------------------------------------------------------


@check("C4.1", reads=(README,))
def baseline_can_be_made(package: CheckedPackage) -> Iterator[Finding]:
    """A baseline solver can be made from section 5 of README.md and the data alone.

    Whoever solves the task has nothing else. The solver writes the mean, the commonest value, or values drawn from
    what the data show, in the files, shapes, columns and ids that section 5 asks for. What section 5 says in words that
    are not understood here, and formats that are not written here, are limits of this check, which is skipped then.

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
    if runs.solved.hindered:
        raise Skip(runs.solved.hindered)
    told = set()
    limits: dict[str, str] = {}
    for ran in runs.solved.runs.values():
        for instance, kind, reason in MEANT.findall(ran.said):
            if kind == "limit":
                limits.setdefault(instance, reason)
            if kind == "open" and reason not in told and ran.code == NO_ANSWER:
                told.add(reason)
                asked = next((one for one in runs.asked if one.file in reason), runs.asked[0])
                message = f"instance {instance!r}: {reason}"
                yield Finding(
                    file=README, line=asked.line, text=asked.file, message=message, hint="Say it in section 5."
                )
    if limits and not told:
        instance, reason = next(iter(limits.items()))
        raise Skip(f"{instance!r}: {reason}: a limit of this check")


@check("C4.2", reads=(README,))
def baseline_runs(package: CheckedPackage) -> Iterator[Finding]:
    """The baseline runs on all instances, in a sandbox with the data read-only.

    Where the sandbox lacks what the answer's format needs, this is skipped.

    Passes: it ends by itself and has written each file.
    Fails: an instance of the README has no data; a file that the answer needs cannot be read; it takes too long.
    Mend: add the data, or write the file anew; see what the message says of it.
    """
    runs = _asked(package)
    if runs.solved.hindered:
        raise Skip(runs.solved.hindered)
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
    runs = answered(package)
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
    Fails: no main; no DATA_DIR; OUTPUT_DIR = "/results"; a template that opens a file that problem/data has not.
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
    yield from _fixed(tree, block.line)
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


def _fixed(tree: ast.Module, first: int) -> Iterator[Finding]:
    """DATA_DIR and OUTPUT_DIR that are always the same, wherever the data lie."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            name = target.id if isinstance(target, ast.Name) else ""
            if not re.fullmatch(r"data_?dir|output_?dir", name, re.IGNORECASE) or node.value is None:
                continue
            inside = list(ast.walk(node.value))
            known = {one.id for one in inside if isinstance(one, ast.Name)} <= FOLDER_WORDS
            looks = any(isinstance(one, ast.Attribute) and one.attr in ("environ", "getenv") for one in inside)
            if known and not looks and any(isinstance(one, ast.Constant) for one in inside):
                yield Finding(
                    file=README, line=first + node.lineno - 1, text=ast.unparse(node.value)[:80],
                    message=f"the template has a folder of its own for {name}",
                    hint=f'{name} = os.environ["{name.upper()}"]; what stands there now may be its default.',
                )  # fmt: skip


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


def guessed(runs: Runs) -> dict[str, str]:
    """Columns and keys by instance whose texts the baseline could but guess."""
    return {
        instance: reason
        for ran in runs.solved.runs.values()
        for instance, kind, reason in MEANT.findall(ran.said)
        if kind == "guess"
    }


def _asked(package: CheckedPackage) -> Runs:
    """The runs, once there is something to write. Raises Skip."""
    runs = runs_of(package)
    if not runs.asked or not runs.instances:
        raise Skip("no baseline can be made (C4.1)")
    return runs


def answered(package: CheckedPackage) -> Runs:
    """The runs, once the baseline has run. Raises Skip."""
    runs = _asked(package)
    if runs.solved.hindered:
        raise Skip(runs.solved.hindered)
    codes = [ran.code for ran in runs.solved.runs.values()]
    if all(code != 0 for code in codes):
        raise Skip("no baseline could be made (C4.1)" if NO_ANSWER in codes else "the baseline did not run (C4.2)")
    return runs
