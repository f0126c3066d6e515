"""Papers that set a trap and pass: small data that are really there, and scores that were really measured.

The authors' method (:mod:`nature_gym.demo.fates.graded_ridge`) is run on the deposited files when the paper is
written, and the same source files are its repository: whoever fetches data and code gets the
numbers that the paper prints.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from nature_gym.demo.fates.approaches import Approach
from nature_gym.demo.fates.composing import Assignment, section
from nature_gym.demo.fates.computational import Draft, computational
from nature_gym.demo.fates.graded_ridge.baselines import nearest_neighbours, ridge
from nature_gym.demo.fates.graded_ridge.method import GradedRidge
from nature_gym.demo.fates.graded_ridge.metrics import pearson, rmse
from nature_gym.demo.fates.kits import DataSet, Kit, Metric
from nature_gym.demo.fates.scores import Scores, main_table
from nature_gym.demo.fates.web import address, landing_page, link
from nature_gym.demo.model import (
    CategoryTruth,
    Commit,
    DepositFile,
    Entry,
    Figure,
    Indexing,
    MetricTruth,
    Page,
    Placement,
    Repository,
    Series,
    SettingTruth,
    Table,
    TaskTruth,
)
from nature_gym.demo.words import Words

TRAINING, TEST = 160, 240
BASELINES = ("Nearest neighbours", "Ridge", "Ridge on all products")
RMSE = Metric("RMSE", "lower_is_better", 2.0, 0.5, 3, "RMSE is the root-mean-square error over the test {unit}")
PEARSON = Metric(
    "Pearson correlation",
    "higher_is_better",
    0.5,
    1.0,
    3,
    "the Pearson correlation is taken between predicted and measured values of the test {unit}",
)
MECHANISM = (
    (
        "A ridge regression on the features comes first. In the second step all products of two features join, each "
        "with a penalty that is small where both of its features had large weights in the first."
    ),
    (
        "Features are standardised with the mean and standard deviation of the training data. The penalty of a "
        "product is divided by the normalised product of the first weights, so that products of idle features are all "
        "but excluded."
    ),
)
EQUATION = r"\lambda_{ij} = \frac{\lambda}{|\beta_i \beta_j| / \max_{kl} |\beta_k \beta_l| + \varepsilon}"
DESIGN = "a two-step ridge regression whose penalty on the product of two features is graded by what each does alone"
PARTS = ("products of features", "graded penalties", "the first step")
STEPS = ("Features", "First ridge", "Graded penalties", "Second ridge", "Prediction")

RIVERS = Kit(
    key="rivers",
    venue="s41467",
    subjects=("Hydrology", "Environmental monitoring"),
    task="prediction of nitrate loads",
    problem="predicting nitrate loads of rivers from their catchments",
    given="twelve attributes of a catchment",
    wanted="the yearly nitrate load of its river",
    unit="catchments",
    openings=(
        (
            "Nitrate in rivers begins on fields and ends in the sea, and it is measured at few places in between "
            "[@fields]."
        ),
        "Of the rivers that carry nitrate to the coast only a fraction has a gauge that knows of it [@fields].",
    ),
    gap="Regressions on catchment attributes treat slope, rain and soil as if each acted alone, although rain "
    "on a slope "
    "is another matter than rain and a slope [@alone].",
    related="Process models represent interactions and need data that few catchments have [@process]; models with all "
    "interactions need more catchments than there are [@alone].",
    names=("SlopeRidge", "LoadRidge", "CatchRidge"),
    design=DESIGN,
    mechanism=MECHANISM,
    equation=EQUATION,
    parts=PARTS,
    steps=STEPS,
    baselines=BASELINES,
    sets=(
        DataSet("HillRivers", TRAINING + TEST, "rivers of low mountain ranges"),
        DataSet("PlainRivers", TRAINING + TEST, "rivers of lowlands"),
    ),
    metrics=(RMSE, PEARSON),
    use="Loads of rivers without gauges can be had for the price of a map.",
    limits="Lakes and reservoirs are absent from the attributes, and {X} is blind to what they hold back.",
    suffix="csv",
    references={
        "fields": ("From field to sea: nitrate in transit", "J. Catchment Sci."),
        "alone": ("Attributes that act together", "J. Catchment Sci."),
        "process": ("Process models and their appetite", "Water Comput."),
    },
)
ENZYMES = Kit(
    key="enzymes",
    venue="s41587",
    subjects=("Biocatalysis", "Enzymes"),
    task="prediction of enzyme yields",
    problem="predicting the yield of enzymatic reactions from their conditions",
    given="twelve descriptors of enzyme and medium",
    wanted="the logarithm of the yield",
    unit="reactions",
    openings=(
        (
            "An enzyme that works in one flask may refuse to work in the next, and the reason is seldom a single "
            "condition [@flask]."
        ),
        (
            "Optimising an enzymatic reaction means changing conditions one at a time, in a space where they act "
            "together [@flask]."
        ),
    ),
    gap="Designs of experiments that resolve all interactions need hundreds of runs, and fits that ignore them "
    "point in "
    "the wrong direction [@runs].",
    related="Response surfaces are small and local [@surface]; flexible regressions are global and overfit [@runs].",
    names=("YieldGrade", "PairGrade", "FlaskRidge"),
    design=DESIGN,
    mechanism=MECHANISM,
    equation=EQUATION,
    parts=PARTS,
    steps=STEPS,
    baselines=BASELINES,
    sets=(
        DataSet("Lipases", TRAINING + TEST, "esterifications by eleven lipases"),
        DataSet("Reductases", TRAINING + TEST, "reductions by nine ketoreductases"),
    ),
    metrics=(RMSE, PEARSON),
    use="Fewer flasks are needed before a condition can be called good.",
    limits="All reactions were run in one laboratory, and {X} knows nothing of scale.",
    suffix="csv",
    references={
        "flask": ("Conditions that act together", "Biocatal. Lett."),
        "runs": ("How many runs resolve an interaction?", "Biocatal. Lett."),
        "surface": ("Response surfaces in biocatalysis", "J. Reaction Eng. Comput."),
    },
)

APPROACHES = {
    "rivers": Approach(
        demand="A regression for rivers without gauges has to be right far from its data, and it will be read by "
        "people who want to know why. Both speak for few terms, and for terms that mean something [@leakage].",
        preparation="Attributes were standardised with the training catchments; loads are natural logarithms, relative "
        "to the median of the set.",
        difficult="",
        aside="",
    ),
    "enzymes": Approach(
        demand="The descriptors of a reaction are a dozen, their products six dozen, and the runs that a laboratory "
        "can afford lie in between. What is needed is a reason to believe in some products and not in others "
        "[@leakage].",
        preparation="Descriptors were standardised with the training reactions, and yields are natural logarithms, "
        "relative to the median of the set.",
        difficult="",
        aside="",
    ),
}
"""What the two papers say of their own; their discussions are written with their scores."""

LOAD_PY = '''"""Read a part of a data set."""

import numpy as np


def load(path):
    table = np.genfromtxt(path, delimiter=",", skip_header=1, usecols=range(1, 14))
    return table[:, :-1], table[:, -1]
'''
RUN_PY = '''"""Fit everything on the training part, score on the test part."""

import json
import sys
from pathlib import Path

import numpy as np

from baselines import nearest_neighbours, ridge
from load import load
from method import GradedRidge
from metrics import pearson, rmse

DATA = Path("data")
SETS = {sets}


def main():
    scores = {{}}
    for name in SETS:
        train_x, train_y = load(DATA / f"{{name}}_train.csv")
        test_x, test_y = load(DATA / f"{{name}}_test.csv")
        model = GradedRidge().fit(train_x, train_y)
        np.savetxt(f"checkpoints/{{name}}_weights.txt", model.weights)
        predicted = {{
            "Nearest neighbours": nearest_neighbours(train_x, train_y, test_x),
            "Ridge": ridge(train_x, train_y, test_x),
            "Ridge on all products": ridge(train_x, train_y, test_x, crossed=True),
            "{method}": model.predict(test_x),
        }}
        np.savetxt(f"results/{{name}}_predictions.csv", predicted["{method}"], header="prediction", comments="")
        scores[name] = {{row: [rmse(test_y, p), pearson(test_y, p)] for row, p in predicted.items()}}
    json.dump(scores, open("results/scores.json", "w"), indent=1)


if __name__ == "__main__":
    sys.exit(main())
'''
README = """# {method}

Code of *{title}*.

Put the data into `data/` ({where}), then

    pip install -r requirements.txt
    python run.py

The scores of the paper are written to `results/scores.json`.
"""
CATEGORIES = (
    CategoryTruth("results/*", "algorithm_output", "predictions and scores of the method and the baselines"),
    CategoryTruth("checkpoints/*", "algorithm_output", "weights of the fitted method"),
    CategoryTruth("*.py", "code", "source code"),
    CategoryTruth("*", "irrelevant", "README, licence and requirements"),
)

Array = NDArray[np.float64]
Part = tuple[Array, Array]


@dataclass(frozen=True, slots=True)
class Measured:
    """A data set with its two files, and what came out of them."""

    name: str
    train: Part
    test: Part
    predicted: Mapping[str, Array]
    weights: Array

    @property
    def stem(self) -> str:
        return self.name.lower()

    def contents(self) -> dict[str, bytes]:
        return {f"{self.stem}_train.csv": _csv(self.train, "t"), f"{self.stem}_test.csv": _csv(self.test, "e")}

    def score(self, row: str, metric: Metric) -> float:
        return (rmse if metric is RMSE else pearson)(self.test[1], self.predicted[row])


def flaky_link(assignment: Assignment) -> Entry:
    """The files lie on a host that answers 503 twice before it answers."""
    draft, sets = _draft(assignment, RIVERS)
    base = f"https://rivers.example.org/open-{assignment.index}/"
    one, two = sets
    draft.deposits = []
    draft.access = draft.pick(
        f"All data are openly available under {link(base)}.",
        f"Both data sets can be downloaded freely from {link(base)}.",
        unseen=(f"Anyone can fetch both data sets from {link(base)}.",),
    )
    draft.development = (
        f"The training files are {link(f'{base}{one.stem}_train.csv')} and {link(f'{base}{two.stem}_train.csv')}."
    )
    draft.evaluation = (
        f"The test files, with measured loads, are {link(f'{base}{one.stem}_test.csv')} and "
        f"{link(f'{base}{two.stem}_test.csv')}."
    )
    contents = {name: content for data in sets for name, content in data.contents().items()}
    listing = "".join(f'<li><a href="{name}">{name}</a></li>' for name in contents)
    draft.pages = [Page(base, body=f"<html><body><h1>Rivers</h1><ul>{listing}</ul></body></html>".encode())]
    draft.pages += [
        Page(base + name, media_type="text/csv; charset=utf-8", body=content, behaviour="flaky")
        for name, content in contents.items()
    ]
    atlas = f"https://rivers.example.org/atlas-{assignment.index}"
    draft.side_link(
        f"Predicted and measured loads of all catchments are drawn on a map at {link(atlas)}.",
        landing_page(atlas, "Atlas of nitrate loads", "Click on a river.", behaviour="slow"),
        "each file answers 503 twice and then rightly; the map takes seconds, and holds no data",
    )
    return _passed(draft, sets, base, "Other", "flaky_link slow_link")


def file_and_record(assignment: Assignment) -> Entry:
    """A record and one of its files are both linked; photographs are on request and do not matter.

    OpenAlex once held the work twice.
    """
    draft, sets = _draft(assignment, ENZYMES)
    contents = {name: content for data in sets for name, content in data.contents().items()}
    draft.deposit = replace(draft.deposit, files=tuple(DepositFile(name, text) for name, text in contents.items()))
    draft.deposits = [draft.deposit]
    one, two = sets
    direct = f"https://zenodo.org/records/{draft.deposit.number}/files/{one.stem}_train.csv"
    draft.development = (
        f"Training data are {one.stem}_train.csv and {two.stem}_train.csv; the former can also be fetched alone "
        f"({link(direct)})."
    )
    request = draft.pick(
        "Photographs of the flasks, which no analysis uses, are available from the corresponding author on "
        "reasonable request.",
        "Laboratory notebooks are available from the authors upon reasonable request; they are not needed to repeat "
        "our results.",
        unseen=("Whoever wants to see the laboratory notebooks, which our results do not depend on, may write to us.",),
    )
    draft.availability = [
        section(
            "Data and code availability",
            f"{draft.access} {draft.development} {draft.evaluation} {request}",
            draft.code,
        )
    ]
    url = f"https://flasks.example.org/protocols/{draft.slug}"
    draft.side_link(
        f"Working protocols of all reactions can be read at {link(url)}.",
        landing_page(
            url, "Protocols", "Esterifications. Reductions.", behaviour="limited", headers={"retry-after": "1"}
        ),
        "the page of protocols answers 429 for a second and then rightly",
    )
    traps = "file_and_record_once rate_limited_link request_beside_public availability_under_other_heading merged_work"
    entry = _passed(draft, sets, address(draft.deposit), "Chemistry", traps)
    former = Indexing(former_ids=(f"W8{200_000_000 + assignment.index:09d}",))
    return replace(entry, paper=replace(entry.paper, indexing=former))


# -- measuring ---------------------------------------------------------------------


def _draft(assignment: Assignment, kit: Kit) -> tuple[Draft, Sequence[Measured]]:
    method = kit.names[0]
    sets = [_measure(assignment.words, data.name, method) for data in kit.sets]

    def scores(name: str, _: Sequence[str]) -> Scores:
        values = {
            (row, data.name, metric.name): round(data.score(row, metric), metric.decimals)
            for data in sets
            for metric in kit.metrics
            for row in (*BASELINES, name)
        }
        return Scores(name, BASELINES, tuple(data.name for data in sets), kit.metrics, values)

    draft = computational(
        assignment, kit, style="innovation", host="zenodo.org", measure=scores, approach=APPROACHES[kit.key]
    )
    draft.protocol = draft.pick(
        f"Each data set comes with a fixed split into {TRAINING} training and {TEST} test {kit.unit}.",
        f"In both data sets {TEST} {kit.unit} were set apart as a test set before any model was fitted, which leaves "
        f"{TRAINING} for training.",
        unseen=(f"Training saw {TRAINING} {kit.unit} of each data set; the other {TEST} were kept for the test.",),
    )
    draft.training = "Both steps are linear systems and were solved directly, with a penalty of 1 and a floor of 0.02."
    draft.baselines = (
        "Nearest neighbours average ten training samples. Both ridge regressions have a penalty of 1; one of them "
        "sees the products as well, all with that penalty. Nothing is random, so nothing was repeated [@seeds]."
    )
    draft.aside = (
        "Neither the method nor the baselines were tuned. Their penalties could be chosen by validation, which would "
        "help all of them a little and, as far as we tried, the order not at all."
    )
    draft.tables = [main_table(draft.scores, draft.caption), _without_parts(draft)]
    draft.figures[1] = _curve(draft, sets[0])
    draft.code = draft.pick(
        f"The code of {method} is available at {link(draft.code_url)}.",
        f"Code that repeats all numbers is at {link(draft.code_url)}.",
        unseen=(f"All numbers can be repeated with the programs at {link(draft.code_url)}.",),
    )
    draft.later_results = [
        section(
            "What the parts contribute",
            "[#table-2] gives the errors that remain when products are left out and when all products bear the same "
            "penalty [@ablation].",
            Placement("table", 2),
            level=2,
        ),
        section(
            "Amount of training data",
            f"[#figure-2] shows {draft.sets[0].name} with part of the training data. Below a hundred {kit.unit} the "
            "products that do not matter can no longer be told from those that do.",
            Placement("figure", 2),
            level=2,
        ),
    ]
    return draft, sets


def _measure(words: Words, name: str, method: str) -> Measured:
    """Draw a data set in which few features act, alone and together, and run every method on it."""
    features = 12
    acting = words.random.sample(range(features), 4)
    alone = {i: words.random.choice((-1, 1)) * words.random.uniform(0.8, 1.4) for i in acting}
    together = [(i, j, words.random.uniform(0.5, 0.9)) for i in acting for j in acting if i < j]

    def part(count: int) -> Part:
        x = [[round(words.random.gauss(0.0, 1.0), 4) for _ in range(features)] for _ in range(count)]
        y = [
            sum(weight * row[i] for i, weight in alone.items())
            + sum(weight * row[i] * row[j] for i, j, weight in together)
            + words.random.gauss(0.0, 0.5)
            for row in x
        ]
        return np.array(x), np.array([round(value, 4) for value in y])

    train, test = part(TRAINING), part(TEST)
    model = GradedRidge().fit(*train)
    return Measured(name, train, test, {**_baselines(train, test[0]), method: model.predict(test[0])}, model.weights)


def _baselines(train: Part, test_x: Array) -> dict[str, Array]:
    return {
        "Nearest neighbours": nearest_neighbours(*train, test_x),
        "Ridge": ridge(*train, test_x),
        "Ridge on all products": ridge(*train, test_x, crossed=True),
    }


def _without_parts(draft: Draft) -> Table:
    scores, name = draft.scores, draft.sets[0].name
    rows = ((draft.method, draft.method), ("without products", "Ridge"), ("equal penalties", "Ridge on all products"))
    cells = tuple((label, scores.printed(row, name, RMSE)) for label, row in rows)
    first = (f"{cells[0][0]} (full)", f"**{cells[0][1]}**")
    return Table(2, f"Ablation on {name}", (("Model", RMSE.name),), (first, *cells[1:]))


def _curve(draft: Draft, data: Measured) -> Figure:
    shares = (50, 75, 100)
    ours, theirs = [], []
    for share in shares:
        few = TRAINING * share // 100
        train = data.train[0][:few], data.train[1][:few]
        ours.append(round(rmse(data.test[1], GradedRidge().fit(*train).predict(data.test[0])), 3))
        theirs.append(round(rmse(data.test[1], _baselines(train, data.test[0])["Ridge on all products"]), 3))
    x = tuple(map(float, shares))
    return Figure(
        2,
        f"RMSE on {data.name} with growing amounts of training data.",
        "lines",
        (Series(draft.method, x, tuple(ours)), Series("Ridge on all products", x, tuple(theirs))),
        x_label="Training data (%)",
        y_label="RMSE",
    )


# -- files and truth ---------------------------------------------------------------


def _csv(part: Part, letter: str) -> bytes:
    x, y = part
    lines = [",".join(("id", *(f"x{i + 1}" for i in range(x.shape[1])), "y"))]
    lines += [
        ",".join((f"{letter}{number:04d}", *(f"{value:.4f}" for value in row), f"{target:.4f}"))
        for number, (row, target) in enumerate(zip(x, y, strict=True), 1)
    ]
    return ("\n".join(lines) + "\n").encode()


def _repository(draft: Draft, sets: Sequence[Measured], where: str) -> Repository:
    source = files("nature_gym.demo.fates.graded_ridge")
    scores = {
        data.stem: {row: [data.score(row, RMSE), data.score(row, PEARSON)] for row in data.predicted} for data in sets
    }
    tree = {
        "README.md": README.format(method=draft.method, title=draft.title, where=where).encode(),
        "LICENSE": b"MIT License\n",
        "requirements.txt": b"numpy>=1.24\n",
        "load.py": LOAD_PY.encode(),
        "run.py": RUN_PY.format(sets=[data.stem for data in sets], method=draft.method).encode(),
        **{name: source.joinpath(name).read_bytes() for name in ("method.py", "baselines.py", "metrics.py")},
    }
    made = {"results/scores.json": json.dumps(scores, indent=1).encode()}
    for data in sets:
        made[f"checkpoints/{data.stem}_weights.txt"] = _column(data.weights)
        made[f"results/{data.stem}_predictions.csv"] = b"prediction\n" + _column(data.predicted[draft.method])
    published = dt.datetime.combine(draft.assignment.published(draft.press.year), dt.time(12, tzinfo=dt.UTC))
    return Repository(
        draft.owner,
        draft.slug,
        (
            Commit(published - dt.timedelta(days=150), "Method and baselines", tree),
            Commit(published - dt.timedelta(days=30), "Results as in the paper", made),
        ),
        description=draft.title,
        categories=CATEGORIES,
    )


def _column(values: Array) -> bytes:
    return "".join(f"{value:.18e}\n" for value in values).encode()


def _passed(draft: Draft, sets: Sequence[Measured], where: str, domain: str, traps: str) -> Entry:
    draft.repositories = [_repository(draft, sets, where)]
    size = sum(len(content) for data in sets for content in data.contents().values())
    draft.notes["3.6"] = f"S: {size} bytes in four files, each counted once"
    return draft.passed(_task(draft, sets, domain), traps)


def _task(draft: Draft, sets: Sequence[Measured], domain: str) -> TaskTruth:
    scores = draft.scores

    def printed(row: str, name: str) -> dict[str, str]:
        return {metric.name: scores.printed(row, name, metric) for metric in draft.metrics}

    return TaskTruth(
        task_type="regression",
        domain=domain,
        method=draft.method,
        variants=(),
        baselines=BASELINES,
        reference_kind="label",
        metrics=(
            MetricTruth(RMSE.name, RMSE.direction, primary=True, place="Table 1"),
            MetricTruth(PEARSON.name, PEARSON.direction, primary=False, place="Table 1"),
        ),
        settings=tuple(
            SettingTruth(
                data.name,
                accepted=True,
                reason="a training and a test file of its own, with scores in Table 1",
                development=(f"{data.stem}_train.csv",),
                evaluation=(f"{data.stem}_test.csv",),
                separability="trivial",
                split={"kind": "files", "id": "id", "target": "y"},
                sota=printed(draft.method, data.name),
                baseline=printed(scores.best_baseline(data.name, RMSE), data.name),
            )
            for data in sets
        ),
    )


FATES: tuple[Callable[[Assignment], Entry], ...] = (flaky_link, file_and_record)
