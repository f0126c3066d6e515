"""The ways in which groups go at the problem of a kit: a model each, and what only their paper says.

Papers that share a kit share its field: data, baselines and references. The model and the turns of
introduction, results and discussion are here, one :class:`Approach` for each name of a method.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from nature_gym.demo.fates.kits import Kit


@dataclass(frozen=True, slots=True)
class Model:
    """What takes the place of the kit's own model; fields as in the kit."""

    design: str
    mechanism: tuple[str, str]
    equation: str
    parts: tuple[str, str, str]
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Approach:
    """What one paper says of its own: texts in inline markup, and a model unless it is the kit's."""

    demand: str
    """For the introduction: what is asked of a model."""
    preparation: str
    difficult: str
    """For the results: where errors remain."""
    aside: str
    """For the discussion."""
    model: Model | None = None

    def of(self, kit: Kit) -> Kit:
        """The kit with this approach's model."""
        if self.model is None:
            return kit
        one = self.model
        return replace(
            kit,
            design=one.design,
            mechanism=one.mechanism,
            equation=one.equation,
            parts=one.parts,
            steps=one.steps,
        )


APPROACHES: Mapping[str, tuple[Approach, ...]] = {
    "cells": (
        Approach(
            demand="A useful classifier has to name common types without effort and rare ones without accident. "
            "Reports of overall accuracy speak of the first, since three types make up half of most tissues "
            "[@leakage].",
            preparation="Counts were normalised to 10,000 per cell; variable genes were chosen on training donors "
            "alone.",
            difficult="Mistakes cluster among the segments of the tubule, whose profiles shade into one another. Two "
            "of three confusions are between neighbours on the nephron, and experts disagree there as well.",
            aside="That the protocol can be hidden from the classifier without loss was not expected. It suggests that "
            "the modules carry little of it to begin with, because pooling averages over genes with opposite bias.",
        ),
        Approach(
            demand="Not all mistakes are equal: to confuse two kinds of T cell is forgivable, to call an epithelial "
            "cell a lymphocyte is not. Flat classifiers are trained as if it were [@leakage].",
            preparation="Doublets were removed by simulation, and genes found in fewer than ten cells were dropped.",
            difficult="Ionocytes and tuft cells, which share a precursor, are exchanged most often. Where a cell has "
            "fewer than 800 counts the classifier stops at an inner node of its tree, which we count as a mistake.",
            aside="The estimated tree resembles the one that anatomists draw, but for the stromal branch, which it "
            "splits by activation and not by place. Imposing the textbook tree costs accuracy.",
            model=Model(
                "a hierarchical classifier over an estimated tree of types with a loss that grows with the distance of "
                "a mistake",
                (
                    (
                        "Log counts pass through three residual layers. Every inner node of a tree of types, which is "
                        "estimated from the confusions of a first round, decides between its branches, and a cell's "
                        "probability of a type is the product along the path."
                    ),
                    (
                        "The loss of a cell is the expected path length between predicted and true leaf. A tenth of "
                        "the genes is masked at random in each batch."
                    ),
                ),
                r"\mathcal{L} = \sum_{t} p_\theta(t \mid x)\, d(t, t^{\star})",
                ("the type tree", "the distance-aware loss", "gene masking"),
                ("Counts", "Residual encoder", "Node decisions", "Path product", "Cell types"),
            ),
        ),
        Approach(
            demand="Annotation by example is what curators do: they hold a new cell against cells that they know. A "
            "model that works in the same way can show its examples when it is asked for reasons.",
            preparation="Raw counts were transformed by their square root and scaled by the total of the cell.",
            difficult="Cells of the smallest donor are labelled worst, by any method. The examples shown for them come "
            "from one other donor in most cases, whose tissue was stored equally long.",
            aside="Two hundred reference cells suffice for what a full reference does. Curators who looked through "
            "them found 11 that were mislabelled, and replacing these raised the scores slightly.",
            model=Model(
                "a prototype network whose prototypes are small sets of reference cells chosen during training",
                (
                    (
                        "A cell is embedded by a two-layer network and compared with sets of eight reference cells "
                        "each. Which cells make up a set is decided by a relaxed selection that hardens as training "
                        "goes on."
                    ),
                    (
                        "The distance to a set is the smallest distance to the hull of its members. Batches hold equal "
                        "numbers of cells from all donors."
                    ),
                ),
                r"p(t \mid x) \propto \sum_{S \in \mathcal{S}_t} \exp\left(-d(\phi(x), \phi(S))\right)",
                ("learned sets", "the hull distance", "donor-balanced batches"),
                ("Counts", "Embedding", "Reference sets", "Distances", "Cell types"),
            ),
        ),
    ),
    "proteins": (
        Approach(
            demand="The sign of a stability change must flip when the mutation is undone. Predictors that were trained "
            "on destabilising variants know this rule at best by heart, and break it on the reverse mutation "
            "[@leakage].",
            preparation="Variants measured twice were averaged; values beyond the range of the assay were dropped.",
            difficult="Substitutions by proline and those of buried charges have the largest errors. For proline the "
            "sign is nearly always right and the size is not.",
            aside="Antisymmetry by construction halves the space of functions to be learned, and it costs nothing at "
            "prediction time. We see no reason to leave it to augmentation.",
        ),
        Approach(
            demand="What laboratories ask for is an order among the variants of one protein, not a number for each of "
            "them. Correlations over pooled proteins mix the two, and flatter those that know the protein's mean.",
            preparation="Free energies were centred within each protein, and proteins with fewer than 40 variants were "
            "left out of training.",
            difficult="Ranks are worst within active sites, where function and stability pull in different "
            "directions and the profile reports function. Leaving these positions out raises the correlation by 0.04.",
            aside="Ranking within a protein lets data sets be joined whose scales differ. We expect that assays other "
            "than proteolysis can be added without calibration.",
            model=Model(
                "a within-protein ranking network over a window of structure tokens with a shared reference state",
                (
                    (
                        "Each residue is given one of 20 structure tokens, predicted from sequence. A window of 21 "
                        "residues and tokens is read by six attention layers for the wild type and for the mutant."
                    ),
                    (
                        "Scores enter a pairwise logistic loss over variants of the same protein; a learned reference "
                        "state for each residue type absorbs the unfolded ensemble."
                    ),
                ),
                r"\mathcal{L} = \sum_{i, j} \log\left(1 + e^{-y_{ij} (s_i - s_j)}\right)",
                ("the pairwise loss", "structure tokens", "the reference state"),
                ("Sequence", "Structure tokens", "Window attention", "Scores", "Ranking"),
            ),
        ),
    ),
    "materials": (
        Approach(
            demand="Two polymorphs with the same formula may differ by an electronvolt. A model that screens for "
            "gaps has to tell them apart, and an average over all crystals hardly notices whether it does [@leakage].",
            preparation="Structures with more than 120 atoms per cell were left out, and duplicates were removed by "
            "their fingerprints before the split.",
            difficult="Compounds with open *f* shells stand out, as they do for the functional from which the "
            "reference gaps were taken. Without them the error falls by a tenth.",
            aside="Separating the question whether there is a gap from the question how large it is removed a bias "
            "that all baselines share: they place narrow gaps where there is none.",
        ),
        Approach(
            demand="Crystals are periodic, and a model that cuts its graph at six ångström is blind to what lies "
            "beyond. Gaps of ionic compounds depend on sums that converge much later [@leakage].",
            preparation="Lattices were reduced to their Niggli form, and formal charges were assigned by bond valence.",
            difficult="Layered compounds with weak stacking are the hard cases. Sliding one layer by half a cell "
            "changes the computed gap by up to 0.4 eV, and the prediction by 0.1 eV.",
            aside="The reciprocal branch contributes most where charges are large, as it should. For elemental "
            "crystals it can be switched off without effect.",
            model=Model(
                "a graph network with a reciprocal-space branch for long-range order",
                (
                    (
                        "Bonds within the first coordination shell carry messages between atoms. A second branch sums "
                        "learned charges over 124 reciprocal vectors, as an Ewald sum does, and returns a potential to "
                        "each atom."
                    ),
                    (
                        "Atom states are read out by the smallest difference between an occupied and an empty level "
                        "that the states predict, so that the gap is a property of the whole crystal and not a mean."
                    ),
                ),
                r"V_i = \sum_{k} \frac{e^{-\sigma^2 k^2 / 2}}{k^2}\, S(k)\, e^{i k \cdot r_i}",
                ("the reciprocal branch", "the level read-out", "bond-valence charges"),
                ("Structure", "Bond graph", "Reciprocal sum", "Levels", "Gap"),
            ),
        ),
        Approach(
            demand="Most gaps in the literature were computed with cheap functionals, which underestimate them; few "
            "with expensive ones. A good model should take what the many know and say what the few would.",
            preparation="Every structure carries a semilocal gap, computed with the same settings for all of them.",
            difficult="Errors grow with the distance between the two functionals. Transition-metal oxides, for which "
            "they differ by more than two electronvolts, account for most of what remains.",
            aside="It has been argued that a linear correction of semilocal gaps is all one needs. On our data it "
            "leaves twice the error, since the correction depends on the chemistry of the anion.",
            model=Model(
                "a two-fidelity graph network that predicts the correction of a semilocal gap and shares its trunk "
                "with the gap itself",
                (
                    (
                        "One trunk of five message-passing layers serves two heads. The first reproduces the semilocal "
                        "gap, of which there are plenty; the second adds a correction that is bounded by the first."
                    ),
                    (
                        "Batches mix both kinds of labels in a proportion that shifts from nine to one towards one "
                        "to one during training."
                    ),
                ),
                r"\hat{E}_g = \hat{E}_{\mathrm{semi}} + \kappa\, \tanh\left(c_\theta(h)\right)",
                ("the correction head", "the shared trunk", "the mixing schedule"),
                ("Structure", "Shared trunk", "Semilocal gap", "Correction", "Gap"),
            ),
        ),
    ),
    "rain": (
        Approach(
            demand="A forecast that is right on average and never shows more than drizzle is of no use to a control "
            "room. Scores have to be read at the intensity at which somebody acts [@leakage].",
            preparation="Clutter was removed with a static map, and rates below 0.1 mm per hour were set to zero.",
            difficult="Initiation is where all methods fail: a cell that is not on the last image is missed in 83 % of "
            "cases. Growth of existing cells is anticipated by some ten minutes.",
            aside="Advection, once it is built in, does not have to be learned, and what is left for the network is "
            "the part that varies with the weather. This may be why it needs fewer years of data.",
        ),
        Approach(
            demand="Storms are things: they are born, merge, split and die. Networks that paint pixels have no "
            "notion of them, and forecasters who read their output have to find the storms again.",
            preparation="Reflectivity was converted to rain rate with one relation for all seasons, and composites "
            "were regridded to 2 km.",
            difficult="Merging cells are handled worse than splitting ones. In squall lines, where a cell has no "
            "outline of its own, the forecast falls back to the flow of the whole line.",
            aside="Objects shorten the memory that a network needs. Ours keeps the age of a cell explicitly, and age "
            "turned out to be the best single predictor of decay.",
            model=Model(
                "an object-centred forecaster that tracks convective cells and evolves each of them with a shared "
                "recurrent network",
                (
                    (
                        "Cells are found by a watershed on the rain rate and linked between frames by their overlap. A "
                        "recurrent network, the same for every cell, updates position, area, peak and age."
                    ),
                    (
                        "The evolved cells are drawn back onto the grid by a decoder that adds stratiform rain from a "
                        "low-resolution branch."
                    ),
                ),
                r"s_{t+1}^{(c)} = s_t^{(c)} + R_\theta\left(s_t^{(c)}, \bar{s}_t, a_t\right)",
                ("cell objects", "the age of cells", "the stratiform branch"),
                ("Radar frames", "Cells", "Tracks", "Recurrent update", "Forecast"),
            ),
        ),
        Approach(
            demand="Water is conserved, if one counts what falls. A network that lets rain appear anywhere will use "
            "that freedom, and its totals over a catchment drift away from those of the gauges [@leakage].",
            preparation="Composites were corrected with gauges by month; missing frames were interpolated if single, "
            "and sequences with longer gaps were dropped.",
            difficult="Totals over catchments smaller than 50 km^2^ are still off by a third at two hours. The error "
            "is one of position: shifting the forecast by its best offset halves it.",
            aside="A source term that must be paid for is used sparingly: 90 % of the forecast rain stems from rain "
            "that was there. The remaining tenth sits along slopes, where air is lifted.",
            model=Model(
                "an advection-constrained recurrent network whose sources and sinks of rain are bounded by a budget",
                (
                    (
                        "The last image is moved by a divergence-limited flow that the network predicts for each "
                        "step. A second output, with the dimension of a rate, adds and removes rain."
                    ),
                    (
                        "The integral of the second output over the domain is penalised beyond a budget that depends "
                        "on the season, so that rain has to come from somewhere."
                    ),
                ),
                r"\partial_t r + \nabla \cdot (u r) = S_\theta, \quad \int |S_\theta| \leq B",
                ("the budget", "the predicted flow", "the source term"),
                ("Radar frames", "Flow", "Transport", "Sources and sinks", "Forecast"),
            ),
        ),
    ),
    "battery": (
        Approach(
            demand="Cells of one batch age alike, and a model may learn the batch instead of the ageing. What counts "
            "is whether it orders cells under protocols that it has not seen [@leakage].",
            preparation="Cycles with interruptions of more than a day were removed, and temperatures were not used.",
            difficult="Cells that fail early through a defect are predicted to live. There are five of them in both "
            "sets together, and they account for most of the squared error.",
            aside="The decoder's promise, a capacity that only falls, is broken by real cells after a rest. The "
            "recovery is a matter of one or two parts in a thousand, and we preferred to ignore it.",
        ),
        Approach(
            demand="Capacity is lost by several mechanisms at once, and each leaves its mark on another part of the "
            "curve. A model that sums up a curve in ten numbers has mixed them before it starts.",
            preparation="Voltage curves were smoothed with a spline and differentiated on a grid of 200 points.",
            difficult="The knee is found within 40 cycles for most cells. Where lithium plates, the curve shows it "
            "late and the prediction is late as well.",
            aside="The three components were not told what they stand for. Two of them follow loss of lithium and "
            "loss of cathode as seen in post-mortem analyses of other cells of the type; the third we cannot name.",
            model=Model(
                "a two-axis transformer with a mixture of ageing components that are fitted to incremental capacity",
                (
                    (
                        "Incremental-capacity curves of all cycles form an image, over which attention runs along "
                        "voltage and along time in turn. Three component curves are read out for each cell."
                    ),
                    (
                        "Each component grows with its own power of the cycle number; the sum of the three is the lost "
                        "capacity, from which the end of life follows."
                    ),
                ),
                r"Q(n) = Q_0 - \sum_{m=1}^{3} a_m n^{b_m}",
                ("ageing components", "attention along voltage", "incremental capacity"),
                ("Curves", "Incremental capacity", "Two-axis attention", "Components", "Cycle life"),
            ),
        ),
        Approach(
            demand="A maker who wants to sort cells has ten cycles, not a hundred. How much accuracy is lost with each "
            "cycle that is not waited for should be part of a report, and seldom is.",
            preparation="Currents were normalised by the nominal capacity, and cells with fewer than 200 cycles "
            "until the end of life were kept.",
            difficult="Under driving profiles the first cycles tell little, since no two of them are alike. The model "
            "then leans on the rests between them.",
            aside="Pretraining on pairs of cycles cost no label and brought as much as doubling the number of cells. "
            "Formation data, which every maker has, would be the obvious thing to pretrain on.",
            model=Model(
                "a two-axis transformer over cycles that is pretrained to tell which of two cycles came first",
                (
                    (
                        "Charge and discharge of a cycle are cut into 32 pieces of equal charge. Encoded cycles are "
                        "compared in pairs, and the network learns to say which is the older one."
                    ),
                    (
                        "A small head on the frozen encoder then maps the first hundred cycles to the logarithm of the "
                        "cycle life."
                    ),
                ),
                r"P(n > m) = \sigma\left(g_\theta(x_n) - g_\theta(x_m)\right)",
                ("pretraining on order", "pieces of equal charge", "the frozen encoder"),
                ("Curves", "Pieces", "Cycle encoder", "Order", "Cycle life"),
            ),
        ),
    ),
    "ecg": (
        Approach(
            demand="Leads fall off, are swapped, or carry mains hum, and a detector that was trained on clean "
            "recordings reports a rhythm all the same. Robustness to this has to be part of the model and of its "
            "evaluation.",
            preparation="Recordings were resampled to 250 Hz and high-pass filtered at 0.5 Hz; amplitudes were left as "
            "they were.",
            difficult="Atrial flutter with regular conduction is taken for sinus tachycardia in one case out of six. "
            "Cardiologists who saw the same ten seconds did hardly better.",
            aside="With six leads missing the network loses two points, the best baseline nine. Half of the robustness "
            "comes from dropout and half from the graph, and neither suffices alone.",
        ),
        Approach(
            demand="Ten seconds hold a dozen beats, most of them normal. A network that averages over them dilutes the "
            "one that matters, and a network that picks the strangest beat finds artefacts [@leakage].",
            preparation="Baseline wander was removed with a median filter of 0.6 s, and recordings were cut to a "
            "common length of 5,000 samples.",
            difficult="Single premature beats at the border of a recording are missed, since the pause that follows "
            "them is cut off. Classes that concern every beat are recognised almost without error.",
            aside="Attention over beats can be printed beside the recording, and the beats that it names are those "
            "that a cardiologist would name. We do not take this for an explanation, but it makes review faster.",
            model=Model(
                "a beat-set network that aligns beats by a learned warp and pools them with sparse attention",
                (
                    (
                        "Beats are cut at peaks of a learned energy, aligned by a monotone warp, and embedded; "
                        "intervals between them enter as a second sequence."
                    ),
                    (
                        "Pooling uses sparsemax, so that most beats receive a weight of zero. A rhythm head reads the "
                        "intervals, a morphology head the pooled beats, and both vote."
                    ),
                ),
                r"z = \sum_b \mathrm{sparsemax}_b\left(q^{\top} \phi(x_b)\right) \phi(x_b)",
                ("sparse pooling", "the learned warp", "the rhythm head"),
                ("Leads", "Beats", "Alignment", "Sparse pooling", "Rhythm classes"),
            ),
        ),
        Approach(
            demand="Labels of electrocardiograms are statements of readers, and readers disagree. A model that is "
            "trained to certainty on uncertain labels will be certain of its mistakes.",
            preparation="Where several readers had labelled a recording, the share of votes was kept as the label.",
            difficult="Low-voltage recordings of obese participants have twice the average error. Raising their "
            "amplitude before prediction does not help, which points to noise.",
            aside="Soft labels changed the scores little and the calibration much. With hard labels, predictions above "
            "0.9 were right in 78 % of cases; with soft ones, in 91 %.",
            model=Model(
                "a lead-permutation-equivariant network whose labels are distributions over readers",
                (
                    (
                        "Leads are tokens without order; a transformer mixes them at four time scales, and a lead's "
                        "name enters as an embedding that may be missing."
                    ),
                    (
                        "The output is a Dirichlet distribution for each class, fitted to the votes of the readers; "
                        "its spread grows where readers disagree."
                    ),
                ),
                r"\mathcal{L} = -\log \int p(v \mid \pi)\, \mathrm{Dir}(\pi \mid \alpha_\theta(x))\, d\pi",
                ("reader distributions", "lead tokens", "time scales"),
                ("Leads", "Lead tokens", "Time scales", "Dirichlet head", "Rhythm classes"),
            ),
        ),
    ),
    "pathology": (
        Approach(
            demand="A grade depends on whether two glands are one. Pixel scores barely register the bridge of three "
            "pixels that decides it [@leakage].",
            preparation="Tiles were normalised to a reference stain, and those with less than 5 % tissue were dropped.",
            difficult="Cribriform glands, with several lumina in one outline, are split. Enlarging the tile to 1,024 "
            "pixels repairs half of these cases at four times the memory.",
            aside="The flow is a by-product that proved useful by itself: where its divergence is diffuse, readers "
            "do not agree on the outline either.",
        ),
        Approach(
            demand="Glands have an inside. The lumen is easier to find than the border, and a person who outlines a "
            "gland starts from it, whereas networks start everywhere at once.",
            preparation="Colours were separated into haematoxylin and eosin by a fixed matrix, and tiles were padded "
            "by reflection.",
            difficult="Glands cut at a slant show no lumen and are found only if their nuclei form a ring. In prostate "
            "sections this is one gland in nine.",
            aside="Growing outlines from lumina yields an order of glands by certainty, since the growth stops late "
            "where the border is weak. Readers found this order useful for review.",
            model=Model(
                "a lumen-seeded segmentation network that grows outlines by a learned level set",
                (
                    (
                        "A first head marks lumina, closed or open. From each of them a level set expands with a speed "
                        "that a second head predicts for every pixel."
                    ),
                    (
                        "Expansion is unrolled for 40 steps and differentiable, so that speed is trained on the final "
                        "outlines; where two fronts meet, both stop."
                    ),
                ),
                r"\partial_t \phi + v_\theta(x)\, |\nabla \phi| = 0",
                ("lumen seeds", "the learned speed", "front collisions"),
                ("Tile", "Lumina", "Speed field", "Level set", "Glands"),
            ),
        ),
        Approach(
            demand="Outlines drawn by two pathologists differ by eight pixels on average. A model that is asked for "
            "one outline has to average over them, and an average of outlines need not be an outline [@leakage].",
            preparation="Tiles were augmented by elastic deformation and by exchange of stain vectors between slides.",
            difficult="Mucin lakes are outlined as if they were glands, and necrotic debris inside a gland is cut "
            "out of it. Both are rare in the training tiles and common in advanced tumours.",
            aside="Sampling several outlines takes seconds for each tile, and most of a slide does not need it. One "
            "could sample where the first outline has been drawn in doubt.",
            model=Model(
                "an encoder–decoder that samples outlines by a conditional flow over contour points",
                (
                    (
                        "Each gland is a closed curve of 64 points. A normalising flow, conditioned on features "
                        "along the curve, maps noise to displacements of the points."
                    ),
                    (
                        "The likelihood of all annotations of a gland is maximised, so that disagreement between "
                        "readers becomes spread of the samples. The median outline is evaluated."
                    ),
                ),
                r"\log p(c \mid x) = \log p_0(f_\theta(c; x)) + \log \left|\det J_{f_\theta}\right|",
                ("the contour flow", "features along the curve", "all annotations"),
                ("Tile", "Encoder", "Initial curves", "Contour flow", "Glands"),
            ),
        ),
    ),
    "variants": (
        Approach(
            demand="Within a locus one variant is causal and its neighbours are correlated with it. A score that is "
            "assigned to each variant by itself cannot use what this implies [@leakage].",
            preparation="Loci with more than 400 variants were thinned by correlation, and both strands were averaged.",
            difficult="Loci with several signals remain hard; the network puts its weight on the stronger one. "
            "Variants in repeats are ranked low throughout, rightly or not.",
            aside="Trained on posterior probabilities, the network inherits the prior of fine-mapping. We examined "
            "loci whose causal variant is known from experiments, and the order of methods held.",
        ),
        Approach(
            demand="Most causal variants act in few cell types, and an annotation that is averaged over hundreds of "
            "tissues drowns them. A ranking should say where it expects an effect.",
            preparation="Tracks were averaged in bins of 32 bases and scaled by the 99th percentile of their "
            "chromosome.",
            difficult="Promoter variants of genes that are expressed everywhere are ranked too high, since every "
            "tissue speaks for them. Insertions and deletions have larger errors than substitutions.",
            aside="Which tissue the gate opens for can be read off. For blood traits it names progenitors more often "
            "than mature cells, which agrees with what is known of heritability.",
            model=Model(
                "a tissue-gated sequence network that compares both alleles track by track",
                (
                    (
                        "Both alleles pass through a convolutional trunk that predicts 412 tracks. Differences "
                        "between the alleles are weighted by a gate that depends on the trait."
                    ),
                    (
                        "The gate is sparse and shared by all loci of a trait. It is learned together with the "
                        "ranking and starts from enrichment estimates."
                    ),
                ),
                r"s(v) = \sum_t g_t\, \left|f_t(\mathrm{alt}) - f_t(\mathrm{ref})\right|",
                ("the tissue gate", "allele differences", "the shared trunk"),
                ("Alleles", "Tracks", "Differences", "Tissue gate", "Ranking"),
            ),
        ),
    ),
    "neuro": (
        Approach(
            demand="Electrodes move by micrometres, and the neuron that encoded leftward reaches yesterday is "
            "another one today. Whether a decoder survives this is a question of days and not of trials [@leakage].",
            preparation="Spikes were binned at 20 ms, and units that fired less than once in two seconds were left "
            "out.",
            difficult="Errors are largest at the start of a reach, before the hand moves. Units whose description "
            "changes within a session are the ones on which most errors depend.",
            aside="A description that takes one minute of unlabelled activity is cheap. What it cannot tell is a unit "
            "that has fallen silent from one that has not been asked yet.",
        ),
        Approach(
            demand="Two recordings from the same animal share no electrode labels, but they share an animal. What "
            "carries over from day to day must be found in the joint activity, since single neurons do not.",
            preparation="Counts were smoothed with a Gaussian of 40 ms and square-root transformed.",
            difficult="Reaches with a change of direction are decoded with a lag of about 60 ms. The lag is the same "
            "for all decoders, and shorter for units in deeper layers.",
            aside="Bridging was trained on pairs of days and works for days that were not paired. After 12 days "
            "without a label it is still above the aligned baseline on the first.",
            model=Model(
                "a latent-bridge decoder that translates the population of one day into that of another",
                (
                    (
                        "An encoder for each day maps counts to 12 latent dimensions. Bridges between days are "
                        "rotations that match the distribution of latent paths, estimated without labels."
                    ),
                    (
                        "A single decoder reads the rotated latents. Rotations are composed along a chain of days, and "
                        "chains that close are penalised for not returning to the start."
                    ),
                ),
                r"R_{ab} = \arg\min_{R} W_2\left(R\, z^{(a)}, z^{(b)}\right)",
                ("day rotations", "the closed-chain penalty", "day encoders"),
                ("Spike counts", "Day encoder", "Rotation", "Shared decoder", "Velocity"),
            ),
        ),
        Approach(
            demand="Arms obey mechanics. A decoder that reports velocities which no muscle could produce has ignored "
            "the one thing that is certain about its output.",
            preparation="Hand positions were differentiated with a Savitzky–Golay filter, and trials with a pause of "
            "more than 300 ms were left out.",
            difficult="Slow movements near the target are overestimated. The mechanical model wants a force there, and "
            "the animal merely relaxes.",
            aside="The inferred torques have not been checked against muscle activity, which was not recorded. They "
            "are smooth and of plausible size, and more cannot be said.",
            model=Model(
                "a recurrent decoder that infers joint torques and integrates a two-link arm",
                (
                    (
                        "Counts drive a gated recurrent network whose outputs are torques at shoulder and elbow. A "
                        "two-link arm with fixed masses and learned damping turns them into movement."
                    ),
                    (
                        "Integration is differentiable and runs at 5 ms, four times for each bin. The loss is taken on "
                        "hand velocity alone, so that torques are free to be what the arm needs."
                    ),
                ),
                r"M(q)\, \ddot{q} + C(q, \dot{q})\, \dot{q} + D\, \dot{q} = \tau_\theta(n_{\leq t})",
                ("the arm model", "torque outputs", "learned damping"),
                ("Spike counts", "Recurrent network", "Torques", "Two-link arm", "Velocity"),
            ),
        ),
    ),
    "cryoem": (
        Approach(
            demand="Nobody marks every particle of a micrograph. A detector that takes the unmarked ones for "
            "background learns to miss what the annotator missed [@leakage].",
            preparation="Micrographs were binned to 3 Å per pixel and divided by a fitted background.",
            difficult="False picks gather along carbon edges and on ethane contamination. At high defocus two "
            "neighbours are picked as one.",
            aside="That the contrast transfer function is known, and need not be learned from examples, is easily "
            "forgotten. Supplying it made the detector indifferent to defocus over a range of 2 µm.",
        ),
        Approach(
            demand="Particles lie in preferred orientations, and a picker that likes one view better than others makes "
            "this worse. The views among its picks matter as much as their number.",
            preparation="Movies were summed with dose weighting, and micrographs worse than 8 Å by their Thon rings "
            "were excluded.",
            difficult="Side views of flat particles are missed three times as often as top views. Overlapping "
            "particles, which a person would skip, are picked and are a nuisance later.",
            aside="Balancing views costs some precision, since rare views resemble junk. How much of it is worth "
            "paying depends on the particle; we chose a tenth for all of them.",
            model=Model(
                "a positive–unlabelled detector that balances the views among its picks",
                (
                    (
                        "A detector proposes centres, and a small encoder maps each proposal to a sphere, on which "
                        "views of a particle spread out."
                    ),
                    (
                        "The unlabelled risk is reweighted so that the density of accepted proposals on the sphere "
                        "becomes even. The weights are updated once in an epoch."
                    ),
                ),
                r"w_i \propto \left(\sum_j K(z_i, z_j)\right)^{-1/2}",
                ("view weights", "the view encoder", "the unlabelled risk"),
                ("Micrograph", "Proposals", "View sphere", "Reweighting", "Coordinates"),
            ),
        ),
        Approach(
            demand="Ice is not uniform, and crystals of it are round, bright and about as large as a small protein. A "
            "picker needs to know ice, and it can be taught ice from micrographs without any particle [@leakage].",
            preparation="Micrographs were low-pass filtered at 15 Å and scaled to unit variance in blocks of 512 "
            "pixels.",
            difficult="Particles at the rim of a hole, where ice is thick, are found in two cases out of three. "
            "Closely packed ones are found, and placed one or two pixels towards each other.",
            aside="Empty exposures are made at every session and thrown away. Keeping a hundred of them would give "
            "each laboratory an ice model of its own microscope.",
            model=Model(
                "a positive–unlabelled detector with an ice model that was learned on empty exposures",
                (
                    (
                        "A small autoregressive network is trained on exposures without particles and then frozen. "
                        "What it cannot predict of a micrograph is passed to the detector."
                    ),
                    (
                        "The detector is trained on surprise and not on intensity; its threshold follows from the "
                        "surprise of empty exposures."
                    ),
                ),
                r"s(x) = -\log p_{\mathrm{ice}}(x_u \mid x_{<u})",
                ("the ice model", "the surprise map", "the unlabelled risk"),
                ("Micrograph", "Ice model", "Surprise map", "Detector", "Coordinates"),
            ),
        ),
    ),
    "drugs": (
        Approach(
            demand="A drug that enters the market has no known partners. Methods that score well on pairs of known "
            "drugs may have learned who is popular [@leakage].",
            preparation="Drugs were matched by their international names, and relations that mention an interaction "
            "were removed from the graph.",
            difficult="Pairs that interact through transporters are missed, since transport is poorly covered by the "
            "graph. Pairs that share a metabolising enzyme are found almost without exception.",
            aside="Reading only the paths between two drugs makes the answer independent of the rest of the graph. It "
            "also makes it traceable: the paths with the largest gates can be listed for a pharmacist.",
        ),
        Approach(
            demand="Reports of interactions are positive only; nobody reports that two drugs went well together. "
            "Random pairs make poor negatives, because the hard ones are never drawn.",
            preparation="Synonyms were merged, salts were reduced to their parent compounds, and topical drugs were "
            "excluded.",
            difficult="Interactions that take weeks to build up are ranked low. So are those of herbal products, whose "
            "targets are given as classes.",
            aside="The generator ends up proposing pairs that pharmacologists find interesting, and some of its "
            "proposals have been reported since. We have not pursued this.",
            model=Model(
                "an adversarial graph network whose generator proposes negative pairs and whose critic learns to tell "
                "them apart",
                (
                    (
                        "The generator walks the graph from a drug and ends at a partner that should look dangerous "
                        "and is not known to be. The critic sees both ends and the walk."
                    ),
                    (
                        "Both are trained in alternation for 30 rounds. The critic's output, between 0 and 1, is what "
                        "ranks pairs in the end."
                    ),
                ),
                r"\min_G \max_D\; \mathrm{E}_{p}\left[\log D\right] + \mathrm{E}_{G}\left[\log (1 - D)\right]",
                ("proposed negatives", "walks", "the critic"),
                ("Drug pair", "Walks", "Proposed negatives", "Critic", "Risk"),
            ),
        ),
        Approach(
            demand="The same pair may be harmless in one patient and dangerous in another who takes a third drug. "
            "Models of pairs leave this out, although the reports contain it [@leakage].",
            preparation="Reports with more than eight drugs were left out, and dosage forms were ignored.",
            difficult="Pairs that are always prescribed with the same third drug cannot be told apart from it. There "
            "are some two hundred such pairs, among them most combinations for tuberculosis.",
            aside="Learning across drugs by episodes suits a field in which each new drug brings a handful of reports. "
            "Ten reports sufficed to reach what the baselines reach with fifty.",
            model=Model(
                "a meta-learned pair network that adapts to a drug from the few reports on it",
                (
                    (
                        "Each drug is an episode. From ten of its reports a hypernetwork writes the weights of a small "
                        "classifier, which is applied to the remaining ones."
                    ),
                    (
                        "Co-reported drugs enter as a set, so that the risk of a pair is conditioned on what else was "
                        "taken."
                    ),
                ),
                r"\theta_d = H_\psi\left(\{(x_i, y_i)\}_{i \in \mathcal{R}_d}\right)",
                ("the hypernetwork", "episodes", "co-reported drugs"),
                ("Drug pair", "Reports", "Hypernetwork", "Classifier", "Risk"),
            ),
        ),
    ),
    "pde": (
        Approach(
            demand="A surrogate is used in a loop, and its output is its next input. Small errors of a single step say "
            "little about where a hundred steps lead [@leakage].",
            preparation="Fields were interpolated to 128 × 128 points and made dimensionless by forcing and viscosity.",
            difficult="Errors begin where vortices shed and travel downstream with them. After the wake has crossed "
            "the domain, they are everywhere and grow no more.",
            aside="A curl has no divergence whatever the network does, and this can be relied upon by a solver that "
            "takes over. Penalties on divergence, which are more common, give no such guarantee.",
        ),
        Approach(
            demand="Turbulent energy is passed from scale to scale, and a network that is trained on pixel errors "
            "spends its effort on the largest. What is lost at small scales returns as drift [@leakage].",
            preparation="Trajectories were cut into windows of 20 steps, and the mean flow was subtracted.",
            difficult="Transitional Reynolds numbers, at which the flow is intermittent, have twice the error of "
            "either side. Bursts are predicted, and come too late.",
            aside="The scales communicate in one direction only, as in the classical picture of a cascade. Allowing "
            "the reverse direction did not help in two dimensions, although there it should matter.",
            model=Model(
                "a cascade of spectral networks that advances each band of scales with a step of its own",
                (
                    (
                        "The field is split into four bands of wavenumbers. Small scales are advanced with short "
                        "steps and driven by the larger ones, whose state is interpolated."
                    ),
                    (
                        "Bands are projected onto divergence-free fields after each step, and energy that leaves one "
                        "band has to appear in another or in the dissipation."
                    ),
                ),
                r"\hat{u}_k(t + \Delta_b) = P_k\, F_\theta^{(b)}\left(\hat{u}_{k'}(t)\right), \quad k \in b",
                ("band-wise steps", "the energy balance", "the projection"),
                ("Field", "Bands", "Band networks", "Energy balance", "Next field"),
            ),
        ),
    ),
    "rna": (
        Approach(
            demand="Families in databases are relatives, and a random split puts cousins on both sides. Learned "
            "folding looked better than it is for years because of this [@leakage].",
            preparation="Sequences with undetermined bases were dropped, and non-canonical pairs were removed from the "
            "references.",
            difficult="Multiloops with more than four branches are folded wrongly more often than not. Long-range "
            "pairs, beyond 200 nucleotides, are lost first.",
            aside="Bounded corrections cannot make a bad model of the energy good, and they cannot make a good one "
            "bad. This is the trade that we wanted. How far corrections may go is set by one number, and the results "
            "hardly change between one and three kilocalories.",
        ),
        Approach(
            demand="Stems come in crowds: where one is possible, several are, and they exclude one another. Scoring "
            "base pairs one at a time leaves the choice among them to the decoder.",
            preparation="Sequences were clustered at 80 % identity, and one member of each cluster was kept.",
            difficult="Hairpins with modified loops, as in transfer RNA, are predicted with one pair too many. "
            "Sequences rich in A and U have the lowest scores.",
            aside="Working on stems shrinks a problem of thousands of pairs to one of tens of stems. Pairs outside "
            "of any stem, about 2 % of all, are given up for it.",
            model=Model(
                "a stem-graph network over candidate stems that resolves their conflicts by message passing",
                (
                    (
                        "All stems of at least three pairs are enumerated with their nearest-neighbour energies. Stems "
                        "that share a base are joined by edges of conflict, stems that stack by edges of support."
                    ),
                    (
                        "Eight rounds of message passing estimate the marginal probability of every stem, and a greedy "
                        "pass removes the conflicts that remain."
                    ),
                ),
                r"m_{s \to t} = -\log\left(1 + e^{\,b_s + \sum_{u} m_{u \to s}}\right)",
                ("conflict edges", "support edges", "stem energies"),
                ("Sequence", "Stems", "Conflict graph", "Message passing", "Base pairs"),
            ),
        ),
        Approach(
            demand="Probing experiments tell which bases react, and thousands of transcripts have been probed. A model "
            "that learns from reactivities needs no solved structure and is not confined to known families [@leakage].",
            preparation="Reactivities were normalised by their 90th percentile, and positions without coverage were "
            "masked.",
            difficult="Stems at the ends of a transcript are poorly covered by reads and poorly predicted. Bases in "
            "protein footprints look paired, and the network believes it.",
            aside="Reactivity says that a base is paired and not with which other one. That partners come out right is "
            "due to the recursion, which has to place them somewhere.",
            model=Model(
                "a probing-guided network that learns from reactivities through a differentiable partition function",
                (
                    (
                        "A convolutional encoder perturbs the energy parameters of each position. The partition "
                        "function yields pairing probabilities, from which reactivities are predicted."
                    ),
                    (
                        "The likelihood of measured reactivities is maximised with one noise model for paired and "
                        "one for unpaired bases; structures are used for fine-tuning only."
                    ),
                ),
                r"p(r_i) = p_i\, f_{\mathrm{paired}}(r_i) + (1 - p_i)\, f_{\mathrm{open}}(r_i)",
                ("the reactivity likelihood", "perturbed energies", "fine-tuning"),
                ("Sequence", "Perturbed energies", "Partition function", "Reactivities", "Base pairs"),
            ),
        ),
    ),
    "spectra": (
        Approach(
            demand="A predicted peak that no fragmentation could give is worse than a missing one, since it may match "
            "something else. Models of binned spectra cannot know the difference [@leakage].",
            preparation="Peaks below 0.5 % of the base peak were removed, and precursor peaks were kept.",
            difficult="Sugars fragment within their rings and are predicted poorly. Spectra at the lowest energy, "
            "which hold little but the precursor, are trivial and inflate any average.",
            aside="Working with formulas makes the output independent of resolution. The same predictions can be "
            "compared with a time-of-flight instrument and with an orbital trap. It also means that isotopes need no "
            "treatment of their own, since their pattern follows from the formula.",
        ),
        Approach(
            demand="Bonds break in an order that depends on the energy at hand. A library for one collision energy "
            "is of little use at another, and instruments do not agree on what an energy is.",
            preparation="Collision energies were normalised by mass, and spectra of the same compound were kept "
            "together in the split.",
            difficult="Compounds with a fixed charge break far from it, contrary to the rest, and are predicted as the "
            "rest. Phosphates lose water twice in the prediction and once in the measurement.",
            aside="Paths can be followed: for each peak the network lists the bonds that were broken on the way. "
            "Chemists accepted three in four of the lists that we showed them.",
            model=Model(
                "an autoregressive network that breaks bonds one after another along an energy ladder",
                (
                    (
                        "At each step the network spends part of the collision energy on one bond of the molecular "
                        "graph; what is left is shared between the two pieces."
                    ),
                    (
                        "Steps end when no bond can be afforded. Sampled paths are merged by formula, and their "
                        "weights add up to the intensities."
                    ),
                ),
                r"p(b \mid G, E) \propto \exp\left(-\frac{d_\theta(b)}{E}\right)",
                ("the energy ladder", "bond costs", "path merging"),
                ("Molecule", "Bond costs", "Energy ladder", "Paths", "Spectrum"),
            ),
        ),
    ),
    "air": (
        Approach(
            demand="Persistence is hard to beat at three hours and useless at 24. A score that averages over lead "
            "times hides where a model earns its keep [@leakage].",
            preparation="Gaps of up to three hours were interpolated, and concentrations were transformed by their "
            "logarithm.",
            difficult="Episodes that begin at night under an inversion are underestimated by a third. The wind field, "
            "which is interpolated from few stations, is nearly still on such nights.",
            aside="Edges that turn with the wind make the network smaller, because they replace attention over all "
            "pairs by attention over the few that matter in this hour.",
        ),
        Approach(
            demand="Plumes are narrow. Between two stations the concentration may be twice what either of them "
            "measures, and a graph of stations has no node there.",
            preparation="Stations within 200 m of a main road were marked, and calm hours were given a direction of "
            "their own.",
            difficult="Stations on ridges, above the mixed layer at night, are overestimated. Forecasts for Mondays "
            "are worse than for other days, in both regions.",
            aside="Particles that carry concentration need no grid and no graph, and they can be released from where "
            "nobody measures. Their number, 4,000 in our case, sets accuracy against time.",
            model=Model(
                "a Lagrangian graph network that lets virtual particles carry concentration between stations",
                (
                    (
                        "Virtual particles are released every hour from stations and from a map of roads. They move "
                        "with the wind, and a small network decides what each of them takes up and loses."
                    ),
                    (
                        "At a station the particles nearby are pooled with weights that fall off with distance; "
                        "training goes through their paths, which are fixed by the wind."
                    ),
                ),
                r"\dot{c}_p = e_\theta(x_p) - \lambda_\theta(x_p)\, c_p",
                ("virtual particles", "the road map", "uptake and loss"),
                ("Stations", "Release", "Transport", "Uptake and loss", "Forecast"),
            ),
        ),
        Approach(
            demand="A warning is a decision, and it is taken on the probability of an episode. Networks that are "
            "trained on absolute errors forecast medians, which cross a threshold too seldom [@leakage].",
            preparation="Humidity and mixing height were added from a reanalysis; negative readings were set to zero.",
            difficult="The first day of an episode is missed more often than all later ones. Once the particles are in "
            "the basin, keeping them there is easily forecast.",
            aside="Looking upstream costs nothing when the upstream station reports on time. In practice every tenth "
            "reading is late, and the network was trained with such gaps.",
            model=Model(
                "a graph network that looks upstream along back-trajectories and forecasts quantiles",
                (
                    (
                        "For each station a back-trajectory of 48 hours is computed, and stations near it are read "
                        "at the time of passage, as one sequence."
                    ),
                    (
                        "A causal transformer reads the sequence and returns nine quantiles; the forecast of the "
                        "concentration is their mean."
                    ),
                ),
                r"\mathcal{L} = \sum_q \max\left(q\, (x - \hat{x}_q), (q - 1)\, (x - \hat{x}_q)\right)",
                ("back-trajectories", "quantile outputs", "times of passage"),
                ("Stations", "Back-trajectories", "Sequence", "Transformer", "Forecast"),
            ),
        ),
    ),
    "retro": (
        Approach(
            demand="A proposal that lacks an atom of its target is wrong for certain, and no ranking metric says so. "
            "Planners find out later, at some cost [@leakage].",
            preparation="Reactions with more than one product were split, and atom maps were redone with one program.",
            difficult="Rearrangements and multicomponent reactions, in which many bonds change at once, are seldom "
            "recovered. Protecting groups are put on where no chemist would.",
            aside="A mask before the softmax is a small thing. It turns a rule that a network breaks now and then "
            "into one that it cannot break, and training is faster for it. Charges could be balanced in the same "
            "way, and we have not done so because patents seldom state them.",
        ),
        Approach(
            demand="The same bond can be made by several reactions, and the literature records which of them somebody "
            "chose. A model should offer the alternatives and not average over them.",
            preparation="Duplicates were merged by product and reactants, and reactants that contribute no atom were "
            "removed.",
            difficult="Heterocycle formations are proposed with the wrong partner in a third of the cases. Among the "
            "first ten proposals the right one is nearly always there.",
            aside="Latent classes turned out to be close to the named reactions of a textbook, although they were not "
            "told of them. Asking for proposals class by class gives lists without repetitions.",
            model=Model(
                "an edit-based graph network that weaves latent reaction classes into its bond decisions",
                (
                    (
                        "A latent class, one of 64, is drawn for each target. Given the class, bonds are broken and "
                        "groups attached in one pass over the graph."
                    ),
                    (
                        "Classes are learned with a straight-through estimator and an entropy bonus, which keeps all "
                        "of them in use."
                    ),
                ),
                r"p(R \mid T) = \sum_{c=1}^{64} p(c \mid T)\, p_\theta(R \mid T, c)",
                ("latent classes", "one-pass edits", "the entropy bonus"),
                ("Target", "Latent class", "Edits", "Groups", "Reactants"),
            ),
        ),
        Approach(
            demand="Building blocks are sold, and a route ends when it arrives at them. Single-step models propose "
            "reactants without regard to whether anybody could buy or make them [@leakage].",
            preparation="Stereochemistry was removed from reactants that are sold as racemates.",
            difficult="Large macrocycles are cut at the wrong place, since the largest ring in training has 14 atoms. "
            "Proposals for organometallic targets are poor.",
            aside="Preferring synthons that resemble what is sold costs a little exactness on single steps. In "
            "planning, where it should pay, we have tried it on 20 targets only. There, routes became shorter by one "
            "step on average and more often ended at a compound that is in stock.",
            model=Model(
                "an edit-based graph network that completes synthons with fragments of a catalogue",
                (
                    (
                        "Bonds to be broken are scored on the target. Each synthon is then matched with fragments of "
                        "18,000 catalogue compounds by a learned similarity of open sites."
                    ),
                    "The two scores are trained together, with fragments of other reactions in the batch as negatives.",
                ),
                r"p(g \mid s) = \frac{\exp\left(\langle \phi(s), \psi(g) \rangle\right)}{\sum_{g'} "
                r"\exp\left(\langle \phi(s), \psi(g') \rangle\right)}",
                ("catalogue fragments", "site similarity", "bond scores"),
                ("Target", "Bond scores", "Synthons", "Catalogue", "Reactants"),
            ),
        ),
    ),
}
"""By kit and in the order of the kit's names; as many as there are papers."""
