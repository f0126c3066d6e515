"""Writes the paper of a new method from a kit, sentence by sentence, and knows what each sentence proves.

A :class:`Draft` starts as a paper that would pass every rule. A fate replaces the sentences
that decide, and the numbers or links that go with them; the rest of the paper follows from
the draft's fields, so that abstract, text, tables and figures agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from nature_gym.demo.fates.approaches import APPROACHES, Approach
from nature_gym.demo.fates.composing import Assignment, Press, compose, passed, rejected, section
from nature_gym.demo.fates.kits import KITS, DataSet, Kit, Metric
from nature_gym.demo.fates.scores import Scores, ablation_table, main_table
from nature_gym.demo.fates.web import MB, address, author_repository, expanded, link, tier
from nature_gym.demo.model import (
    RULES,
    Deposit,
    DepositFile,
    Entry,
    Equation,
    Figure,
    Page,
    Paper,
    Placement,
    Reference,
    Repository,
    RuleTruth,
    Section,
    Series,
    Table,
    TaskTruth,
    Truth,
)

GENERAL = {
    "graph": "a message-passing network",
    "transformer": "a general-purpose transformer",
    "attention": "a general-purpose transformer",
    "recurrent": "a gated recurrent network",
    "autoregressive": "an autoregressive sequence model",
    "detector": "a detector of everyday objects",
    "segmentation": "a convolutional segmentation network",
    "encoder–decoder": "a convolutional segmentation network",
    "operator": "a Fourier operator",
    "forecaster": "a video-prediction network",
}
"""General methods that an adaptation starts from, by a word of the design."""
Measure = Callable[[str, Sequence[str]], Scores]
"""From the method's name and the names of the data sets to scores that were really measured."""
Host = Literal["zenodo.org", "figshare.com", "huggingface.co"]
HOSTS: tuple[Host, ...] = ("zenodo.org", "zenodo.org", "figshare.com", "zenodo.org", "huggingface.co")
HOST_NAMES = {"zenodo.org": "Zenodo", "figshare.com": "Figshare", "huggingface.co": "Hugging Face"}
STYLES = ("innovation", "innovation", "adaptation", "formulation")
AN = ("A", "E", "I", "O", "U", "a", "e", "i", "o", "F1", "HD95", "MAE", "MCC", "RMSE")
"""How names begin that take "an"."""


@dataclass(slots=True)
class Draft:
    """A paper in the making. The first group of fields are the sentences that decide its fate."""

    assignment: Assignment
    kit: Kit
    method: str
    style: str
    sets: tuple[DataSet, ...]
    metrics: tuple[Metric, ...]
    scores: Scores
    deposit: Deposit
    press: Press
    approach: Approach

    title: str = ""
    claim: str = ""
    superiority: str = ""
    scoring: str = ""
    access: str = ""
    development: str = ""
    evaluation: str = ""
    counts: str = ""
    protocol: str = ""
    volume: str = ""
    notes: dict[str, str] = field(default_factory=dict)

    result_in_abstract: str = ""
    caption: str = ""
    code: str = ""
    training: str = ""
    """In the place of a paragraph on gradient descent."""
    baselines: str = ""
    """In the place of a paragraph on hyperparameter search."""
    testing: str = ""
    """In the place of a sentence on how differences were tested."""
    aside: str = ""
    """In the place of the approach's words in the discussion."""
    outline: str = ""
    """How the introduction announces what follows."""
    discussion_opening: str = ""
    only_overview: bool = False
    """Leave the main comparison out; ``later_results`` has the results."""
    more_results: list[str] = field(default_factory=list)
    more_methods: list[Section] = field(default_factory=list)
    more_discussion: list[str] = field(default_factory=list)
    more_data: list[str] = field(default_factory=list)
    """Sentences of the availability statement besides those that decide."""
    supplement: list[str] = field(default_factory=list)
    """What stands under Supplementary information, where there is any."""
    later_results: list[Section] | None = None
    """In the place of ablation and learning curve."""
    tables: list[Table] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    availability: list[Section] | None = None
    """In the place of the two availability sections."""
    references: dict[str, tuple[str, str] | Reference] = field(default_factory=dict)

    repositories: list[Repository] = field(default_factory=list)
    deposits: list[Deposit] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)

    # -- names -------------------------------------------------------------------

    @property
    def slug(self) -> str:
        return self.method.lower()

    @property
    def code_url(self) -> str:
        return self.repositories[0].url if self.repositories else f"https://github.com/{self.owner}/{self.slug}"

    @property
    def owner(self) -> str:
        return f"{self.kit.key}-lab-{self.assignment.index}"

    def pick(self, *seen: str, unseen: Sequence[str] = ()) -> str:
        return self.assignment.words.pick(*seen, unseen=unseen)

    # -- truth -------------------------------------------------------------------

    def sentence(self, rule: str) -> str:
        """The sentence that shows how ``rule`` is met."""
        return {
            "1.1": self.claim,
            "2.1": self.superiority,
            "2.2": self.scoring,
            "3.1": self.access,
            "3.2": self.development,
            "3.3": self.evaluation,
            "3.4": self.counts,
            "3.5": self.protocol,
            "3.6": self.volume,
        }[rule]

    def rules(self, stop: str | None, code: str = "", quote: str = "", note: str = "") -> tuple[RuleTruth, ...]:
        """Passes up to ``stop``, and there the rejection."""
        before = RULES[: RULES.index(stop)] if stop else RULES
        passes = tuple(passed(rule, self.sentence(rule), self.notes.get(rule, "")) for rule in before)
        return (*passes, rejected(stop, code, quote, note)) if stop else passes

    def rejected(self, stop: str, code: str, *, quote: str | None = None, note: str = "", traps: str = "") -> Entry:
        """The entry of a paper that ends at ``stop``; the quote is that rule's sentence if not given."""
        quote = self.sentence(stop) if quote is None else quote
        return self._entry(Truth(self.rules(stop, code, quote, note), tuple(traps.split())))

    def passed(self, task: TaskTruth, traps: str = "") -> Entry:
        """The entry of a paper that passes everything."""
        return self._entry(Truth(self.rules(None), tuple(traps.split()), task))

    def _entry(self, truth: Truth) -> Entry:
        paper = self.paper()
        return Entry(paper, truth, tuple(self.repositories), tuple(self.deposits), tuple(self.pages))

    # -- paper -------------------------------------------------------------------

    def paper(self) -> Paper:
        return compose(
            self.assignment,
            venue=self.kit.venue,
            title=self.title,
            abstract=" ".join((self.kit.openings[0], self.claim, self.result_in_abstract, self.kit.use)),
            sections=self.sections(),
            references={**self.kit.references, **self.references},
            tables=self.tables,
            figures=self.figures,
            subjects=self.kit.subjects,
            press=self.press,
        )

    def sections(self) -> list[Section]:
        return [
            section(("Introduction", "Main")[self.assignment.index % 2], *self.introduction()),
            section("Results"),
            *self.results(),
            section("Discussion", *self.discussion()),
            section("Methods"),
            *self.methods(),
            *(self.availability if self.availability is not None else self.default_availability()),
            *closing(self.assignment),
            *([section("Supplementary information", *self.supplement)] if self.supplement else []),
        ]

    def side_link(self, text: str, page: Page, note: str) -> None:
        """A supplementary link on which nothing depends, whatever its page does; ``note`` says what that is."""
        self.supplement.append(text)
        self.pages.append(page)
        self.notes["3.1"] = note

    def introduction(self) -> list[str]:
        kit = self.kit
        bridge = self.pick(
            f"Several lines of work bear on {kit.task}.",
            f"Earlier work on {kit.task} falls into two camps.",
            f"Methods for {kit.task} differ in what they take for granted.",
        )
        contribution = self.pick(
            f"{self.method} takes {kit.given} and returns {kit.wanted}. It brings three elements together: "
            f"{kit.parts[0]}, {kit.parts[1]} and {kit.parts[2]}.",
            f"The input of {self.method} is {kit.given}, its output {kit.wanted}; what sets it apart are "
            f"{kit.parts[0]}, {kit.parts[1]} and {kit.parts[2]}.",
        )
        outline = self.outline or self.pick(
            "We compare it with earlier methods on two data sets and then take it apart.",
            "The following sections compare it with earlier methods and ask where the differences come from.",
            f"Comparisons on {self.sets[0].name} and {self.sets[1].name} are followed by an account of its parts.",
            "How it fares against what has been used so far, and why, is the subject of the following sections.",
            "Its results on two sets of different origin are reported first, then those of its parts.",
        )
        return [
            f"{kit.openings[1]} {kit.gap}",
            f"{bridge} {kit.related}",
            self.approach.demand,
            f"{contribution} {outline}",
        ]

    def results(self) -> list[Section]:
        kit = self.kit
        overview = self.pick(
            f"[#figure-1] shows how {self.method} goes from {kit.given} to {kit.wanted}.",
            f"The path from {kit.given} to {kit.wanted} is drawn in [#figure-1].",
        )
        heading = self.pick(f"Performance in {kit.task}", "Comparison with earlier methods", "Main comparison")
        first = [
            section(f"Overview of {self.method}", f"{overview} {kit.mechanism[0]}", Placement("figure", 1), level=2)
        ]
        if not self.only_overview:
            compared = section(
                heading,
                f"We compared {self.method} with {_listing(self.scores.baselines)} ([#table-1]). {self.superiority}",
                Placement("table", 1),
                *filter(None, (self.second_metric(), *self.more_results)),
                level=2,
            )
            first.append(compared)
        return [*first, *(self.default_later_results() if self.later_results is None else self.later_results)]

    def second_metric(self) -> str:
        """Neutral words on the second metric, where there is one."""
        if len(self.metrics) < 2:
            return ""
        scores, metric, (one, two) = self.scores, self.metrics[1], (data.name for data in self.sets)
        ours = [scores.told(self.method, name, metric) for name in (one, two)]
        best = [scores.told(scores.best_baseline(name, metric), name, metric) for name in (one, two)]
        name = _capital(spoken(metric))
        return self.pick(
            f"{name} of {self.method} stands at {ours[0]} on {one} and at {ours[1]} on {two}; for the best baseline "
            f"it is {best[0]} and {best[1]}.",
            f"As to {spoken(metric)}, the values of {self.method} are {ours[0]} ({one}) and {ours[1]} ({two}), those "
            f"of the best baseline {best[0]} and {best[1]}.",
        )

    def default_later_results(self) -> list[Section]:
        kit, first = self.kit, self.metrics[0]
        parts = self.pick(
            f"Removing {kit.parts[0]} costs more than removing anything else ([#table-2]), and every part contributes "
            "[@ablation].",
            f"[#table-2] lists what is lost when a part is left out: most with {kit.parts[0]}, least with "
            f"{kit.parts[2]} [@ablation].",
        )
        curve = self.pick(
            f"With a quarter of the training data {self.method} keeps most of its lead over {self.scores.runner_up} "
            "([#figure-2]).",
            f"[#figure-2] follows {spoken(first)} as the training data grow; the distance to {self.scores.runner_up} "
            "is there from the start.",
        )
        return [
            section("What the parts contribute", parts, Placement("table", 2), level=2),
            section("Amount of training data", curve, Placement("figure", 2), level=2),
            section(self.pick("Where errors remain", "Difficult cases"), self.approach.difficult, level=2),
        ]

    def discussion(self) -> list[str]:
        kit = self.kit
        opening = self.discussion_opening or self.pick(
            f"The comparison shows that the difficulty of {kit.task} lies less in the amount of data than in what a "
            "model may assume about it.",
            f"What {self.method} gains, it gains by building a known property of the problem into the model.",
            f"Our results suggest that {kit.task} rewards structure more than size.",
        )
        middle = self.aside or self.approach.aside
        return [f"{opening} {kit.use}", middle, kit.limits.format(X=self.method), *self.more_discussion]

    def methods(self) -> list[Section]:
        kit, words = self.kit, self.assignment.words
        rate, epochs, batch = words.pick("0.001", "0.0003", "0.0005"), words.number(4, 20) * 10, 2 ** words.number(4, 8)
        training = self.pick(
            f"Models were trained with AdamW [@adam] at a learning rate of {rate} for {epochs} epochs with batches of "
            f"{batch}, and the epoch with the best validation loss was kept.",
            f"We trained for {epochs} epochs (AdamW [@adam], learning rate {rate}, batch size {batch}) and kept the "
            "weights of the lowest validation loss.",
            f"The optimiser was AdamW [@adam]; its learning rate rose to {rate} within the first epoch and fell to "
            f"zero along a cosine over {epochs} epochs. Batches held {batch} {kit.unit}.",
            f"Weights were updated by AdamW [@adam] with batches of {batch} {kit.unit} until the validation loss had "
            f"not improved for ten epochs, {epochs} at most; the learning rate was {rate}.",
        )
        trials, hours = words.number(20, 60), words.number(3, 30)
        baselines = self.baselines or self.pick(
            f"{_capital(_listing(self.scores.baselines))} were run with the code of their authors where there is any "
            f"and reimplemented otherwise. Each method, ours included, was given {trials} trials of random "
            "hyperparameter search [@seeds].",
            f"For {_listing(self.scores.baselines)} we searched the hyperparameters that their authors name, {trials} "
            f"trials each, as we did for {self.method} [@seeds].",
            f"Baselines are {_listing(self.scores.baselines)}. A budget of {trials} configurations was spent on each "
            f"of them and on {self.method}, drawn from ranges around published values [@seeds].",
            f"We ran {_listing(self.scores.baselines)} on the same inputs. Published settings were kept where "
            f"they did better than the best of {trials} random ones [@seeds].",
        )
        machine = self.pick(
            f"A training run took about {hours} hours on one graphics card with 24 GB of memory.",
            f"Training needs {hours} hours on a single graphics card.",
            f"One run takes {hours} hours on a workstation with one accelerator.",
            f"With one graphics card, {hours} hours are enough for a run.",
        )
        software = self.pick(
            "Everything was implemented in Python with tensor libraries [@torch].",
            "The implementation is in Python and relies on automatic differentiation [@torch].",
            "Programs were written in Python [@torch,arrays].",
            f"{self.method} was written in Python on top of a tensor library [@torch].",
        )
        data = " ".join(filter(None, (self.counts, self.protocol, self.approach.preparation)))
        tested = self.testing or self.pick(
            "Differences between methods were tested with a paired bootstrap of 10,000 resamples.",
            "Confidence in differences comes from 10,000 paired bootstrap resamples.",
            f"Resampling {kit.unit} with replacement, 10,000 times, gave the intervals by which methods were told "
            "apart.",
            f"Two methods are called different if a sign-flip test over {kit.unit} rejects equality at 1 %.",
            f"Differences are reported where a Wilcoxon test over {kit.unit} gives *P* < 0.01.",
        )
        return [
            section("Data sets", data, level=2),
            section("Model", kit.mechanism[1], Equation(kit.equation), level=2),
            section(
                "Training",
                self.training or f"{training} {software} {machine}",
                level=2,
            ),
            section("Baselines", baselines, level=2),
            section("Evaluation", f"{self.scoring} {tested}", level=2),
            *self.more_methods,
        ]

    def default_availability(self) -> list[Section]:
        data = " ".join(filter(None, (self.access, self.development, self.evaluation, self.volume, *self.more_data)))
        return [section("Data availability", data), section("Code availability", self.code)]


def computational(  # noqa: PLR0913 -- each names one way in which papers differ
    assignment: Assignment,
    kit: str | Kit,
    *,
    name: int = 0,
    style: str | None = None,
    host: Host | None = None,
    metrics: tuple[Metric, ...] | None = None,
    place: float = 0.97,
    measure: Measure | None = None,
    press: Press | None = None,
    approach: Approach | None = None,
) -> Draft:
    """A draft that passes every rule.

    ``name`` picks the kit's method name and keeps the data sets of two papers of one kit apart.
    ``style`` is the way in which rule 1.1 is met, ``host`` where the data lie; papers take
    turns if not told. ``place`` is where the method's scores stand between the worst (0) and the best (1)
    believable ones; the baselines fill the range up to about 0.8. With ``measure`` the scores are measured
    instead, and the data sets keep the sizes that the kit states. ``approach`` is for kits of one's own.
    """
    words = assignment.words
    kit = KITS[kit] if isinstance(kit, str) else kit
    approach = approach or APPROACHES[kit.key][name]
    kit = approach.of(kit)
    mark = ("", "-2", "-X")[name]
    sets = tuple(
        replace(
            one,
            name=one.name + mark,
            count=one.count if measure else one.count + words.number(-one.count // 25, one.count // 25),
        )
        for one in kit.sets
    )
    metrics = metrics or kit.metrics
    method = kit.names[name]
    names = [one.name for one in sets]
    scores = measure(method, names) if measure else Scores.drawn(words, method, kit.baselines, names, metrics, place)
    style = style or STYLES[assignment.index % len(STYLES)]
    host = host or HOSTS[assignment.index % len(HOSTS)]
    number = {
        "zenodo.org": assignment.zenodo,
        "figshare.com": assignment.figshare,
        "huggingface.co": f"{kit.key}-lab-{assignment.index}/{method.lower()}-data",
    }[host]
    deposit = Deposit(host, number, f"Data of {method}", _files(assignment, kit, sets))
    draft = Draft(assignment, kit, method, style, sets, metrics, scores, deposit, press or assignment.press, approach)
    _write_claims(draft)
    _write_evaluation(draft)
    _write_data(draft)
    _draw(draft)
    draft.deposits = [deposit]
    return draft


def closing(assignment: Assignment) -> list[Section]:
    """What stands at the end of every article of these journals."""
    words = assignment.words
    grant = f"{words.pick('NR', 'EP', 'DFS', 'KA')}-{words.number(1000, 9999)}"
    return [
        section(
            "Acknowledgements",
            words.pick(
                f"We thank our colleagues for discussions. This work was supported by grant {grant}.",
                f"This research was funded by the national research council (grant {grant}).",
            ),
        ),
        section("Competing interests", "The authors declare no competing interests."),
    ]


def with_repository(draft: Draft, name: str | None = None, extra: Mapping[str, bytes] | None = None) -> Draft:
    """Adds the authors' repository and the sentence that names it."""
    name = name or draft.slug
    repository = author_repository(
        draft.owner,
        name,
        title=draft.title,
        method=draft.method,
        published=draft.assignment.published(draft.press.year),
        data=f"Download the files from {address(draft.deposit)} into `data/`."
        if draft.deposits
        else "See the data availability statement of the paper.",
        metrics=[metric.name for metric in draft.metrics],
        extra=extra,
    )
    draft.repositories.append(repository)
    draft.code = draft.pick(
        f"The code of {draft.method} is available at {link(repository.url)} under the MIT licence.",
        f"Source code, with scripts that repeat all experiments, is at {link(repository.url)}.",
        unseen=(f"An implementation of {draft.method} can be found at {link(repository.url)}.",),
    )
    return draft


# -- the sentences -----------------------------------------------------------------


def _write_claims(draft: Draft) -> None:
    kit, name = draft.kit, draft.method
    short = kit.design.split(" that ")[0].split(" whose ")[0].split(" with ")[0].split(" over ")[0]
    draft.title = draft.pick(
        f"{_capital(kit.problem)} with {name}",
        f"{name}: {short} for {kit.task}",
        f"Accurate {kit.task} with {name}, {short}",
    )
    if draft.style == "innovation":
        draft.claim = draft.pick(
            f"Here we introduce {name}, {kit.design}.",
            f"We propose {name}, a new model for {kit.task}: {kit.design}.",
            f"In this work we develop {name}, {kit.design}, for {kit.task}.",
            unseen=(
                f"This paper presents {name}, {kit.design}; no earlier model for {kit.task} is built in this way.",
                f"The model put forward here, {name}, is {kit.design}.",
            ),
        )
        draft.notes["1.1"] = "algorithmic innovation"
    elif draft.style == "formulation":
        draft.claim = draft.pick(
            f"We formulate {kit.task} as a learning problem with {kit.given} as input and {kit.wanted} as output, and "
            f"show that {name}, {kit.design}, learns it.",
            f"Here we cast {kit.task} as supervised learning from {kit.given} to {kit.wanted}, and solve it with "
            f"{name}, {kit.design}.",
            unseen=(
                (
                    f"Stated as a map from {kit.given} to {kit.wanted}, {kit.task} becomes learnable, as we show with "
                    f"{name}, {kit.design}."
                ),
                (
                    f"We turn {kit.task} into a matter of learning, with {kit.given} going in and {kit.wanted} coming "
                    f"out, and give a solution: {name}, {kit.design}."
                ),
            ),
        )
        draft.notes["1.1"] = "problem formulation"
    else:
        general = next((method for word, method in GENERAL.items() if word in kit.design), "a residual network")
        draft.claim = draft.pick(
            f"We adapt {general} to {kit.task} by re-engineering its architecture and its loss; the result, {name}, "
            f"is {kit.design}.",
            f"Here we present {name}, which re-engineers {general} for {kit.task}: {kit.design}.",
            unseen=(
                f"{name} rebuilds {general} for the needs of {kit.task} and becomes {kit.design}.",
                (f"Starting from {general}, we changed what {kit.task} required and arrived at {name}, {kit.design}."),
            ),
        )
        draft.notes["1.1"] = "methodological adaptation"


def _write_evaluation(draft: Draft) -> None:
    kit, name, scores, (first, second) = draft.kit, draft.method, draft.scores, (draft.sets[0].name, draft.sets[1].name)
    metric = draft.metrics[0]
    a, b, c, d = (
        scores.told(name, first, metric),
        scores.told(scores.runner_up, first, metric),
        scores.told(name, second, metric),
        scores.told(scores.best_baseline(second, metric), second, metric),
    )
    draft.superiority = draft.pick(
        f"{name} outperforms all baselines on both data sets, with {_the(metric)} of {a} on {first}, against {b} for "
        f"{scores.runner_up}, and {c} on {second}.",
        f"On {first} {name} reaches {_the(metric)} of {a}, better than the {b} of {scores.runner_up}, the strongest "
        f"baseline; on {second} it reaches {c}.",
        f"{name} achieves the best {spoken(metric)} on {first} ({a}; {scores.runner_up}, {b}) and on {second} ({c}).",
        unseen=(
            (
                f"No baseline comes up to {name}, whose {spoken(metric)} is {a} on {first} and {c} on {second}; "
                f"{scores.runner_up} follows with {b} on {first}."
            ),
            (
                f"{name} leads on {first} ({spoken(metric)} {a} versus {b} for {scores.runner_up}) as well as on "
                f"{second} ({c})."
            ),
        ),
    )
    draft.result_in_abstract = draft.pick(
        f"On {first} and {second} it improves {spoken(metric)} from {b} and {d} to {a} and {c}.",
        f"{_capital(spoken(metric))} improves from {b} to {a} on {first} and from {d} to {c} on {second}.",
        unseen=(
            f"{_capital(spoken(metric))} rises to {a} on {first} ({b} before) and to {c} on {second} ({d} before).",
        )
        if metric.direction == "higher_is_better"
        else (f"{_capital(spoken(metric))} falls to {a} on {first} ({b} before) and to {c} on {second} ({d} before).",),
    )
    definitions = " and ".join(one.definition.format(unit=kit.unit) for one in draft.metrics)
    names = " and ".join(one.name for one in draft.metrics)
    draft.scoring = draft.pick(
        f"{_capital(names)} were computed from predictions and reference values on the test part: {definitions}.",
        f"As metrics we report {names}; {definitions}.",
        unseen=(
            f"All scores follow from stored predictions and reference values alone; {definitions}.",
            f"Predictions are judged by {names}, where {definitions}.",
        ),
    )
    draft.caption = draft.pick(
        f"{_capital(kit.task)} on the test part of both data sets",
        "Comparison with earlier methods on the test parts",
    )


def _write_data(draft: Draft) -> None:
    kit, words, deposit = draft.kit, draft.assignment.words, draft.deposit
    one, two = draft.sets
    where, end = link(address(deposit)), kit.suffix
    draft.access = draft.pick(
        f"All data used in this study are publicly available at {where}.",
        f"{one.name} and {two.name} are openly available from {HOST_NAMES[deposit.host]} at {where}.",
        f"The data sets can be downloaded without registration from {where}.",
        unseen=(
            f"Both data sets have been deposited for free download at {where}.",
            f"{one.name} and {two.name} are to be found at {where}.",
        ),
    )
    slug_one, slug_two = one.name.lower(), two.name.lower()
    draft.development = draft.pick(
        f"The training and validation parts are the files {slug_one}_train.{end} and {slug_two}_train.{end} of this "
        "record.",
        f"Training and validation data are in {slug_one}_train.{end} and {slug_two}_train.{end}.",
        unseen=(
            f"What we trained on is stored in {slug_one}_train.{end} and {slug_two}_train.{end}.",
            f"{slug_one}_train.{end} and {slug_two}_train.{end} suffice to fit every model of this paper.",
        ),
    )
    draft.evaluation = draft.pick(
        f"The test parts, with reference values for every sample, are {slug_one}_test.{end} and {slug_two}_test.{end}.",
        f"Test inputs and their reference answers are in {slug_one}_test.{end} and {slug_two}_test.{end}.",
        unseen=(
            f"The files {slug_one}_test.{end} and {slug_two}_test.{end} hold the test samples and the true values.",
            f"For the test, {slug_one}_test.{end} and {slug_two}_test.{end} give each sample and its answer.",
        ),
    )
    draft.counts = draft.pick(
        f"{one.name} comprises {one.count:,} {kit.unit} ({one.description}) and {two.name} {two.count:,} "
        f"({two.description}); the deposited files are the ones used here.",
        f"We use the deposited version 1.0 of {one.name} ({one.count:,} {kit.unit}; {one.description}) and {two.name} "
        f"({two.count:,}; {two.description}).",
        unseen=(
            (
                f"There are {one.count:,} {kit.unit} in {one.name} ({one.description}) and {two.count:,} in {two.name} "
                f"({two.description}), exactly as in the deposited files."
            ),
            (
                f"{one.name} ({one.description}) counts {one.count:,} {kit.unit}, {two.name} ({two.description}) "
                f"{two.count:,}; the record was frozen before our experiments."
            ),
        ),
    )
    share = words.pick("70 %, 10 % and 20 %", "80 %, 10 % and 10 %", "60 %, 20 % and 20 %")
    draft.protocol = draft.pick(
        f"Both come with a fixed split into training, validation and test parts of {share}, which we use unchanged.",
        f"We use the predefined split of each data set into training, validation and test parts ({share}).",
        f"Each data set was split once into training, validation and held-out test parts ({share}), and all methods "
        "use this split.",
        unseen=(
            f"Training, validation and test parts ({share}) were set apart once and are the same for every method.",
            f"The authors of the data sets fixed training, validation and test parts ({share}), and we keep to them.",
        ),
    )
    total = expanded(deposit.files)
    draft.notes["3.6"] = f"{tier(total)}: {total:.2f} GB by the host's list of files, compressed ones multiplied"


def _files(assignment: Assignment, kit: Kit, sets: Sequence[DataSet]) -> tuple[DepositFile, ...]:
    words = assignment.words
    return tuple(
        DepositFile(
            f"{one.name.lower()}_{part}.{kit.suffix}", declared_size=words.number(low, high) * MB + words.number(1, MB)
        )
        for one, scale in zip(sets, (1, 0.4), strict=True)
        for part, low, high in (
            ("train", int(300 * scale), int(1900 * scale)),
            ("test", int(60 * scale), int(290 * scale)),
        )
    )


def _draw(draft: Draft) -> None:
    """Tables and figures from the scores."""
    kit, words, metric, first = draft.kit, draft.assignment.words, draft.metrics[0], draft.sets[0].name
    spread = words if draft.assignment.index % 3 == 0 else None
    draft.tables = [
        main_table(draft.scores, draft.caption, spread=spread, note="Mean ± s.d. of five runs." if spread else ""),
        ablation_table(words, draft.scores, kit.parts, first, metric),
    ]
    draft.figures = [
        Figure(1, f"Overview of {draft.method}. From {kit.given} to {kit.wanted}.", "flow", steps=kit.steps),
        learning_curve(draft, metric, first),
    ]


def learning_curve(draft: Draft, metric: Metric, set_name: str) -> Figure:
    """Score against the share of training data, ending at the values of the main table."""
    shares, words = (10.0, 25.0, 50.0, 100.0), draft.assignment.words
    worst = metric.worst - 0.15 * (metric.best - metric.worst)

    def path(row: str, early: float) -> tuple[float, ...]:
        end = draft.scores.values[row, set_name, metric.name]
        lost = (early, early * 0.55, early * 0.2, 0.0)
        return tuple(round(end + (worst - end) * part, metric.decimals + 1) for part in lost)

    runner_up = draft.scores.runner_up
    return Figure(
        2,
        f"{_capital(spoken(metric))} on {set_name} with growing amounts of training data.",
        "lines",
        (
            Series(draft.method, shares, path(draft.method, words.number(30, 40) / 100)),
            Series(runner_up, shares, path(runner_up, words.number(50, 70) / 100)),
        ),
        x_label="Training data (%)",
        y_label=metric.name,
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def spoken(metric: Metric) -> str:
    """The metric's name inside a sentence, without its unit."""
    name = metric.name.split(" (")[0]
    keep = name.split()[0] in {"Pearson", "Spearman"} or any(
        letter.isupper() or letter.isdigit() for letter in name.split("-")[0][1:2]
    )
    return name if keep else name[0].lower() + name[1:]


def _the(metric: Metric) -> str:
    name = spoken(metric)
    return f"{'an' if name.startswith(AN) else 'a'} {name}"


def _listing(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
