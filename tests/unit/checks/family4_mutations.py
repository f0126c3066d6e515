"""Faults put into packages that run: which check of family 4 has to find each, in which file, at which line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.unit.checks.mutations import EVALUATOR, README, Mutation, add, drop, fact, readme, swap

Change = Callable[[dict[str, Any]], None]


def code(old: str, new: str) -> Change:
    return swap(EVALUATOR, old, new)


def returned(expression: str) -> Change:
    """The result, changed by an expression."""
    return code("    return results\n", f"    return {expression}\n")


def anchor(place: int, value: str) -> Change:
    return fact(
        lambda all_: all_["performance_entries"][0]["metrics"][place].update(
            sota_score=[{"value": value, "method": "m"}]
        )
    )


def both(*changes: Change) -> Change:
    def change(files: dict[str, Any]) -> None:
        for one in changes:
            one(files)

    return change


RUNNING_MUTATIONS = [
    # what is to be written is not told
    Mutation("C4.1", "table", readme("output/{instance}/predictions.csv", "answers"), README, "## 5."),
    Mutation(
        "C4.1", "keyed", add("problem/data/west/stations.json", '[{"height": 1}, {"height": 2}]'), README, "levels.json"
    ),
    Mutation("C4.1", "table", readme("from 0 to 10", "from 10 to 0"), README, "predictions.csv"),
    Mutation(
        "C4.1",
        "samples",
        readme("array of shape (50, 2), 50 independent states", "array of states"),
        README,
        "samples.npy",
    ),
    Mutation(
        "C4.1", "arrays", readme("- `field`: float64, shape (6, 4), from 0 to 9", "as usual"), README, "fields.npz"
    ),
    Mutation("C4.1", "keyed", readme('```json\n{"st-1": 0.5, "st-2": 1.5}\n```', ""), README, "levels.json"),
    # data that are not there
    Mutation("C4.2", "table", drop("problem/data/b"), README, "INSTANCES = ", also=("C4.5", "C4.7")),
    Mutation("C4.2", "table", readme("['a', 'b']", "['a', 'b', 'c']"), README, "INSTANCES = ", also=("C4.7",)),
    Mutation("C4.2", "keyed", add("problem/data/west/stations.json", "[{"), README, also=("C4.5",)),
    Mutation("C4.2", "keyed", add("problem/data/west/stations.json", b'[{"id": "\xff\xfe"}]'), README),
    Mutation("C4.2", "molecules", both(readme("5 lines, ", ""), drop("problem/data/set1")), README, also=("C4.7",)),
    # files and data disagree
    Mutation("C4.3", "table", readme("8 rows", "9 rows"), README, "predictions.csv"),
    Mutation("C4.3", "table", readme("8 rows", "80 rows"), README, "predictions.csv"),
    Mutation(
        "C4.3",
        "table",
        add("problem/data/b/test.csv", "sample_id\ns0\ns1\n"),
        README,
        "predictions.csv",
        also=("C4.5",),
    ),
    Mutation("C4.3", "arrays", readme("(6, 4)", "(7, 4)"), README, "fields.npz", also=("C4.5",)),
    Mutation("C4.3", "arrays", readme("(6, 4)", "(12, 4)"), README, "fields.npz", also=("C4.5",)),
    # the evaluator does not run
    Mutation("C4.4", "table", code("INSTANCES = [", "LIMIT = 1 / 0\nINSTANCES = ["), EVALUATOR, "1 / 0"),
    Mutation("C4.4", "table", code("    results = {}\n", "    raise SystemExit(2)\n"), EVALUATOR, "SystemExit"),
    Mutation(
        "C4.4",
        "table",
        code("    results = {}\n", '    results = json.loads((TRUTH / "known.json").read_text())\n'),
        EVALUATOR,
        "known.json",
    ),
    Mutation(
        "C4.4",
        "arrays",
        code("    results = {}\n", '    results = {}\n    Path(__file__).with_name("score.json").write_text("{}")\n'),
        EVALUATOR,
        "score.json",
    ),
    Mutation(
        "C4.4",
        "arrays",
        code(
            "    results = {}\n",
            '    import socket\n    socket.create_connection(("192.0.2.1", 80), 5)\n    results = {}\n',
        ),
        EVALUATOR,
        "create_connection",
    ),
    Mutation("C4.4", "keyed", returned("None"), EVALUATOR),
    Mutation(
        "C4.4",
        "designs",
        add("evaluation/shared/composition.py", "raise RuntimeError\n"),
        EVALUATOR,
        "import composition",
    ),
    Mutation(
        "C4.4",
        "table",
        lambda files: add(
            EVALUATOR,
            f"{files[EVALUATOR]}\n\nif __name__ == '__main__':\n    print(run_evaluation())\n    raise SystemExit(3)\n",
        )(files),
        EVALUATOR,
        "raise SystemExit(3)",
    ),
    # the result is not whole
    Mutation("C4.5", "table", returned('{"a": results["a"]}'), EVALUATOR, "METRIC_NAMES"),
    Mutation(
        "C4.5",
        "table",
        returned('{k: {"Accuracy": v["Accuracy"]} for k, v in results.items()}'),
        EVALUATOR,
        "METRIC_NAMES",
    ),
    Mutation("C4.5", "arrays", returned('{"one": {"mae": float("nan")}}'), EVALUATOR, "METRIC_NAMES"),
    Mutation("C4.5", "keyed", returned('{"west": {"R2": str(results["west"]["R2"])}}'), EVALUATOR, "METRIC_NAMES"),
    Mutation(
        "C4.5",
        "several",
        code("    return scores\n", "    return {k: list(v) for k, v in scores.items()}\n"),
        EVALUATOR,
    ),
    Mutation("C4.5", "samples", code("!= (50, 2)", "!= (60, 2)"), EVALUATOR, "METRIC_NAMES"),
    # a score that cannot be
    Mutation(
        "C4.6",
        "table",
        code('"Accuracy": right / len(truth)', '"Accuracy": 3.0'),
        EVALUATOR,
        "METRIC_NAMES",
        level="warn",
        also=("C4.8",),
    ),
    Mutation(
        "C4.6",
        "table",
        code('"Accuracy": right / len(truth)', '"Accuracy": 1.0'),
        EVALUATOR,
        "METRIC_NAMES",
        level="warn",
    ),
    Mutation("C4.6", "table", anchor(1, "99.0"), EVALUATOR, "METRIC_NAMES", level="warn"),
    Mutation("C4.6", "table", anchor(0, "0.001"), EVALUATOR, "METRIC_NAMES", level="warn"),
    Mutation(
        "C4.6", "arrays", code("float(np.abs(given - field).mean())", "0.0"), EVALUATOR, "METRIC_NAMES", level="warn"
    ),
    Mutation("C4.6", "samples", anchor(0, "500"), EVALUATOR, "METRIC_NAMES", level="warn"),
    # the entry point
    Mutation("C4.7", "table", readme("def main():", "def start():"), README, "import os"),
    Mutation(
        "C4.7",
        "table",
        both(readme('DATA_DIR = Path(os.environ["DATA_DIR"])\n', ""), readme("DATA_DIR / name", 'Path("data") / name')),
        README,
        "import os",
    ),
    Mutation(
        "C4.7",
        "table",
        both(
            readme('OUTPUT_DIR = Path(os.environ["OUTPUT_DIR"])\n', ""),
            readme("OUTPUT_DIR / name", 'Path("out") / name'),
        ),
        README,
        "import os",
    ),
    Mutation("C4.7", "table", readme('"train.csv"', '"training.csv"'), README, "training.csv"),
    Mutation("C4.7", "table", readme('Path(os.environ["OUTPUT_DIR"])', 'Path("/results")'), README, '"/results"'),
    Mutation(
        "C4.7", "table", readme('Path(os.environ["DATA_DIR"])', 'os.path.join("/mnt", "data")'), README, "/mnt", also=()
    ),
    Mutation("C4.7", "arrays", readme("import os\n", 'import os\nTASK = os.environ["TASK_DIR"]\n'), README, "TASK_DIR"),
    Mutation("C4.7", "arrays", readme('if __name__ == "__main__":\n    main()\n', ""), README, level="warn"),
    # the truth is none
    Mutation(
        "C4.8",
        "table",
        code('wanted = [float(one["response"])', 'wanted = [10 - float(one["response"])'),
        EVALUATOR,
        "METRIC_NAMES",
    ),
    Mutation("C4.8", "table", code("right / len(truth)", "1 - right / len(truth)"), EVALUATOR, "METRIC_NAMES"),
    Mutation(
        "C4.8",
        "arrays",
        code('archive["field"]\n    try', 'archive["field"][::-1]\n    try'),
        EVALUATOR,
        "METRIC_NAMES",
    ),
    Mutation(
        "C4.8",
        "keyed",
        code("for one in truth])\n    return", "for one in sorted(truth, reverse=True)])\n    return"),
        EVALUATOR,
        "METRIC_NAMES",
    ),
    Mutation("C4.8", "several", code("g = p.argmax(1)", "g = p.argmin(1)"), EVALUATOR, "METRICS ="),
    Mutation("C4.8", "molecules", code("zip(given, wanted)", "zip(given, wanted[::-1])"), EVALUATOR),
    # what is no answer gets a number
    Mutation("C4.9", "table", code("if not all(map(math.isfinite, values)):", "if False:"), EVALUATOR),
    Mutation(
        "C4.9",
        "table",
        code(
            "if not all(map(math.isfinite, values)):",
            "values = [one if math.isfinite(one) else 0.0 for one in values]\n    if False:",
        ),
        EVALUATOR,
    ),
    Mutation(
        "C4.9",
        "table",
        both(
            code("if set(given) != {", "if False and set(given) != {"),
            code("    values = [", '    truth = [one for one in truth if one["sample_id"] in given]\n    values = ['),
        ),
        EVALUATOR,
    ),
    Mutation("C4.9", "samples", code("if samples.shape != (50, 2):", "if samples.shape[1:] != (2,):"), EVALUATOR),
    Mutation("C4.9", "molecules", code("if len(given) != len(wanted):", "if False:"), EVALUATOR),
    Mutation(
        "C4.9", "molecules", code('{"exact match": None, "error": str(error)}', '{"exact match": 0.0}'), EVALUATOR
    ),
    Mutation(
        "C4.9",
        "arrays",
        code('raise ValidationError(f"fields.npz cannot be read: {error}")', "given = field * 0"),
        EVALUATOR,
    ),
    Mutation(
        "C4.9",
        "image",
        code('raise ValidationError(f"{path.name}: {type(error).__name__}")', "raise SystemExit(1)"),
        EVALUATOR,
        level="warn",
    ),
]
