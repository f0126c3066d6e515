"""Runs a package's evaluator on several answers, each in a process of its own that starts with its imports loaded.

The idea: importing numpy and its like takes longer than most evaluators do. So they are imported once, and each answer
gets a fork; the evaluator itself is executed anew in each. Evaluators that bring no ``run_evaluation`` run as scripts.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import io
import json
import math
import numbers
import os
import re
import runpy
import select
import signal
import subprocess
import sys
import time
import traceback
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Told = dict[str, Any]
OUTPUT_WORDS = re.compile(r"out|pred|sub|answer|result_dir", re.IGNORECASE)
TRUTH_WORDS = re.compile(r"truth|gt|ref|label", re.IGNORECASE)
FILE_WORDS = re.compile(r"score|json|save|report|result", re.IGNORECASE)
OURS = ("run", "truth", "malforming", "scoring")
MOST_OUTPUT = 4000
MOST_TOLD = 4 << 20


def preload(evaluator: Path) -> None:
    """Import what the evaluator imports from elsewhere; what is not here is met again, and told, in each run."""
    beside = {path.stem for path in evaluator.parent.rglob("*.py")} | {path.name for path in evaluator.parent.iterdir()}
    try:
        tree = ast.parse(evaluator.read_bytes())
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        modules = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            modules = [node.module or ""]
        for module in modules:
            if module and module.partition(".")[0] not in beside:
                with contextlib.suppress(BaseException):
                    importlib.import_module(module)


def score(evaluator: Path, answer: Path, seconds: float, workspace: Path, *, alone: bool, script: bool = False) -> Told:
    """What the evaluator makes of an answer: ``result``, or ``fault`` and ``detail``; what it printed; its seconds.

    As a ``script`` it runs as its command line does, even where it brings ``run_evaluation``.
    """
    began = time.monotonic()
    folder = workspace / ("scripted" if script else "scored") / answer.name
    folder.mkdir(parents=True, exist_ok=True)
    heard, said = os.pipe()
    if alone:
        argv = [sys.executable, "-B", __file__, str(evaluator), str(answer), str(folder), str(said), str(int(script))]
        process = subprocess.Popen(argv, pass_fds=(said,), start_new_session=True)
        child = process.pid
    else:
        child = os.fork()
        if child == 0:
            os.close(heard)
            os.setsid()
            with contextlib.suppress(BaseException):
                answered(evaluator, answer, folder, said, script=script)
            os._exit(0)
    os.close(said)
    content, ended = received(heard, began + seconds)
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child, 0)
    told = understood(content, ended, seconds)
    with contextlib.suppress(OSError):
        told["output"] = (folder / "printed").read_bytes()[-MOST_OUTPUT:].decode("utf-8", "replace")
    told["seconds"] = round(time.monotonic() - began, 3)
    return told


def understood(content: bytes, ended: bool, seconds: float) -> Told:
    """What a process said through its pipe, or the fault that it did not."""
    if not ended:
        return {"fault": "timeout", "detail": f"it did not end within {seconds:g} s"}
    try:
        told: Told = json.loads(content)
    except ValueError:
        return {"fault": "killed", "detail": "its process ended without a word"}
    return told


def received(descriptor: int, until: float) -> tuple[bytes, bool]:
    """What comes through a pipe up to its end, and whether the end came in time."""
    content = b""
    while (left := until - time.monotonic()) > 0:
        if select.select([descriptor], [], [], left)[0]:
            piece = os.read(descriptor, 1 << 16)
            if not piece:
                os.close(descriptor)
                return content, True
            content = (content + piece)[: MOST_TOLD + 1]
    os.close(descriptor)
    return content, False


def answered(evaluator: Path, answer: Path, folder: Path, said: int, *, script: bool) -> None:
    """In the child: run the evaluator, and write what came to the pipe."""
    printed = os.open(folder / "printed", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), encoding="utf-8", line_buffering=True)
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding="utf-8", line_buffering=True)
    os.chdir(folder)
    os.environ["OUTPUT_DIR"] = str(answer)
    for name in OURS:  # an evaluator may have modules of these names
        sys.modules.pop(name, None)
    sys.path[:] = [one for one in sys.path if one != str(Path(__file__).resolve().parent)]
    told = faulted(evaluator, answer, folder, script=script)
    content = json.dumps(told, default=lambda value: f"<{type(value).__name__}>").encode()
    while content:
        content = content[os.write(said, content) :]


def faulted(evaluator: Path, answer: Path, folder: Path, *, script: bool) -> Told:
    """The result, or how it failed and at which line of the evaluator."""
    try:
        return {"result": plain(result_of(evaluator, answer, folder, script=script))}
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        beside = (
            list(evaluator.parent.rglob(f"{name}.py")) + list(evaluator.parent.rglob(name)) if name else [evaluator]
        )
        fault = "crash" if beside or name in sys.stdlib_module_names else "import"
        return {"fault": fault, "detail": str(error), "module": name, "line": line_of(error, evaluator)}
    except MemoryError as error:
        return {"fault": "memory", "detail": "MemoryError", "line": line_of(error, evaluator)}
    except SystemExit as ended:
        found = found_result(folder, answer) if not ended.code else None
        if isinstance(found, dict):
            return {"result": plain(found)}
        return {"fault": "exit", "detail": f"it called exit({ended.code!r})", "line": line_of(ended, evaluator)}
    except LookupError as error:
        kind = "no_result" if type(error) is LookupError else "crash"
        return {"fault": kind, "detail": last_line(error), "line": line_of(error, evaluator)}
    except BaseException as error:  # noqa: BLE001 -- whatever it is, it is the evaluator's
        return {"fault": "crash", "detail": last_line(error), "line": line_of(error, evaluator)}


def last_line(error: BaseException) -> str:
    """What a traceback ends with."""
    return "".join(traceback.format_exception_only(type(error), error)).strip()[-500:]


def line_of(error: BaseException, evaluator: Path) -> int:
    """The last line of the evaluator that an error came through."""
    lines = [
        one.lineno or 1
        for one in traceback.extract_tb(error.__traceback__)
        if Path(one.filename).name == evaluator.name
    ]
    return lines[-1] if lines else 1


def result_of(evaluator: Path, answer: Path, folder: Path, *, script: bool) -> Any:
    """What ``run_evaluation`` returns, else what it writes or prints as a script. LookupError for neither."""
    sys.path.insert(0, str(evaluator.parent))
    source = evaluator.read_text(encoding="utf-8-sig", errors="replace")
    sys.argv = [str(evaluator), *arguments(source, answer, folder, evaluator.parent / "ground_truth")]
    if not script and re.search(r"^(?:async )?def run_evaluation\b", source, re.MULTILINE):
        module = types.ModuleType("evaluator")
        module.__file__ = str(evaluator)
        sys.modules["evaluator"] = module
        exec(compile(source, str(evaluator), "exec"), module.__dict__)  # noqa: S102 -- what this box is for
        result = module.run_evaluation(*called_with(module.run_evaluation, answer, evaluator.parent / "ground_truth"))
        if isinstance(result, dict):
            return result
    else:
        runpy.run_path(str(evaluator), run_name="__main__")
    found = found_result(folder, answer)
    if found is None:
        raise LookupError("it returned no mapping, wrote no score.json and printed no JSON object")
    return found


def called_with(function: Any, answer: Path, truth: Path) -> list[str | Path]:
    """Arguments for parameters without a default: the answer's folder, and the references' where one is meant."""
    given: list[str | Path] = []
    for one in inspect.signature(function).parameters.values():
        if one.default is inspect.Parameter.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD):
            place = truth if TRUTH_WORDS.search(one.name) and not OUTPUT_WORDS.search(one.name) else answer
            given.append(place if "Path" in str(one.annotation) else str(place))
    return given


def arguments(source: str, answer: Path, folder: Path, truth: Path) -> list[str]:
    """A command line for the options that the source asks for."""
    argv: list[str] = []
    for call in re.finditer(r"add_argument\(\s*[\"']([\w-]+)[\"'](?:\s*,\s*[\"'](--[\w-]+)[\"'])?([^)]*)", source):
        name = call[2] or call[1]
        has_own = "default" in call[3] and (not OUTPUT_WORDS.search(name) or ".json" in call[3])
        if "action" in call[3] or has_own:
            continue
        if re.search(r"file|json|save|score", name, re.IGNORECASE):
            value = str(folder / "score.json")
        else:
            value = str(truth if TRUTH_WORDS.search(name) and not OUTPUT_WORDS.search(name) else answer)
        argv += [name, value] if name.startswith("-") else [value]
    return argv


def found_result(folder: Path, answer: Path) -> Any:
    """The object in a score file that was written, or the last one that was printed; None where there is none."""
    for place in (folder / "score.json", folder / "scores.json", folder / "results.json", answer / "score.json"):
        with contextlib.suppress(OSError, ValueError):
            return json.loads(place.read_text(encoding="utf-8"))
    sys.stdout.flush()
    text = (folder / "printed").read_text(encoding="utf-8", errors="replace")
    for match in reversed(list(re.finditer(r"^\{", text, re.MULTILINE))[-50:]):
        with contextlib.suppress(ValueError):
            value = json.JSONDecoder().raw_decode(text[match.start() :])[0]
            if isinstance(value, dict):
                return value
    return None


def plain(value: Any) -> Any:
    """A result as JSON has it; numbers of numpy as numbers, NaN as it is."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return f"<{type(value).__name__}>"


def is_number(value: Any) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def score_all(
    evaluator: Path, answers: list[Path], seconds: float, workspace: Path, *, script: bool = False
) -> Iterator[tuple[str, Told]]:
    """Each answer's name with what came of it."""
    sys.dont_write_bytecode = True
    preload(evaluator)
    threads = len(list(Path("/proc/self/task").iterdir()))
    for answer in answers:
        yield answer.name, score(evaluator, answer, seconds, workspace, alone=threads > 1, script=script)


if __name__ == "__main__":
    answered(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), script=sys.argv[5] == "1")
