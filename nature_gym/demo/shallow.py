"""Papers of little depth, by the thousand: for scale, with a spread of fates like the published funnel's.

About half are no research articles; of the others most tell of a laboratory, a cohort or a theory, and
few survive the first two levels. None passes, so none needs code or data behind it. One
idea keeps it quick: a paper is a handful of sentences with names put in.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nature_gym.demo.model import (
    RULES,
    Entry,
    Page,
    Paper,
    Paragraph,
    Placement,
    Reference,
    RuleTruth,
    Section,
    Table,
    Truth,
)
from nature_gym.demo.venues import VENUES, suffix
from nature_gym.demo.words import Words

VENUE_WEIGHTS = (6, 40, 9, 7, 8, 6, 7, 5, 6, 6)
"""How often each journal of :data:`VENUES` occurs."""

SHARED_PAGES = (
    Page("https://openbench.example.org/data", body=b"<html><body><h1>OpenBench</h1><p>Public data.</p></body></html>"),
    Page("https://codes.example.org/", body=b"<html><body><h1>Codes</h1><p>Programs of many groups.</p></body></html>"),
    Page("https://repository.example.edu/records", body=b"<html><body><h1>Records</h1></body></html>"),
)
"""The few addresses to which shallow papers link; they come with the first paper."""

OTHER_TYPES = (
    ("news", "News & Views", "article", 14),
    ("editorial", "Editorial", "editorial", 8),
    ("review", "Review Article", "review", 16),
    ("perspective", "Perspective", "article", 9),
    ("comment", "Comment", "article", 14),
    ("correction", "Author Correction", "erratum", 14),
    ("retraction", "Retraction Note", "retraction", 2),
    ("protocol", "Protocol", "article", 4),
    ("correspondence", "Correspondence", "letter", 9),
    ("author_reply", "Author Reply", "letter", 3),
)
"""Code, what the page states, OpenAlex's type, weight."""

GENES = (
    "Arx2",
    "Brd7",
    "Cdk19",
    "Dusp4",
    "Elf5",
    "Foxk1",
    "Gli3",
    "Hnf4",
    "Irf8",
    "Klf6",
    "Lmo2",
    "Mef2d",
    "Nfix",
    "Sox12",
)
CELLS = (
    "hepatocytes",
    "T cells",
    "astrocytes",
    "cardiomyocytes",
    "enterocytes",
    "keratinocytes",
    "microglia",
    "neutrophils",
)
PROCESSES = ("regeneration", "inflammation", "lipid uptake", "migration", "differentiation", "autophagy", "senescence")
COMPOUNDS = (
    "a cobalt oxide",
    "a layered telluride",
    "a porous carbon",
    "a copper–zinc alloy",
    "a polymer electrolyte",
    "a perovskite oxynitride",
)
USES = (
    "water oxidation",
    "thermoelectric conversion",
    "hydrogen storage",
    "photodetection",
    "carbon dioxide reduction",
)
CONDITIONS = ("type 2 diabetes", "asthma", "depression", "atrial fibrillation", "preterm birth", "rheumatoid arthritis")
EXPOSURES = ("short sleep", "night shifts", "air pollution", "a high-fibre diet", "early antibiotics", "cold winters")
TASKS = (
    ("tumour grading", "sections", "accuracy"),
    ("protein localisation", "images", "macro F1"),
    ("reaction yield prediction", "reactions", "MAE"),
    ("seizure detection", "recordings", "AUROC"),
    ("crop classification", "pixels", "mean IoU"),
    ("drug response prediction", "cell lines", "Spearman correlation"),
    ("sea-ice forecasting", "months", "RMSE"),
)
DESIGNS = (
    "a graph network with gated long-range edges",
    "a transformer with a two-scale attention",
    "a convolutional network trained with a contrastive loss",
    "a state-space model with a learned step size",
)
STEMS = ("Alto", "Brio", "Cedar", "Delta", "Ember", "Fjord", "Grano", "Halo", "Indra", "Juno")


@dataclass(frozen=True, slots=True)
class _Story:
    """The sentences of one shallow paper; ``rules`` are its truth."""

    title: str
    abstract: str
    introduction: str
    results: str
    discussion: str
    methods: str
    availability: str
    table: Table
    rules: tuple[RuleTruth, ...]
    article_type: str = "Article"
    openalex_type: str = "article"


def entries(seed: int, count: int) -> Iterator[Entry]:
    """``count`` shallow papers for ``seed``, the same ones first whatever the count."""
    venues = tuple(VENUES.values())
    for index in range(count):
        words = Words(seed, f"shallow/{index}")
        story = _story(words)
        venue = words.random.choices(venues, VENUE_WEIGHTS)[0]
        published = dt.date(2022, 1, 1) + dt.timedelta(days=words.number(0, 1460))
        paper = Paper(
            suffix=suffix(venue.suffix_code, published.year, 30_000 + index),
            venue=venue,
            title=story.title,
            article_type=story.article_type,
            published=published,
            authors=words.authors(words.number(2, 4)),
            abstract=story.abstract,
            sections=_sections(story),
            openalex_id=f"W9{200_000_000 + index:09d}",
            tables=(story.table,),
            references=_REFERENCES[index % len(_REFERENCES)],
            formats=frozenset({"html"}),
            template="old" if published.year == 2022 else "new",
            openalex_type=story.openalex_type,
        )
        yield Entry(paper, Truth(story.rules), pages=SHARED_PAGES if index == 0 else ())


def _sections(story: _Story) -> tuple[Section, ...]:
    results = (Paragraph(f"{story.results} Values are given in [#table-1]."), Placement("table", 1))
    return (
        Section("Introduction", 1, (Paragraph(f"{story.introduction} [@1]"),)),
        Section("Results", 1, results),
        Section("Discussion", 1, (Paragraph(f"{story.discussion} [@2]"),)),
        Section("Methods", 1, (Paragraph(story.methods),)),
        Section("Data availability", 1, (Paragraph(story.availability),)),
    )


_REFERENCES = tuple(
    (
        Reference(f"{name}, A. & Ng, B.", f"{topic}: an overview", "J. Gen. Sci.", 2012 + year),
        Reference(f"Jansen, C. & {name}, D.", f"Open questions on {topic.lower()}", "Lett. Sci.", 2015 + year),
    )
    for year, (name, topic) in enumerate(
        (
            ("Moreau", "Methods and materials"),
            ("Petrov", "Models and measurements"),
            ("Takeda", "Cells and tissues"),
            ("Uribe", "Structure and function"),
            ("Vance", "Data and decisions"),
        )
    )
)


# -- stories -----------------------------------------------------------------------


def _story(words: Words) -> _Story:
    kinds: tuple[tuple[Callable[[Words], _Story], int], ...] = (
        (_other_type, 500),
        (_laboratory, 190),
        (_materials, 110),
        (_cohort, 90),
        (_theory, 25),
        (_factors, 20),
        (_attribution, 10),
        (_chip, 8),
        (_resource, 7),
        (_level_two, 20),
        (_level_three, 20),
    )
    return words.random.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0](words)


def _stopped(code: str, quote: str) -> tuple[RuleTruth, ...]:
    return (RuleTruth("1.1", "reject", code, quote),)


def _groups(words: Words, what: str, first: str, second: str) -> Table:
    rows = tuple(
        (name, f"{words.number(10, 40) / 10:.1f}", f"{words.number(30, 90) / 10:.1f}")
        for name in ("Batch 1", "Batch 2", "Batch 3")
    )
    return Table(1, what, (("Batch", first, second),), rows)


def _other_type(words: Words) -> _Story:
    code, stated, openalex_type, _ = words.random.choices(OTHER_TYPES, [weight for *_, weight in OTHER_TYPES])[0]
    condition, process = words.pick(*CONDITIONS), words.pick(*PROCESSES)
    prefix = {"correction": "Author Correction: ", "retraction": "Retraction Note: ", "author_reply": "Reply to: "}.get(
        code, ""
    )
    note = f"the page states the article type {stated}; OpenAlex says {openalex_type}"
    return _Story(
        title=f"{prefix}{process.capitalize()} and {condition}"
        + words.pick("", ": what we know", " in perspective") * (not prefix),
        abstract=f"We look at {process} in {condition}." if code in {"review", "perspective"} else "",
        introduction=f"The role of {process} in {condition} is debated.",
        results=f"Opinions on {process} have changed in the last decade.",
        discussion=f"Better measurements of {process} would help.",
        methods="This text reports no experiments.",
        availability="Not applicable.",
        table=_groups(words, "Studies mentioned", "Before 2015", "Since 2015"),
        rules=(RuleTruth("0", "reject", f"article_type:{code}", note=note),),
        article_type=stated,
        openalex_type=openalex_type,
    )


def _laboratory(words: Words) -> _Story:
    gene, cells, process = words.pick(*GENES), words.pick(*CELLS), words.pick(*PROCESSES)
    claim = words.pick(
        f"Here we show that loss of {gene} impairs {process} in mouse {cells}.",
        f"We report that {gene} is required for {process} of {cells} in vivo.",
        f"Using knock-out mice, we find that {gene} controls {process} in {cells}.",
    )
    return _Story(
        title=words.pick(
            f"{gene} controls {process} in {cells}", f"{process.capitalize()} of {cells} depends on {gene}"
        ),
        abstract=f"What governs {process} of {cells} is incompletely understood. {claim} The effect is reversed by "
        f"re-expression.",
        introduction=f"{cells.capitalize()} undergo {process} after injury. Transcription factors are likely "
        f"regulators.",
        results=f"Immunostaining of tissue from knock-out and wild-type mice showed that {process} was reduced by "
        f"{words.number(31, 68)} %.",
        discussion=f"{gene} links injury to {process}. Whether it does so in human tissue remains to be shown.",
        methods=f"Mice were housed under standard conditions. {cells.capitalize()} were isolated by density gradient "
        f"and stained with antibodies.",
        availability="Sequencing data have been deposited in the Gene Expression Omnibus.",
        table=_groups(words, f"{process.capitalize()} by genotype", "Knock-out", "Wild type"),
        rules=_stopped("non_computational", claim),
    )


def _materials(words: Words) -> _Story:
    compound, use = words.pick(*COMPOUNDS), words.pick(*USES)
    claim = words.pick(
        f"Here we report the synthesis of {compound} that is active in {use}.",
        f"We synthesise {compound} and demonstrate its use in {use}.",
    )
    return _Story(
        title=f"{compound[0].upper()}{compound[1:]} for {use}",
        abstract=f"Materials for {use} are limited by their stability. {claim} It is stable for "
        f"{words.number(2, 9) * 100} hours.",
        introduction=f"Progress in {use} depends on new materials.",
        results="X-ray diffraction confirms a single phase, and electron microscopy shows grains of 40 nm.",
        discussion="The preparation can be scaled. Cheaper precursors are desirable.",
        methods="Precursors were ground, pressed and annealed at 850 °C for 12 h under argon.",
        availability="Source data are provided with this paper.",
        table=_groups(words, "Activity by batch", "Reference", "This work"),
        rules=_stopped("non_computational", claim),
    )


def _cohort(words: Words) -> _Story:
    condition, exposure, people = words.pick(*CONDITIONS), words.pick(*EXPOSURES), words.number(12, 90) * 100
    cue = words.pick(
        "A random forest was used to confirm which covariates matter.",
        "Gradient boosting served to validate the association in the second half of the cohort.",
        "A support vector machine was used to test whether the covariates separate the groups.",
    )
    return _Story(
        title=f"{exposure[0].upper()}{exposure[1:]} and the risk of {condition}",
        abstract=f"In a cohort of {people:,} adults, {exposure} was associated with {condition} "
        f"(hazard ratio {words.number(108, 160) / 100:.2f}).",
        introduction=f"Causes of {condition} that can be avoided are of interest.",
        results=f"The association held after adjustment. {cue}",
        discussion="The study is observational, and confounding cannot be excluded.",
        methods="Participants were followed for eight years by linkage with registries. Cox models were fitted.",
        availability="Individual data are available from the registry on application.",
        table=_groups(words, "Events by exposure", "Exposed", "Not exposed"),
        rules=_stopped("validation_tool_usage", cue),
    )


def _theory(words: Words) -> _Story:
    process = words.pick("spin chains", "elastic networks", "birth–death processes", "driven lattices")
    claim = f"We prove that {process} have at most one stable phase under weak disorder."
    return _Story(
        title=f"Stability of {process} under weak disorder",
        abstract=f"Disorder changes phases of matter. {claim}",
        introduction=f"The behaviour of {process} with disorder is an old question.",
        results="The proof proceeds by induction over the size of the system.",
        discussion="The bound is not expected to be tight for strong disorder.",
        methods="All proofs are given in the Supplementary Information.",
        availability="No data were generated.",
        table=_groups(words, "Values of the bound", "Lower", "Upper"),
        rules=_stopped("non_computational", claim),
    )


def _factors(words: Words) -> _Story:
    task, unit, metric = words.random.choice(TASKS)
    cue = f"The classifier is held fixed, and only the sensors that supply the {unit} are compared."
    return _Story(
        title=f"Which sensor serves {task} best?",
        abstract=f"Sensors for {task} differ in price. {cue} The cheapest is almost as good as the best.",
        introduction=f"Studies of {task} use one sensor each.",
        results=f"Differences in {metric} between sensors are small.",
        discussion="The choice of sensor matters less than its calibration.",
        methods="Three sensors were mounted side by side for a year.",
        availability="Data are available at [https://openbench.example.org/data](https://openbench.example.org/data).",
        table=_groups(words, "Results by sensor", "Cheap", "Costly"),
        rules=_stopped("non_ml_factor_comparison", cue),
    )


def _attribution(words: Words) -> _Story:
    task, unit, _ = words.random.choice(TASKS)
    cue = f"We explain an existing network for {task} by attributing its predictions to parts of the {unit}."
    return _Story(
        title=f"What networks look at in {task}",
        abstract=f"Networks for {task} give no reasons. {cue} They attend to what experts name.",
        introduction="Explanations are asked for wherever decisions are automated.",
        results="Attribution maps agree with expert marks in most cases.",
        discussion="Agreement is no proof of the same reasoning.",
        methods="Integrated gradients were computed with 50 steps.",
        availability="Maps are available at "
        "[https://repository.example.edu/records](https://repository.example.edu/records).",
        table=_groups(words, "Overlap of maps and marks", "First reader", "Second reader"),
        rules=_stopped("attribution_explainability", cue),
    )


def _chip(words: Words) -> _Story:
    task, unit, _ = words.random.choice(TASKS)
    cue = "All results were measured on a photonic chip that was fabricated for this study."
    return _Story(
        title=f"A photonic chip for {task}",
        abstract=f"Optical computing promises low energy. {cue} It classifies {unit} with {words.number(80, 95)} % "
        f"accuracy.",
        introduction="Moving data costs energy, and light moves for free.",
        results="The chip reaches the accuracy of its digital twin within two points.",
        discussion="Thermal drift requires recalibration every hour.",
        methods="Waveguides were etched in silicon nitride.",
        availability="Data are available from Figshare.",
        table=_groups(words, "Energy by run", "Chip", "Twin"),
        rules=_stopped("hardware_dependent", cue),
    )


def _resource(words: Words) -> _Story:
    process = words.pick(*PROCESSES)
    cue = f"We present a database of published measurements of {process}, which can be browsed and downloaded."
    return _Story(
        title=f"A database of {process}",
        abstract=f"Measurements of {process} are scattered. {cue}",
        introduction="Collections make knowledge findable.",
        results=f"The database holds {words.number(2, 9) * 1000:,} entries.",
        discussion="Users may submit entries.",
        methods="Two curators read each paper.",
        availability="The database is at [https://openbench.example.org/data](https://openbench.example.org/data).",
        table=_groups(words, "Entries by source", "Journals", "Preprints"),
        rules=_stopped("other_out_of_scope", cue),
    )


@dataclass(frozen=True, slots=True)
class _Method:
    """A new method with its scores, for the papers that get past rule 1.1."""

    name: str
    task: str
    unit: str
    metric: str
    claim: str
    quality: str
    scoring: str
    table: Table


def _new_method(words: Words) -> _Method:
    task, unit, metric = words.random.choice(TASKS)
    name = words.pick(*STEMS) + words.pick("Net", "Former", "Graph")
    lower = metric in {"MAE", "RMSE"}
    base = words.number(60, 70)
    scores = [base + (-4 if lower else 4) * step + words.number(-1, 1) for step in range(4)]
    rows = [(row, f"0.{score}") for row, score in zip(("Linear model", "Random forest", "MLP"), scores, strict=False)]
    claim = words.pick(
        f"We propose {name}, {words.pick(*DESIGNS)}, for {task}.",
        f"Here we introduce {name}, {words.pick(*DESIGNS)}, for {task}.",
    )
    return _Method(
        name,
        task,
        unit,
        metric,
        claim,
        quality=f"{name} outperforms all baselines, with {metric} of 0.{scores[3]} against 0.{scores[2]} for the MLP.",
        scoring=f"{metric[0].upper()}{metric[1:]} was computed from predictions and labels of the {unit}.",
        table=Table(1, f"Comparison on {unit}", (("Method", metric),), (*rows, (name, f"**0.{scores[3]}**"))),
    )


def _method_story(
    method: _Method, results: str, methods: str, availability: str, rules: tuple[RuleTruth, ...]
) -> _Story:
    return _Story(
        title=f"{method.name} for {method.task}",
        abstract=f"Automatic {method.task} saves work. {method.claim}",
        introduction=f"Many models for {method.task} have been tried.",
        results=results,
        discussion="Larger data sets would allow a closer look.",
        methods=methods,
        availability=availability,
        table=method.table,
        rules=rules,
    )


def _level_two(words: Words) -> _Story:
    method = _new_method(words)
    first = RuleTruth("1.1", "pass", quote=method.claim)
    split = f"The {method.unit} were split once into training and test parts."
    public = "Data are available at [https://openbench.example.org/data](https://openbench.example.org/data)."
    if words.number(0, 1):
        cue = (
            f"{method.name} needs {words.number(2, 9)} ms instead of {words.number(20, 90)} ms for a prediction, at "
            "the accuracy of the MLP."
        )
        rules: tuple[RuleTruth, ...] = (first, RuleTruth("2.1", "reject", "efficiency_metric", cue))
        return _method_story(method, cue, f"{split} {method.scoring}", public, rules)
    cue = (
        f"Three experts rated the predictions for all {method.unit} of the test part, and their ratings are the score."
    )
    rules = (
        first,
        RuleTruth("2.1", "pass", quote=method.quality),
        RuleTruth("2.2", "reject", "human_evaluation", cue),
    )
    return _method_story(method, method.quality, f"{split} {cue}", public, rules)


def _level_three(words: Words) -> _Story:
    method = _new_method(words)
    passes = (
        RuleTruth("1.1", "pass", quote=method.claim),
        RuleTruth("2.1", "pass", quote=method.quality),
        RuleTruth("2.2", "pass", quote=method.scoring),
    )
    if words.number(0, 2):
        cue, code = words.random.choice(
            (
                ("The data are available from the corresponding author on reasonable request.", "on_request"),
                ("Access to the data requires a signed data use agreement.", "agreement_required"),
                (
                    "The data are open to registered researchers who have been approved by the data access committee.",
                    "identity_required",
                ),
            )
        )
        split = f"The {method.unit} were split once into training and test parts."
        rules: tuple[RuleTruth, ...] = (*passes, RuleTruth("3.1", "reject", code, cue))
        return _method_story(method, method.quality, f"{split} {method.scoring}", cue, rules)
    url = "https://openbench.example.org/data"
    sentences = {
        "3.1": f"All {method.unit} are publicly available at {url}.",
        "3.2": f"The files for development hold all {method.unit}.",
        "3.3": "Reference values are stored beside each sample.",
        "3.4": f"We use release 1.0, with {words.number(2, 90) * 100:,} {method.unit}, as deposited.",
    }
    protocol = "All results are means over five-fold cross-validation; there is no separate test set."
    rules = (
        *passes,
        *(RuleTruth(rule, "pass", quote=sentences[rule]) for rule in RULES if rule in sentences),
        RuleTruth("3.5", "reject", "invalid_eval_method", protocol),
    )
    availability = f"{sentences['3.1'].replace(url, f'[{url}]({url})')} {sentences['3.2']} {sentences['3.3']}"
    return _method_story(method, method.quality, f"{sentences['3.4']} {protocol} {method.scoring}", availability, rules)
