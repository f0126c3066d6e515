"""What a field lends to a paper: its problem, data, baselines, metrics and turns of phrase.

A kit is data, not code. Texts are in inline markup with two additions that
:mod:`nature_gym.demo.fates.writing` resolves: ``{X}`` is the name of the method, and ``[@key]``
cites a reference by its key, here or in the common stock of that module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Metric:
    """A quality metric: how it is printed, which values are believable, how it is computed."""

    name: str
    direction: Literal["higher_is_better", "lower_is_better"]
    worst: float
    best: float
    decimals: int
    definition: str

    @property
    def unit(self) -> str:
        """The unit in the name's brackets, with a space before it; a threshold that stands there is none."""
        bracket = self.name.partition(" (")[2].rstrip(")")
        return f" {bracket}" if bracket and not bracket[0].isdigit() else ""


@dataclass(frozen=True, slots=True)
class DataSet:
    """A public data set; ``count`` is varied a little by the seed before it is printed."""

    name: str
    count: int
    description: str


@dataclass(frozen=True, slots=True)
class Kit:
    """A field, ready to be written about."""

    key: str
    venue: str
    subjects: tuple[str, ...]
    task: str
    problem: str
    given: str
    wanted: str
    unit: str
    openings: tuple[str, ...]
    gap: str
    related: str
    names: tuple[str, ...]
    design: str
    mechanism: tuple[str, ...]
    equation: str
    parts: tuple[str, str, str]
    steps: tuple[str, ...]
    baselines: tuple[str, ...]
    sets: tuple[DataSet, DataSet]
    metrics: tuple[Metric, Metric]
    use: str
    limits: str
    suffix: str
    references: Mapping[str, tuple[str, str]]

    @property
    def unit_singular(self) -> str:
        return self.unit.removesuffix("s") if self.unit not in {"trajectories", "spectra"} else SINGULAR[self.unit]


SINGULAR = {"trajectories": "trajectory", "spectra": "spectrum"}

ACCURACY = Metric(
    "Accuracy",
    "higher_is_better",
    0.71,
    0.93,
    3,
    "accuracy is the share of {unit} whose predicted class is the true one",
)
MACRO_F1 = Metric(
    "Macro F1", "higher_is_better", 0.62, 0.9, 3, "macro F1 is the unweighted mean of the F1 scores of all classes"
)
AUROC = Metric(
    "AUROC", "higher_is_better", 0.76, 0.95, 3, "AUROC is the area under the receiver operating characteristic curve"
)
AUPRC = Metric(
    "AUPRC",
    "higher_is_better",
    0.41,
    0.8,
    3,
    "AUPRC is the area under the precision–recall curve, by average precision",
)
SPEARMAN = Metric(
    "Spearman correlation",
    "higher_is_better",
    0.42,
    0.74,
    3,
    "the Spearman correlation is taken between predicted and measured values over all test {unit}",
)

KITS: dict[str, Kit] = {
    kit.key: kit
    for kit in (
        Kit(
            key="cells",
            venue="s41592",
            subjects=("Machine learning", "Transcriptomics"),
            task="cell-type annotation",
            problem="annotating cell types in single-cell transcriptomes",
            given="the expression profile of one cell",
            wanted="its cell type",
            unit="cells",
            openings=(
                (
                    "Single-cell RNA sequencing has turned the question of which cell types a tissue holds into one "
                    "that can be asked of every sample, and the answer still rests on labels that are assigned by "
                    "hand [@atlas]."
                ),
                (
                    "Every single-cell atlas begins with labels: clusters are drawn, marker genes are read, and a "
                    "name is given to each group of cells [@atlas]."
                ),
            ),
            gap="Labels that were learned on one donor or protocol often fail on the next, because technical "
            "variation is "
            "as large as the differences between neighbouring types [@batch].",
            related="Reference mapping by nearest neighbours is fast but copies the errors of the reference "
            "[@batch]; linear "
            "classifiers on marker genes are robust but blind to rare types [@markers].",
            names=("CellScribe", "TypeWeaver", "AnnoSet"),
            design="a set transformer that pools genes into learned modules and is trained with a batch-adversarial "
            "loss",
            mechanism=(
                (
                    "Counts are normalised per cell and log-transformed. Each of the 2,000 most variable genes "
                    "becomes a token whose value is a learned projection of its expression, and 32 inducing points "
                    "pool the tokens into modules."
                ),
                (
                    "A gradient-reversal head predicts the batch from the pooled state, so that what the classifier "
                    "sees carries as little of the protocol as possible."
                ),
            ),
            equation=r"\mathcal{L} = \mathcal{L}_{\mathrm{type}} - \lambda\, \mathcal{L}_{\mathrm{batch}}",
            parts=("set pooling", "the adversarial head", "class weighting"),
            steps=("Counts", "Gene tokens", "Module pooling", "Type and batch heads", "Cell types"),
            baselines=("Logistic regression", "Nearest neighbours", "MLP", "scRefMap"),
            sets=(
                DataSet("KidneyMap", 48600, "kidney biopsies of 21 donors, 19 cell types"),
                DataSet("AirwayNine", 32900, "bronchial brushings of nine donors, 14 cell types"),
            ),
            metrics=(ACCURACY, MACRO_F1),
            use="Labels that carry over between protocols make atlases comparable and spare the experts' time for "
            "the cells "
            "that are new.",
            limits="{X} can only name types that the reference contains, and its rejection of unknown cells is not "
            "calibrated.",
            suffix="h5ad",
            references={
                "atlas": ("What a cell atlas needs from its labels", "Annu. Rev. Data Biol."),
                "batch": ("Batch effects outweigh lineage in cross-protocol comparisons", "J. Comput. Cell Biol."),
                "markers": ("Sparse marker panels for robust annotation", "Cell Comput."),
            },
        ),
        Kit(
            key="proteins",
            venue="s41587",
            subjects=("Protein function predictions", "Machine learning"),
            task="prediction of protein stability changes",
            problem="predicting how mutations change the stability of a protein",
            given="a protein sequence and a substitution",
            wanted="the change in folding free energy",
            unit="variants",
            openings=(
                (
                    "Most substitutions destabilise a protein, a few improve it, and finding the few by experiment "
                    "means measuring thousands of variants [@scan]."
                ),
                (
                    "Enzymes that survive heat, solvents and storage are sought in every branch of biotechnology, and "
                    "stability is the property that most often stands in the way [@scan]."
                ),
            ),
            gap="Predictors trained on curated sets of single mutations favour the destabilising class and lose "
            "their rank "
            "order on proteins without close homologues [@bias].",
            related="Energy functions need a structure and minutes of computing per variant [@energy], whereas "
            "regressions on "
            "substitution tables ignore the site [@bias].",
            names=("FoldShift", "StabiNet", "AntiSym"),
            design="a Siamese graph network over residue contacts whose output changes sign when mutant and wild "
            "type are swapped",
            mechanism=(
                (
                    "Residues are nodes with sequence-profile features; edges join residues whose predicted contact "
                    "probability exceeds 0.3. Wild type and mutant pass through the same four message-passing layers."
                ),
                (
                    "The two pooled states are subtracted before a linear read-out without bias, which makes the "
                    "prediction antisymmetric by construction rather than by augmentation."
                ),
            ),
            equation=r"\Delta\Delta G(a \to b) = w^{\top}\left(h_b - h_a\right)",
            parts=("the antisymmetric read-out", "contact edges", "profile features"),
            steps=("Sequence", "Contact graph", "Shared encoder", "Difference", "Stability change"),
            baselines=("Ridge on substitution tables", "Random forest", "3D-CNN", "ProfileNet"),
            sets=(
                DataSet("MegaStab", 71200, "variants of 164 small domains measured by proteolysis"),
                DataSet("S-Holdout", 2480, "literature values of 97 proteins below 25 % identity to the training set"),
            ),
            metrics=(
                SPEARMAN,
                Metric(
                    "RMSE (kcal per mol)",
                    "lower_is_better",
                    1.62,
                    0.98,
                    2,
                    "RMSE is the root-mean-square difference of predicted and measured free energies",
                ),
            ),
            use="A ranking that holds on remote proteins lets a laboratory order tens of variants instead of "
            "thousands.",
            limits="Multiple mutations are treated as sums, so {X} misses epistasis; insertions and deletions are "
            "out of its reach.",
            suffix="csv",
            references={
                "scan": ("A decade of deep mutational scans", "Prot. Eng. Lett."),
                "bias": ("Hidden bias in stability predictors", "J. Protein Inform."),
                "energy": ("Physical energy functions for point mutations", "Struct. Model."),
            },
        ),
        Kit(
            key="materials",
            venue="s41563",
            subjects=("Materials science", "Computational methods"),
            task="band-gap prediction",
            problem="predicting band gaps of inorganic crystals from structure",
            given="a relaxed crystal structure",
            wanted="its band gap",
            unit="structures",
            openings=(
                (
                    "The band gap decides whether a crystal absorbs, emits or conducts, and computing it well costs "
                    "hours per structure [@hybrid]."
                ),
                (
                    "Screening for semiconductors begins with a list of crystals and a number for each of them: the "
                    "gap between the highest filled and the lowest empty state [@hybrid]."
                ),
            ),
            gap="Graph networks that treat bonds as distances cannot tell polymorphs that differ only in angles, and "
            "their "
            "errors are largest for layered compounds [@angles].",
            related="Composition models are cheap and give one answer for all polymorphs [@compo]; networks with "
            "explicit "
            "triplets see angles but scale with the cube of the coordination number [@angles].",
            names=("LatticeLoom", "GapGraph", "CrysTide"),
            design="an equivariant graph network with line-graph attention and a mixed head that separates metals "
            "from insulators",
            mechanism=(
                (
                    "Atoms within 6 Å are joined by edges, and edges that share an atom are joined in a line graph on "
                    "which attention weights depend on the enclosed angle."
                ),
                (
                    "The head first predicts the probability of a finite gap and then its size; both terms are "
                    "trained together."
                ),
            ),
            equation=r"\hat{E}_g = \sigma(z)\, \exp(g), \quad \mathcal{L} = \mathcal{L}_{\mathrm{gap}} + \beta\, "
            r"\mathcal{L}_{\mathrm{metal}}",
            parts=("line-graph attention", "the mixed head", "equivariant features"),
            steps=("Structure", "Atom graph", "Line graph", "Attention layers", "Metal or gap"),
            baselines=("Composition MLP", "Kernel ridge", "CGNet", "TripletNet"),
            sets=(
                DataSet("OpenGap", 58300, "hybrid-functional gaps of ordered inorganic crystals"),
                DataSet("LayerGap", 6420, "gaps of layered compounds with at least two polymorphs"),
            ),
            metrics=(
                Metric(
                    "MAE (eV)",
                    "lower_is_better",
                    0.51,
                    0.24,
                    3,
                    "MAE is the mean absolute difference between predicted and reference gaps",
                ),
                Metric(
                    "Metal AUROC",
                    "higher_is_better",
                    0.86,
                    0.97,
                    3,
                    "the metal AUROC is the area under the receiver operating characteristic curve of the finite-gap "
                    "class",
                ),
            ),
            use="With errors of this size the list that goes to hybrid functionals shrinks to a tenth.",
            limits="{X} knows only ordered crystals; alloys, defects and temperature are beyond its training data.",
            suffix="json.gz",
            references={
                "hybrid": ("Cost and accuracy of hybrid functionals for gaps", "J. Electron. Struct."),
                "angles": ("Angular information in crystal graph networks", "Mater. Inform."),
                "compo": ("Composition alone: how far it carries", "Mater. Inform."),
            },
        ),
        Kit(
            key="rain",
            venue="s41467",
            subjects=("Atmospheric dynamics", "Computational science"),
            task="precipitation nowcasting",
            problem="forecasting rain of the next two hours from radar",
            given="the last hour of radar composites",
            wanted="the rain rate of the next two hours",
            unit="sequences",
            openings=(
                (
                    "Warnings of flash floods depend on where rain will fall within the next two hours, a range at "
                    "which numerical weather prediction is still spinning up [@spin]."
                ),
                (
                    "Between the radar image of now and the first useful hour of a weather model lies a gap that "
                    "nowcasting has to fill [@spin]."
                ),
            ),
            gap="Networks trained on pixel errors blur with lead time and lose exactly the heavy rain for which they "
            "are "
            "wanted [@blur].",
            related="Optical-flow extrapolation keeps the texture but cannot grow or dissolve a cell [@flow]; "
            "recurrent networks "
            "grow cells and smear them [@blur].",
            names=("RainPath", "CellCast", "AdvectNet"),
            design="an advection-constrained recurrent network trained with a loss that weighs each intensity band "
            "equally",
            mechanism=(
                (
                    "A motion field is estimated from the last four frames and used to warp the hidden state; what is "
                    "left, growth and decay, is learned by gated convolutions."
                ),
                (
                    "The loss is a sum over five intensity bands with equal weights, so that rare heavy rain counts "
                    "as much as drizzle."
                ),
            ),
            equation=r"h_{t+1} = \mathcal{W}(h_t, u_t) + G_\theta(h_t)",
            parts=("warping of the state", "band weights", "the growth gate"),
            steps=("Radar frames", "Motion field", "Warped state", "Growth and decay", "Forecast"),
            baselines=("Persistence", "Optical flow", "ConvRNN", "U-Net"),
            sets=(
                DataSet("NordRadar", 21800, "composites of 12 radars, five-minute steps, 2016–2020"),
                DataSet("AlpineRadar", 7450, "composites over complex terrain, five-minute steps, 2018–2020"),
            ),
            metrics=(
                Metric(
                    "CSI (4 mm per h)",
                    "higher_is_better",
                    0.21,
                    0.44,
                    3,
                    "CSI is the critical success index, hits over hits plus misses plus false alarms, at 4 mm per h",
                ),
                Metric(
                    "RMSE (mm per h)",
                    "lower_is_better",
                    2.4,
                    1.45,
                    2,
                    "RMSE is taken over all pixels and lead times of the test period",
                ),
            ),
            use="Half an hour of additional skill for heavy rain is half an hour for those who close roads and open "
            "gates.",
            limits="{X} forecasts one deterministic field and says nothing of its uncertainty; beam blockage in "
            "valleys remains.",
            suffix="nc",
            references={
                "spin": ("Spin-up and the first hours of a forecast", "Q. J. Weather Comput."),
                "blur": ("Why learned nowcasts blur", "Mon. Radar Rev."),
                "flow": ("Extrapolation by optical flow revisited", "Mon. Radar Rev."),
            },
        ),
        Kit(
            key="battery",
            venue="s41560",
            subjects=("Batteries", "Computational methods"),
            task="prediction of battery life",
            problem="predicting the cycle life of lithium-ion cells from their first cycles",
            given="the voltage curves of the first hundred cycles",
            wanted="the cycle at which capacity falls below 80 %",
            unit="cells",
            openings=(
                (
                    "A cell that will fail early looks, in its first weeks, much like one that will last for years "
                    "[@knee]."
                ),
                (
                    "Testing a battery design takes as long as the battery lives, which is why early signs of ageing "
                    "are worth a good deal [@knee]."
                ),
            ),
            gap="Hand-made features of the discharge curve work for the protocol they were made for and not for the "
            "next [@features].",
            related="Elastic nets on curve features are hard to beat within one batch [@features]; recurrent "
            "networks on raw curves "
            "need more cells than laboratories have [@recurrent].",
            names=("KneeNet", "CycleSight", "FadeFormer"),
            design="a two-axis transformer over cycle number and state of charge with a monotone decay decoder",
            mechanism=(
                (
                    "Every cycle is resampled to 64 points in state of charge. Attention alternates between the axis "
                    "of cycles and the axis of charge, which shares statistics across both."
                ),
                "The decoder integrates a positive rate, so that the predicted capacity can only fall.",
            ),
            equation=r"\hat{Q}(n) = Q_0 - \int_0^n \mathrm{softplus}\left(r_\theta(s)\right) ds",
            parts=("two-axis attention", "the monotone decoder", "charge resampling"),
            steps=("Curves", "Resampling", "Cycle attention", "Charge attention", "Capacity path"),
            baselines=("Elastic net", "Gaussian process", "LSTM", "CurveNet"),
            sets=(
                DataSet("FastCharge", 168, "commercial cells under 42 fast-charging protocols"),
                DataSet("MixedDuty", 96, "cells of two makers under driving profiles"),
            ),
            metrics=(
                Metric(
                    "RMSE (cycles)",
                    "lower_is_better",
                    214.0,
                    96.0,
                    0,
                    "RMSE is the root-mean-square error of the predicted cycle life over the test cells",
                ),
                Metric(
                    "MAPE (%)",
                    "lower_is_better",
                    16.5,
                    7.4,
                    1,
                    "MAPE is the mean absolute error in percent of the observed life",
                ),
            ),
            use="A hundred cycles instead of a thousand shorten the loop between a cell design and its verdict by "
            "months.",
            limits="Calendar ageing and temperature are constant in both data sets, and {X} has not seen either "
            "change.",
            suffix="mat",
            references={
                "knee": ("Knees in ageing curves and what precedes them", "J. Energy Cells"),
                "features": ("Discharge-curve features and their transfer", "J. Energy Cells"),
                "recurrent": ("Recurrent models for degradation with few cells", "Energy Inform."),
            },
        ),
        Kit(
            key="ecg",
            venue="s41551",
            subjects=("Biomedical engineering", "Machine learning", "Cardiovascular diseases"),
            task="arrhythmia detection",
            problem="detecting arrhythmias in twelve-lead electrocardiograms",
            given="a ten-second twelve-lead electrocardiogram",
            wanted="the presence of each of nine rhythm classes",
            unit="recordings",
            openings=(
                (
                    "The electrocardiogram is the most frequent examination in cardiology, and the one whose "
                    "interpretation varies most between readers [@readers]."
                ),
                (
                    "Rhythm disorders are often short, often silent, and often missed when a recording is read in a "
                    "hurry [@readers]."
                ),
            ),
            gap="Deep networks read the twelve leads as channels of one picture and break when a lead is noisy or "
            "missing [@leads].",
            related="Beat-based pipelines depend on the detection of R peaks [@beats]; residual networks on raw "
            "signals do not, but tie "
            "their filters to the order of the leads [@leads].",
            names=("LeadFold", "RhythmNet", "CardioSet"),
            design="a lead-permutation-equivariant network with dropout of whole leads and a calibrated multi-label "
            "loss",
            mechanism=(
                (
                    "Each lead passes through the same convolutional stem; a graph of the electrode positions then "
                    "mixes leads, so that the loss of one lead removes a node and not a channel."
                ),
                (
                    "During training up to four leads are dropped at random, and thresholds are calibrated on the "
                    "validation part."
                ),
            ),
            equation=r"p = \sigma\left(W \frac{1}{|S|} \sum_{l \in S} \phi(x_l, e_l)\right)",
            parts=("the electrode graph", "lead dropout", "calibration"),
            steps=("Leads", "Shared stem", "Electrode graph", "Pooling", "Rhythm classes"),
            baselines=("Beat features and SVM", "1D ResNet", "BiLSTM", "AttnECG"),
            sets=(
                DataSet("OpenRhythm", 43200, "resting recordings of adults from four hospitals"),
                DataSet("HolterCut", 10300, "ten-second cuts of ambulatory recordings"),
            ),
            metrics=(AUROC, MACRO_F1),
            use="Rhythms that come and go will be found where people live, if detectors can be relied on outside the "
            "examination room.",
            limits="Both data sets stem from adults; paediatric rhythms and pacemakers were excluded.",
            suffix="h5",
            references={
                "readers": ("Variation between readers of electrocardiograms", "J. Cardiac Inform."),
                "leads": ("Lead loss and the brittleness of deep networks", "J. Cardiac Inform."),
                "beats": ("Beat detection as a bottleneck", "Biosignal Lett."),
            },
        ),
        Kit(
            key="pathology",
            venue="s41551",
            subjects=("Image processing", "Cancer imaging"),
            task="gland segmentation",
            problem="segmenting glands in histological sections",
            given="a tile of a stained section at 20×",
            wanted="a mask of each gland",
            unit="tiles",
            openings=(
                "The shape of glands is what pathologists look at first when they grade an adenocarcinoma [@grading].",
                (
                    "Grading by eye rests on the outlines of glands, and outlines are what a machine can measure, "
                    "provided that it can find them [@grading]."
                ),
            ),
            gap="Touching glands are merged by networks that classify pixels, and merged outlines are useless for "
            "grading [@touch].",
            related="Watershed on distance maps separates glands when their lumina are open [@touch]; contour "
            "branches help, at the "
            "price of a second network [@contour].",
            names=("GlandLine", "LumenNet", "OutlineFlow"),
            design="an encoder–decoder whose skip connections are gated by a learned boundary flow and whose loss is "
            "topological",
            mechanism=(
                (
                    "Besides the mask the decoder predicts, for each pixel, a vector towards the nearest boundary; "
                    "skip features are gated by the divergence of this field."
                ),
                (
                    "A persistent-homology term penalises components that are joined or split with respect to the "
                    "annotation."
                ),
            ),
            equation=r"\mathcal{L} = \mathcal{L}_{\mathrm{Dice}} + \mu\, \mathcal{L}_{\mathrm{flow}} + \nu\, "
            r"\mathcal{L}_{\mathrm{top}}",
            parts=("gated skips", "the flow target", "the topological term"),
            steps=("Tile", "Encoder", "Boundary flow", "Gated decoder", "Glands"),
            baselines=("U-Net", "Contour U-Net", "DeepWatershed", "MaskFormer-S"),
            sets=(
                DataSet("ColoGland", 1650, "tiles of colorectal sections of 83 patients"),
                DataSet("ProGland", 940, "tiles of prostate sections of 51 patients"),
            ),
            metrics=(
                Metric(
                    "Object Dice",
                    "higher_is_better",
                    0.78,
                    0.92,
                    3,
                    "object Dice is the Dice coefficient over matched glands, weighted by area",
                ),
                Metric(
                    "HD95 (pixels)",
                    "lower_is_better",
                    62.0,
                    28.0,
                    1,
                    "HD95 is the 95th percentile of the Hausdorff distance between matched outlines",
                ),
            ),
            use="Outlines that stay apart make gland statistics usable as an input of grading systems.",
            limits="Sections from other scanners need stain normalisation, and {X} has been tried on haematoxylin "
            "and eosin only.",
            suffix="zip",
            references={
                "grading": ("Gland morphology in grading", "Digit. Pathol. Res."),
                "touch": ("Touching objects in histological segmentation", "Med. Mask Anal."),
                "contour": ("Auxiliary contours for dense objects", "Med. Mask Anal."),
            },
        ),
        Kit(
            key="variants",
            venue="s41588",
            subjects=("Genetic variation", "Computational biology"),
            task="prioritisation of regulatory variants",
            problem="telling causal from neighbouring regulatory variants",
            given="the sequence around a variant and the annotations of its locus",
            wanted="the probability that the variant is causal",
            unit="variants",
            openings=(
                (
                    "Association studies name regions; within each of them one variant, or a few, act and all others "
                    "ride along [@finemap]."
                ),
                (
                    "Nine in ten associated variants lie outside coding sequence, where their effect cannot be read "
                    "off the genetic code [@finemap]."
                ),
            ),
            gap="Sequence models score each variant alone and ignore that the candidates of one locus compete "
            "[@compete].",
            related="Annotation enrichment ranks loci and not variants [@enrich]; sequence-to-activity networks rank "
            "variants but "
            "saturate in dense regulatory regions [@compete].",
            names=("LocusRank", "CausalSift", "RegAttend"),
            design="a listwise network that lets the variants of a locus attend to one another and is trained on "
            "credible sets",
            mechanism=(
                (
                    "Each variant is embedded by a dilated convolution over 2 kb of sequence for both alleles, joined "
                    "with tissue annotations; self-attention runs over the variants of one locus."
                ),
                (
                    "The loss is a listwise cross-entropy against the posterior inclusion probabilities of the "
                    "training loci."
                ),
            ),
            equation=r"\mathcal{L} = -\sum_{v \in L} \pi_v \log \mathrm{softmax}_v\left(s_\theta(v \mid L)\right)",
            parts=("attention over the locus", "allele differences", "tissue annotations"),
            steps=("Locus", "Allele embeddings", "Annotations", "Listwise attention", "Ranking"),
            baselines=("Distance to start site", "Gradient boosting", "SeqCNN", "AnnoRank"),
            sets=(
                DataSet("BloodSet", 18900, "fine-mapped and matched control variants of 29 blood traits"),
                DataSet("BrainSet", 5210, "expression-associated variants of cortex with matched controls"),
            ),
            metrics=(AUPRC, AUROC),
            use="Shorter lists of candidates mean fewer reporter assays for every locus that is understood.",
            limits="The labels are statistical, not experimental, and stem from one ancestry.",
            suffix="tsv.gz",
            references={
                "finemap": ("Fine mapping after a decade", "Stat. Genet. Lett."),
                "compete": ("Variants compete within loci", "Genome Inform."),
                "enrich": ("Enrichment is not causality", "Stat. Genet. Lett."),
            },
        ),
        Kit(
            key="neuro",
            venue="s41593",
            subjects=("Neural decoding", "Motor control"),
            task="decoding of reaching movements",
            problem="decoding hand velocity from spiking activity of the motor cortex",
            given="binned spike counts of a recorded population",
            wanted="the velocity of the hand",
            unit="trials",
            openings=(
                (
                    "Movement can be read from motor cortex with surprisingly few neurons, for as long as these "
                    "neurons stay the same [@drift]."
                ),
                (
                    "Decoders of movement are trained anew each morning, because electrodes move and neurons come and "
                    "go [@drift]."
                ),
            ),
            gap="Alignment methods repair a decoder after the population has changed, but need trials of known "
            "movement to do so [@align].",
            related="Kalman filters on aligned latent factors are the standard [@kalman]; recurrent decoders exceed "
            "them within a day "
            "and fall below them across days [@align].",
            names=("DriftLock", "SpikeBridge", "LatentReach"),
            design="a recurrent decoder with a population-identity encoder that is trained on sampled subpopulations",
            mechanism=(
                (
                    "A permutation-invariant encoder describes each unit by its count statistics in an unlabelled "
                    "minute of recording; the decoder reads counts through these descriptions and not through fixed "
                    "weights."
                ),
                (
                    "In training a random subset of units is drawn for each batch, which imitates the turnover of a "
                    "real array."
                ),
            ),
            equation=r"z_t = \sum_i n_{i,t}\, f_\theta(d_i), \quad v_t = g_\phi(z_{\le t})",
            parts=("unit descriptions", "subpopulation sampling", "the recurrent core"),
            steps=("Spike counts", "Unit descriptions", "Latent state", "Recurrent decoder", "Velocity"),
            baselines=("Wiener filter", "Kalman filter", "GRU", "AlignedGRU"),
            sets=(
                DataSet("CenterOut", 8640, "centre-out reaches of two monkeys over 16 days"),
                DataSet("MazeReach", 4310, "curved reaches of one monkey over seven days"),
            ),
            metrics=(
                Metric(
                    "Variance explained",
                    "higher_is_better",
                    0.43,
                    0.79,
                    3,
                    "variance explained is one minus the ratio of residual to total sum of squares of the velocity",
                ),
                Metric(
                    "RMSE (cm per s)",
                    "lower_is_better",
                    9.8,
                    5.6,
                    2,
                    "RMSE is the root-mean-square error of the velocity over all test bins",
                ),
            ),
            use="Whatever spares calibration gives the user of a prosthesis back a part of each day.",
            limits="All recordings are offline; how a user adapts to {X} in closed loop is unknown.",
            suffix="nwb",
            references={
                "drift": ("Turnover in chronic recordings", "J. Neural Interf. Comput."),
                "align": ("Alignment of latent spaces across days", "Neural Syst. Lett."),
                "kalman": ("State-space decoders of movement", "J. Neural Interf. Comput."),
            },
        ),
        Kit(
            key="cryoem",
            venue="s41592",
            subjects=("Cryoelectron microscopy", "Image processing"),
            task="particle picking",
            problem="finding particles in cryo-electron micrographs",
            given="a motion-corrected micrograph",
            wanted="the coordinates of all particles",
            unit="micrographs",
            openings=(
                (
                    "A structure by electron microscopy is an average over hundreds of thousands of particles, and "
                    "each of them must first be found in noise [@noise]."
                ),
                (
                    "Picking is the step of the cryo-EM pipeline at which the user still sits in front of the screen "
                    "[@noise]."
                ),
            ),
            gap="Pickers trained on globular complexes miss elongated particles and take ice for protein [@ice].",
            related="Templates find what one already knows [@templates]; general detectors find ice and carbon edges "
            "as well [@ice].",
            names=("PickTide", "GrainNet", "IceFree"),
            design="a positive–unlabelled detector with a contrast-transfer-aware stem and a learned ice mask",
            mechanism=(
                (
                    "The stem multiplies the Fourier transform of a tile by the known contrast transfer function, so "
                    "that one filter serves all defocus values."
                ),
                "Training uses a positive–unlabelled risk, since no annotator marks every particle of a micrograph.",
            ),
            equation=r"R = \pi\, R_p^{+} + \max\left(0, R_u^{-} - \pi R_p^{-}\right)",
            parts=("the transfer-aware stem", "the unlabelled risk", "the ice mask"),
            steps=("Micrograph", "Transfer stem", "Detector", "Ice mask", "Coordinates"),
            baselines=("Template matching", "Blob detector", "PickNet", "YoloEM"),
            sets=(
                DataSet("EmPick", 1120, "micrographs of 11 complexes with curated coordinates"),
                DataSet("RodSet", 260, "micrographs of three elongated particles"),
            ),
            metrics=(
                Metric(
                    "F1",
                    "higher_is_better",
                    0.58,
                    0.86,
                    3,
                    "F1 is computed after one-to-one matching within half a particle diameter",
                ),
                Metric(
                    "Mean IoU",
                    "higher_is_better",
                    0.49,
                    0.77,
                    3,
                    "mean IoU is the mean overlap of matched particle circles",
                ),
            ),
            use="Fewer false picks mean fewer rounds of two-dimensional classification before a map can be trusted.",
            limits="Membrane proteins in nanodiscs are absent from the training set, and crowded micrographs remain "
            "difficult.",
            suffix="star",
            references={
                "noise": ("Signal and noise in single-particle imaging", "J. Struct. Imaging"),
                "ice": ("Ice and its lookalikes", "J. Struct. Imaging"),
                "templates": ("Template bias in picking", "Micro Comput."),
            },
        ),
        Kit(
            key="drugs",
            venue="s42256",
            subjects=("Computer science", "Drug safety"),
            task="prediction of drug interactions",
            problem="predicting adverse interactions of pairs of drugs",
            given="two drugs in a biomedical knowledge graph",
            wanted="the probability of an adverse interaction",
            unit="pairs",
            openings=(
                (
                    "Patients of seventy take five drugs on average, and nobody has tested all combinations of five "
                    "drugs [@poly]."
                ),
                "Interactions between drugs are found, for the most part, after they have done harm [@poly].",
            ),
            gap="Embeddings of the interaction graph work for drugs with many known partners and are close to chance "
            "for new ones [@cold].",
            related="Similarity of structure is a strong and narrow signal [@structure]; message passing over "
            "knowledge graphs is a "
            "broad one that is easily drowned [@cold].",
            names=("PairPath", "InterLink", "MetaPairs"),
            design="a subgraph network that reads only the paths between two drugs and gates them by relation type",
            mechanism=(
                (
                    "For each pair the paths of at most four steps are extracted, labelled by distance from both "
                    "ends, and passed through relation-specific message functions with a shared basis."
                ),
                (
                    "A gate decides for each relation how much of it may enter; pairs without a path fall back on "
                    "structure."
                ),
            ),
            equation=r"s(a, b) = \sigma\left(\sum_{p \in P(a,b)} \alpha_{r(p)}\, \psi(p)\right)",
            parts=("path extraction", "relation gates", "the structural fallback"),
            steps=("Drug pair", "Paths", "Relation gates", "Message passing", "Risk"),
            baselines=("Fingerprint similarity", "Node embeddings", "R-GCN", "SubGraphNet"),
            sets=(
                DataSet("PairBank", 191000, "reported pairs among 1,710 drugs"),
                DataSet("ColdPairs", 14200, "pairs in which one drug is absent from training"),
            ),
            metrics=(AUROC, AUPRC),
            use="A warning for a drug without history is worth more than another for a drug that everyone already "
            "watches.",
            limits="Doses are not represented, and a missing report is taken as a missing interaction.",
            suffix="tsv",
            references={
                "poly": ("Polypharmacy in numbers", "J. Med. Safety Comput."),
                "cold": ("Cold starts in interaction graphs", "Graph Learn. Med."),
                "structure": ("Fingerprints and interaction risk", "J. Med. Safety Comput."),
            },
        ),
        Kit(
            key="pde",
            venue="s43588",
            subjects=("Computational science", "Applied mathematics"),
            task="surrogate modelling of flow",
            problem="predicting turbulent flow fields at later times",
            given="a velocity field on a grid",
            wanted="the field at later times",
            unit="trajectories",
            openings=(
                "A solver for turbulent flow spends most of its time on scales that nobody will look at [@scales].",
                (
                    "Repeated simulation of the same equation under changing conditions is the daily bread of design, "
                    "and a learned surrogate promises to pay for itself by the second run [@scales]."
                ),
            ),
            gap="Spectral operators lose the fine scales after a few steps and become unstable in long roll-outs "
            "[@rollout].",
            related="Convolutional surrogates are stable and diffuse [@rollout]; Fourier operators are sharp and "
            "drift [@spectral].",
            names=("ScaleMarch", "SpectraStep", "MultiRung"),
            design="a multigrid neural operator with a divergence-free output layer and a training scheme that "
            "unrolls noise",
            mechanism=(
                (
                    "Three levels of resolution exchange corrections as a multigrid cycle does; each level has a "
                    "spectral layer with 12 modes."
                ),
                (
                    "The output is the curl of a predicted potential and therefore free of divergence to machine "
                    "precision."
                ),
            ),
            equation=r"u_{t+\Delta} = \nabla \times A_\theta(u_t), \quad \nabla \cdot u_{t+\Delta} = 0",
            parts=("the multigrid cycle", "the curl layer", "noisy unrolling"),
            steps=("Field", "Three levels", "Spectral layers", "Curl", "Next field"),
            baselines=("U-Net", "ResNet", "FourierOp", "WaveletOp"),
            sets=(
                DataSet("Kolmo", 1200, "forced two-dimensional flow at Reynolds numbers from 500 to 2,000"),
                DataSet("Wake", 640, "wakes behind cylinders of varied section"),
            ),
            metrics=(
                Metric(
                    "Relative L2",
                    "lower_is_better",
                    0.148,
                    0.052,
                    3,
                    "relative L2 is the norm of the error divided by the norm of the reference field, averaged over "
                    "steps",
                ),
                Metric(
                    "Spectral error",
                    "lower_is_better",
                    0.31,
                    0.11,
                    3,
                    "the spectral error is the mean absolute difference of log energy spectra",
                ),
            ),
            use="Roll-outs that stay stable for hundreds of steps make the surrogate usable inside a design loop.",
            limits="Geometry enters only as a mask, and {X} has not been tried in three dimensions.",
            suffix="npz",
            references={
                "scales": ("Where solvers spend their time", "J. Flow Comput."),
                "rollout": ("Stability of learned roll-outs", "Sci. Learn. Lett."),
                "spectral": ("Spectral layers and drift", "Sci. Learn. Lett."),
            },
        ),
        Kit(
            key="rna",
            venue="s41467",
            subjects=("RNA folding", "Machine learning"),
            task="prediction of RNA secondary structure",
            problem="predicting base pairs of RNA from sequence",
            given="an RNA sequence",
            wanted="its base pairs",
            unit="sequences",
            openings=(
                (
                    "What an RNA does depends on how it folds, and for most families the fold is known only from "
                    "covariation [@covary]."
                ),
                (
                    "The base pairs of an RNA are the scaffold of its function, and experiments that reveal them are "
                    "slow [@covary]."
                ),
            ),
            gap="Learned folding models excel on the families they were trained on and lose to thermodynamics on all "
            "others [@families].",
            related="Nearest-neighbour thermodynamics generalises and ignores tertiary constraints [@thermo]; deep "
            "models do the "
            "opposite [@families].",
            names=("PairWeft", "FoldMesh", "StemNet"),
            design="a folding network whose pair scores are corrections of thermodynamic energies and are decoded by a "
            "differentiable recursion",
            mechanism=(
                (
                    "Energies of stacks and loops are computed first. A two-dimensional attention network then "
                    "predicts bounded corrections, which vanish for sequences far from the training data."
                ),
                (
                    "The corrected energies enter a differentiable partition function, through which the loss is "
                    "propagated."
                ),
            ),
            equation=r"E(s) = E_{\mathrm{nn}}(s) + \sum_{(i,j) \in s} \tanh\left(c_\theta(i,j)\right)",
            parts=("bounded corrections", "the recursion", "pair attention"),
            steps=("Sequence", "Energies", "Corrections", "Partition function", "Base pairs"),
            baselines=("ThermoFold", "Covariance model", "DeepPair", "AttnFold"),
            sets=(
                DataSet("FamSplit", 9310, "structures of 1,480 families, split by family"),
                DataSet("LongRNA", 870, "structures longer than 500 nucleotides"),
            ),
            metrics=(
                Metric(
                    "F1", "higher_is_better", 0.52, 0.79, 3, "F1 is computed over base pairs, pooled over sequences"
                ),
                Metric(
                    "MCC",
                    "higher_is_better",
                    0.5,
                    0.78,
                    3,
                    "MCC is the Matthews correlation coefficient over base pairs",
                ),
            ),
            use="Most transcripts belong to no family, and a fold that can be trusted for them is where experiments "
            "would begin.",
            limits="Pseudoknots are not predicted, and modified bases are read as their parents.",
            suffix="fasta",
            references={
                "covary": ("Covariation and its limits", "RNA Comput."),
                "families": ("Generalisation of learned folding across families", "RNA Comput."),
                "thermo": ("Nearest-neighbour parameters in practice", "J. Nucleic Model."),
            },
        ),
        Kit(
            key="spectra",
            venue="s41592",
            subjects=("Metabolomics", "Cheminformatics"),
            task="prediction of tandem mass spectra",
            problem="predicting the fragment spectrum of a small molecule",
            given="a molecular graph and a collision energy",
            wanted="its fragment spectrum",
            unit="spectra",
            openings=(
                "Nine in ten spectra of an untargeted experiment match nothing in any library [@dark].",
                "Libraries of measured spectra grow by thousands a year, the space of metabolites by millions [@dark].",
            ),
            gap="Fingerprint regressions predict binned spectra that no physical fragmentation could give [@bins].",
            related="Rule-based fragmentation enumerates far more peaks than occur [@rules]; learned models assign "
            "intensities to bins "
            "that belong to no formula [@bins].",
            names=("FragTree", "IonPath", "PeakSmith"),
            design="an autoregressive network over fragment formulas that shares mass between a fragment and its "
            "neutral loss",
            mechanism=(
                (
                    "Starting from the precursor, the network splits formulas step by step; a split is a multinomial "
                    "over subformulas that conserves every atom."
                ),
                (
                    "Intensities are probabilities of the leaves, which makes the spectrum a distribution over "
                    "feasible formulas."
                ),
            ),
            equation=r"p(f) = \sum_{\tau \to f} \prod_{k} q_\theta\left(\tau_{k+1} \mid \tau_k, m\right)",
            parts=("mass conservation", "energy conditioning", "graph features"),
            steps=("Molecule", "Precursor formula", "Splits", "Leaves", "Spectrum"),
            baselines=("Fingerprint MLP", "Rule fragmenter", "GraphMS", "BinFormer"),
            sets=(
                DataSet("OpenSpec", 81400, "spectra of 17,300 compounds on orbital traps"),
                DataSet("NatProd", 6900, "spectra of natural products on time-of-flight instruments"),
            ),
            metrics=(
                Metric(
                    "Cosine similarity",
                    "higher_is_better",
                    0.41,
                    0.69,
                    3,
                    "cosine similarity is taken between predicted and measured spectra after square-root scaling",
                ),
                Metric(
                    "Recall at 10",
                    "higher_is_better",
                    0.33,
                    0.62,
                    3,
                    "recall at 10 is the share of test spectra whose compound is among the ten best of a fixed "
                    "candidate list",
                ),
            ),
            use="Predicted libraries of this quality put names to a further share of what is measured every day.",
            limits="Only protonated precursors are covered, and rearrangements are outside the state space of {X}.",
            suffix="mgf",
            references={
                "dark": ("Dark matter in metabolomics", "Metab. Inform."),
                "bins": ("Binned spectra and their discontents", "J. Spectral Comput."),
                "rules": ("Combinatorial fragmentation in practice", "J. Spectral Comput."),
            },
        ),
        Kit(
            key="air",
            venue="s41467",
            subjects=("Environmental monitoring", "Machine learning"),
            task="air-quality forecasting",
            problem="forecasting fine particulate matter at monitoring stations",
            given="three days of measurements and weather at all stations of a region",
            wanted="the concentration of the following 24 hours",
            unit="station-days",
            openings=(
                (
                    "Fine particles shorten lives, and a forecast of tomorrow's concentration lets people at risk "
                    "stay indoors [@health]."
                ),
                "Cities publish what the air was like an hour ago; what people ask for is tomorrow [@health].",
            ),
            gap="Graph networks with a fixed adjacency cannot follow the wind, which changes who is upstream of whom "
            "[@wind].",
            related="Chemical transport models know the wind and not the traffic [@transport]; recurrent models know "
            "the station and "
            "not its neighbours [@wind].",
            names=("WindGraph", "PlumeNet", "UpstreamGNN"),
            design="a graph network whose edges are rebuilt every hour from the wind field, with a source–receptor "
            "attention",
            mechanism=(
                (
                    "Edges join stations whose back-trajectory passes within 30 km of each other during the previous "
                    "hours; their delay is the travel time."
                ),
                "Attention is split into a part for sources and one for receptors, which share keys but not values.",
            ),
            equation=r"x_i^{t+1} = f_\theta\left(x_i^t, \sum_{j} a_{ij}(w_t)\, x_j^{t-\tau_{ij}}\right)",
            parts=("wind edges", "travel delays", "source attention"),
            steps=("Stations", "Wind field", "Hourly edges", "Attention", "Forecast"),
            baselines=("Persistence", "Gradient boosting", "LSTM", "ST-GCN"),
            sets=(
                DataSet("DeltaAir", 58400, "35 stations of a river delta, 2017–2021"),
                DataSet("BasinAir", 37100, "28 stations of an inland basin, 2018–2021"),
            ),
            metrics=(
                Metric(
                    "MAE (µg m⁻³)",
                    "lower_is_better",
                    14.2,
                    8.6,
                    2,
                    "MAE is the mean absolute error over stations and lead times",
                ),
                Metric(
                    "Episode F1",
                    "higher_is_better",
                    0.47,
                    0.71,
                    3,
                    "episode F1 counts a station-day as an episode above 75 µg m⁻³",
                ),
            ),
            use="Forecasts of episodes, more than of averages, decide whether a warning is heeded.",
            limits="Fires and dust storms are rare in the training years, and {X} underestimates both.",
            suffix="parquet",
            references={
                "health": ("Burden of fine particles", "Environ. Health Comput."),
                "wind": ("Static graphs in a moving atmosphere", "Environ. Learn."),
                "transport": ("Transport models at street level", "Environ. Learn."),
            },
        ),
        Kit(
            key="retro",
            venue="s43588",
            subjects=("Cheminformatics", "Machine learning"),
            task="retrosynthesis",
            problem="proposing reactants for a target molecule",
            given="a target molecule",
            wanted="a ranked list of reactant sets",
            unit="reactions",
            openings=(
                (
                    "A route to a molecule is a chain of single steps, and a planner is only as good as its proposals "
                    "for one of them [@routes]."
                ),
                (
                    "Chemists think backwards from the target; programs that do the same have to choose among "
                    "thousands of disconnections at each step [@routes]."
                ),
            ),
            gap="Template models cannot leave their list, and sequence models propose molecules that do not contain "
            "the atoms "
            "they need [@balance].",
            related="Templates are sound and incomplete [@templates2]; translation of strings is complete and "
            "unsound [@balance].",
            names=("BondBack", "RetroWeave", "SynthonNet"),
            design="an edit-based graph network that predicts bond changes and then completes the synthons under an "
            "atom balance",
            mechanism=(
                (
                    "In the first step each bond of the target receives a score for being broken or changed; in the "
                    "second, leaving groups are chosen from a vocabulary of 210 by attention over the open sites."
                ),
                "Candidates that violate the atom balance are masked before the softmax and not filtered after it.",
            ),
            equation=r"p(R \mid T) = \prod_{b} p_\theta(b \mid T) \prod_{s} p_\theta(g_s \mid s, T)",
            parts=("bond edits", "the balance mask", "site attention"),
            steps=("Target", "Bond edits", "Synthons", "Leaving groups", "Reactants"),
            baselines=("Template k-NN", "Seq2Seq", "GraphEdit", "TemplateNet"),
            sets=(
                DataSet("PatentRx", 49800, "single-step reactions of patents in ten classes"),
                DataSet("JournalRx", 5900, "single-step reactions of journals after 2019"),
            ),
            metrics=(
                Metric("Top-1", "higher_is_better", 0.38, 0.56, 3, "top-1 is exact match of the first proposal"),
                Metric(
                    "Top-10", "higher_is_better", 0.68, 0.87, 3, "top-10 is exact match among the first ten proposals"
                ),
            ),
            use="Sound proposals shorten the search of a planner, since no step has to be thrown away afterwards.",
            limits="Stereochemistry is predicted only where the target states it, and conditions are not predicted "
            "at all.",
            suffix="csv",
            references={
                "routes": ("Planning synthesis step by step", "J. Synth. Comput."),
                "balance": ("Atom balance in learned retrosynthesis", "J. Synth. Comput."),
                "templates2": ("Coverage of reaction templates", "Chem. Graph Lett."),
            },
        ),
    )
}
"""Kit by key."""
