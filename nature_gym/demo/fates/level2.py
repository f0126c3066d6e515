"""Papers with a real new method that end at their evaluation: rules 2.1 and 2.2."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nature_gym.demo.fates.composing import Assignment, section
from nature_gym.demo.fates.computational import computational, spoken, with_repository
from nature_gym.demo.fates.kits import KITS, Metric
from nature_gym.demo.fates.scores import main_table
from nature_gym.demo.model import Entry, Figure, Placement, Series, Table

# -- 2.1 ---------------------------------------------------------------------------


def efficiency_metric(assignment: Assignment) -> Entry:
    """The main claim is speed and memory; the error is merely as good as that of others."""
    latency = Metric(
        "Latency (ms)", "lower_is_better", 61.0, 9.0, 1, "latency is the median time of one prediction on one GPU"
    )
    memory = Metric("Memory (GB)", "lower_is_better", 14.5, 2.1, 1, "memory is the peak allocated during a prediction")
    draft = computational(assignment, "pde", style="innovation", metrics=(latency, memory))
    words = assignment.words
    one = draft.sets[0].name
    fast, slow = (draft.scores.printed(row, one, latency) for row in (draft.method, draft.scores.runner_up))
    small, large = (draft.scores.printed(row, one, memory) for row in (draft.method, draft.scores.runner_up))
    draft.superiority = draft.pick(
        f"At an accuracy comparable with that of {draft.scores.runner_up}, {draft.method} needs {fast} ms instead of "
        f"{slow} ms for a prediction and {small} GB instead of {large} GB of memory on {one}.",
        f"The advantage of {draft.method} is its speed: {fast} ms for a prediction on {one}, against {slow} ms, with "
        f"{small} instead of {large} GB of memory, while the error stays the same.",
        unseen=(
            (
                f"{draft.method} predicts no better than {draft.scores.runner_up}, but on {one} it takes {fast} ms "
                f"where {slow} ms were needed, and {small} GB where {large} GB were."
            ),
        ),
    )
    draft.result_in_abstract = f"It cuts the time of a prediction from {slow} to {fast} ms without loss of accuracy."
    draft.scoring = (
        "Latency is the median time of one prediction on one card, memory the peak that is allocated meanwhile."
    )
    errors = [words.number(50, 56) / 1000 for _ in draft.scores.rows]
    draft.tables = [
        replace(draft.tables[0], caption="Cost of a prediction on both data sets"),
        Table(
            2,
            f"Relative L2 on {one}",
            (("Method", "Relative L2"),),
            tuple((row, f"{error:.3f}") for row, error in zip(draft.scores.rows, errors, strict=True)),
        ),
    ]
    sizes = (64.0, 128.0, 256.0, 512.0)
    draft.figures[1] = Figure(
        2,
        "Latency by size of the grid.",
        "lines",
        (
            Series(draft.method, sizes, tuple(round(float(fast) * (size / 128) ** 1.2, 1) for size in sizes)),
            Series(draft.scores.runner_up, sizes, tuple(round(float(slow) * (size / 128) ** 2, 1) for size in sizes)),
        ),
        x_label="Grid points per side",
        y_label="Latency (ms)",
    )
    draft.later_results = [
        section(
            "Accuracy",
            "All methods are equally accurate within the spread of repeated runs ([#table-2]).",
            Placement("table", 2),
            level=2,
        ),
        section(
            "Larger grids",
            "The larger the grid, the larger the saving ([#figure-2]). At 512 points per side "
            f"{draft.scores.runner_up} no longer fits the time step of a controller.",
            Placement("figure", 2),
            level=2,
        ),
    ]
    return with_repository(draft).rejected("2.1", "efficiency_metric")


def model_analysis(assignment: Assignment) -> Entry:
    """A new variant is made in order to study behaviour, not to win."""
    draft = computational(assignment, "neuro", style="innovation", metrics=KITS["neuro"].metrics[:1])
    words, metric, one = assignment.words, draft.metrics[0], draft.sets[0].name
    widths = (16, 32, 64, 128, 256)
    top = words.number(66, 72) / 100
    values = [round(top - 0.2 / (rank + 1), 3) for rank in range(len(widths))]
    draft.superiority = draft.pick(
        f"The purpose of this study is not to exceed earlier decoders but to analyse how the errors of {draft.method} "
        "depend on its width and on the number of recorded units.",
        f"We analyse how width, depth and the number of units shape the behaviour of {draft.method}; no comparison "
        "with other decoders is intended.",
        unseen=(f"How {draft.method} behaves when width, depth and population vary is what we set out to understand.",),
    )
    draft.result_in_abstract = (
        f"Variance explained on {one} saturates at a width of {widths[-2]}, and beyond it the errors of the two "
        "components of velocity become correlated."
    )
    draft.tables = [
        Table(
            1,
            f"{metric.name} of {draft.method} on {one} by width",
            (("Width", metric.name),),
            tuple((str(width), f"{value:.3f}") for width, value in zip(widths, values, strict=True)),
        )
    ]
    draft.figures = [
        draft.figures[0],
        Figure(
            2,
            f"{metric.name} by width.",
            "points",
            (Series(draft.method, tuple(map(float, widths)), tuple(values)),),
            x_label="Width",
            y_label=metric.name,
        ),
    ]
    draft.later_results = [
        section(
            "Behaviour with growing width",
            f"[#table-1] and [#figure-2] show {spoken(metric)} on {one} for five widths. {draft.superiority} Most is "
            f"gained between {widths[0]} and {widths[2]}.",
            Placement("table", 1),
            Placement("figure", 2),
            f"On {draft.sets[1].name} the curve has the same shape and bends one step earlier.",
            level=2,
        ),
        section(
            "Correlated errors",
            "Beyond the point of saturation the residuals of the two components of velocity become correlated, as if "
            "the decoder turned the whole movement by a common angle. Deeper networks show it earlier.",
            level=2,
        ),
    ]
    draft.baselines = (
        "No other decoder was trained. Widths from 16 to 256 and depths from one to four were trained with five seeds "
        "each [@seeds], and values are means over seeds."
    )
    draft.testing = "Widths were compared by a paired test over seeds."
    draft.only_overview = True
    draft.outline = "The following sections vary its size and ask what changes."
    draft.discussion_opening = f"{draft.method} errs in a way that its width determines and its depth does not."
    return with_repository(draft).rejected("2.1", "model_analysis")


def non_competitive_quality(assignment: Assignment) -> Entry:
    """The best baseline is better, and the paper says so."""
    draft = computational(assignment, "rna", place=0.55)
    metric, one, two = draft.metrics[0], draft.sets[0].name, draft.sets[1].name
    scores, name = draft.scores, draft.method
    best = scores.runner_up
    ours, theirs = scores.printed(name, one, metric), scores.printed(best, one, metric)
    draft.title = draft.pick(
        f"Interpretable corrections of RNA folding energies with {name}",
        f"{name} learns corrections of folding energies that can be read",
    )
    draft.superiority = draft.pick(
        f"{name} does not reach the {spoken(metric)} of {best} ({ours} against {theirs} on {one}), but its energies "
        "can be interpreted.",
        f"With {spoken(metric)} of {ours} on {one} {name} falls short of {best}, which reaches {theirs}.",
        unseen=(f"{best} remains ahead on {one}, at {theirs}, while {name} comes to {ours}.",),
    )
    draft.result_in_abstract = (
        f"On {one} and {two} it stays behind the best network ({spoken(metric)} {ours} against {theirs} on {one}) and "
        "offers interpretable energies."
    )
    draft.later_results = [
        section(
            "Energies can be read",
            f"[#figure-2] follows {spoken(metric)} as the training data grow. The corrections that {name} makes are "
            "largest for multiloops, whose parameters are known to be the least certain.",
            Placement("figure", 2),
            "Corrections of the 21 stacks of canonical pairs agree in sign with a re-measurement in 18 cases and in "
            "size in 15. All that disagree hold a wobble pair, which is rare in the training sequences.",
            level=2,
        )
    ]
    draft.tables = draft.tables[:1]
    draft.discussion_opening = (
        f"What {name} offers is insight: its corrections have the units of an energy and can be compared with "
        "experiment."
    )
    return with_repository(draft).rejected("2.1", "non_competitive_quality")


# -- 2.2 ---------------------------------------------------------------------------


def human_evaluation(assignment: Assignment) -> Entry:
    """Scored by pathologists."""
    metric = Metric(
        "Preference (%)",
        "higher_is_better",
        22.0,
        83.0,
        1,
        "preference is the share of tiles on which readers favoured a method",
    )
    draft = computational(assignment, "pathology", metrics=(metric,))
    draft.scoring = draft.pick(
        "Four pathologists, blinded to the method, rated the outlines of every test tile; the preference of these "
        "readers is the metric of this study.",
        "Outlines were scored by a panel of four pathologists, who were shown the results side by side and chose the "
        "better one.",
        unseen=("Four pathologists judged the results, and their choices are the numbers that we report.",),
    )
    draft.more_methods.append(
        section(
            "Readers",
            "The four had between six and 22 years of practice and came from three hospitals. Each tile was shown "
            "twice, in random order and with sides exchanged; the same choice was made in 91 % of repetitions. Ties "
            "were not allowed. A session lasted for no more than 40 minutes.",
            level=2,
        )
    )
    return with_repository(draft).rejected("2.2", "human_evaluation")


def visual_inspection(assignment: Assignment) -> Entry:
    """Scored by looking."""
    metric = Metric(
        "Cleanliness (%)",
        "higher_is_better",
        31.0,
        88.0,
        1,
        "a micrograph is clean if nothing wrong is seen on it",
    )
    draft = computational(assignment, "cryoem", metrics=(metric,))
    draft.scoring = draft.pick(
        "Results were assessed by visual inspection: a micrograph counts as clean if no false pick is apparent to "
        "the eye.",
        "We inspected all picks visually and counted the micrographs that look clean.",
        unseen=("Whether a micrograph is clean was decided by looking at it.",),
    )
    draft.more_methods.append(
        section(
            "Inspection",
            "Two of the authors went through the micrographs on a calibrated screen, at full resolution and with picks "
            "as open circles that could be switched off. They agreed on 88 % of them; the rest was settled by a third. "
            "A micrograph on which nothing was picked was not called clean unless it was empty.",
            level=2,
        )
    )
    return with_repository(draft).rejected("2.2", "visual_inspection")


def black_box_tool(assignment: Assignment) -> Entry:
    """Scored by a vendor's program."""
    metric = Metric("Match score", "higher_is_better", 512.0, 861.0, 0, "the match score runs from 0 to 999")
    draft = computational(assignment, "spectra", metrics=(metric,))
    draft.scoring = draft.pick(
        "The match score is computed by the proprietary software of the instrument's maker, whose algorithm is not "
        "disclosed.",
        "Spectra were scored with the closed-source library search of the vendor's software suite; its formula is "
        "not published.",
        unseen=(
            "Scores come from the vendor's commercial search program, and how it arrives at them is a trade secret.",
        ),
    )
    return with_repository(draft).rejected("2.2", "black_box_tool")


def depends_on_algorithm(assignment: Assignment) -> Entry:
    """Scored in the latent space of the method itself."""
    metric = Metric("Latent agreement", "higher_is_better", 0.52, 0.91, 3, "agreement is a mean cosine")
    draft = computational(assignment, "cells", metrics=(metric,))
    draft.scoring = draft.pick(
        "Latent agreement is the mean cosine between the embeddings of prediction and reference under the trained "
        f"encoder of {draft.method}.",
        f"To compute latent agreement, prediction and reference are embedded with our own {draft.method} encoder and "
        "compared by their cosine.",
        unseen=(
            (
                f"The yardstick is the latent space of {draft.method} itself: prediction and reference are embedded "
                "there and compared."
            ),
        ),
    )
    return with_repository(draft).rejected("2.2", "depends_on_algorithm")


def external_service(assignment: Assignment) -> Entry:
    """Scored by a service on the web."""
    metric = Metric("Route score", "higher_is_better", 4.1, 8.6, 1, "the route score runs from 0 to 10")
    draft = computational(assignment, "retro", metrics=(metric,))
    draft.scoring = draft.pick(
        "Every proposal was graded from 0 to 10 by a hosted language model through its web API.",
        "The route score is returned by an online service, to which all proposals were submitted in March.",
        unseen=("We sent the proposals to a commercial chat service and took the grade that it answered.",),
    )
    return with_repository(draft).rejected("2.2", "external_service")


def table_with_spread(assignment: Assignment) -> Entry:
    """As ``depends_on_algorithm``, in a field where the reward model is the method's own, with ± in the table."""
    metric = Metric("Learned reward", "higher_is_better", 0.33, 0.81, 2, "the reward is a number between 0 and 1")
    draft = computational(assignment, "drugs", name=1, metrics=(metric,))
    draft.tables[0] = main_table(
        draft.scores, draft.caption, spread=assignment.words, note="Mean ± s.d. of five seeds."
    )
    draft.scoring = draft.pick(
        f"The learned reward is given by the discriminator that is trained together with {draft.method}.",
        f"As a metric we use the reward model of {draft.method}, which is part of its training loop.",
        unseen=(f"Scores are read from the critic that grew up with {draft.method}.",),
    )
    return with_repository(draft).rejected("2.2", "depends_on_algorithm")


FATES: tuple[Callable[[Assignment], Entry], ...] = (
    efficiency_metric,
    model_analysis,
    non_competitive_quality,
    human_evaluation,
    visual_inspection,
    black_box_tool,
    depends_on_algorithm,
    external_service,
    table_with_spread,
)
