"""Studies of what goes into a model, or of what a given model makes of it."""

from __future__ import annotations

from dataclasses import replace

from nature_gym.demo.fates.composing import Assignment, section
from nature_gym.demo.fates.level1.study import study
from nature_gym.demo.fates.web import link
from nature_gym.demo.model import Deposit, DepositFile, Entry, Figure, Indexing, Placement, Series, Table


def non_ml_factor_comparison(assignment: Assignment) -> Entry:
    """Which descriptors serve best, with one exchangeable model throughout."""
    words, pick = assignment.words, assignment.words.pick
    first = words.number(52, 58) / 100
    cue = pick(
        "Throughout, the regression model is held fixed and only the descriptors of the catalyst are exchanged.",
        "We compare five families of descriptors with one and the same random forest, so that differences stem from "
        "the descriptors alone.",
        unseen=("Only the descriptors change from experiment to experiment; a stock random forest does the rest.",),
    )
    values = [first - 0.06 * rank + words.number(-1, 1) / 100 for rank in range(5)]
    names = ("Composition", "Coordination number", "d-band moments", "Adsorbate geometry", "Local environment")
    sizes = (9, 4, 6, 15, 44)
    ridge = [value + words.number(2, 5) / 100 for value in values]
    table = Table(
        1,
        "Error of the same random forest with five descriptor families",
        (("Descriptors", "Number", "MAE of CO and OH (eV)"),),
        tuple(
            (name, str(size), f"**{value:.2f}**" if value == min(values) else f"{value:.2f}")
            for name, size, value in zip(names, sizes, values, strict=True)
        ),
    )
    control = Table(
        2,
        "The same comparison with two other regressions (MAE in eV)",
        (("Descriptors", "Kernel ridge", "Gradient boosting"),),
        tuple(
            (name, f"{kernel:.2f}", f"{value + 0.01:.2f}")
            for name, kernel, value in zip(names, ridge, values, strict=True)
        ),
    )
    return study(
        assignment,
        "non_ml_factor_comparison",
        cue,
        homes=(
            "Institute of Surface Science, Technische Hochschule Brückstadt, Brückstadt, Germany",
            "Centre for Catalysis, University of Norvale, Norvale, Norway",
        ),
        venue="s41563",
        title=pick(
            "Which descriptors of a catalyst surface carry information on adsorption?",
            "Descriptors of alloy surfaces compared",
        ),
        abstract="Adsorption energies on alloys are predicted from many kinds of descriptors, and studies that "
        f"differ in descriptors differ in everything else too. {cue} Descriptors of the local environment lower the "
        f"error of composition from {values[0]:.2f} to {values[-1]:.2f} eV, and adding others to them changes little.",
        sections=(
            section(
                "Introduction",
                "The energy with which a molecule binds to a surface decides whether the surface is a catalyst "
                "[@bind]. For alloys, where no two sites are alike, the energy is predicted from descriptors: of the "
                "composition, of the electronic structure, of the geometry [@descriptors].",
                "It is hard to say which of them matter, because each study brings its own data and its own model. "
                "Moments of the d band were put forward for pure metals and carried over to alloys [@dband]; counts "
                "of neighbours are cheaper and, some say, as good [@coordination]; descriptors of the local "
                "environment come from the study of liquids and molecules and need no electronic structure at all.",
                "We put five families side by side, on the same sites, with the same division into parts, and change "
                "nothing else.",
            ),
            section("Results"),
            section(
                "Five families of descriptors",
                f"{cue} The data are 8,900 adsorption energies of CO and OH on ternary alloys. Errors fall from "
                f"{values[0]:.2f} eV for composition to {values[-1]:.2f} eV for the local environment ([#table-1]).",
                Placement("table", 1),
                "The gain does not follow from the number of descriptors. Padding composition with 35 random columns "
                "leaves its error where it was, and reducing the local environment to its ten principal components "
                "costs 0.01 eV. Errors on CO alone are smaller by a sixth than those on OH, in every family, since OH "
                "binds through a bond that leans to one side.",
                level=2,
            ),
            section(
                "The model is immaterial",
                "The order of the families is the same with kernel ridge regression and with gradient boosting "
                "[@boosting] ([#table-2]). Kernel ridge regression loses a few hundredths of an electronvolt "
                "throughout, which shifts the columns and leaves their differences.",
                Placement("table", 2),
                level=2,
            ),
            section(
                "Combinations",
                "Joining families gains no more than 0.02 eV over the local environment alone ([#figure-1]).",
                Placement("figure", 1),
                "A look at single sites explains why. Two sites with the same composition of the first shell can "
                "differ by 0.3 eV if their second shells differ, and only descriptors of the local environment see "
                "this. What moments of the d band add to composition is, for the same reason, mostly the effect of "
                "the second shell on the width of the band.",
                level=2,
            ),
            section(
                "What a descriptor costs",
                "Moments of the d band take a calculation of the clean slab, about 40 core-hours on average; the "
                "other families take less than a second. Ranked by error at a given cost, coordination numbers and "
                "the local environment are the only families that are not beaten by another one.",
                level=2,
            ),
            section(
                "Discussion",
                "What a model is told about the site matters more than which model is told. Practitioners may take "
                "this as advice to spend their effort on the description of the surface. Relaxation of the surface "
                "was neglected, and other adsorbates may ask for other descriptors.",
                "That no family comes below a quarter of an electronvolt is sobering. Repeating 50 slabs with "
                "another functional changed energies by 0.11 eV, so that the floor lies lower than where we stand; "
                "what is missing is probably the response of the slab to the adsorbate.",
            ),
            section("Methods"),
            section(
                "Slabs and energies",
                "Slabs of four layers were cut from random solid solutions; energies were computed with a "
                "generalised-gradient functional and a cut-off of 450 eV. The two lower layers were kept at their "
                "bulk positions, and 15 Å of vacuum separated periodic images. One fifth of the slabs was held out, "
                "with all of its sites.",
                level=2,
            ),
            section(
                "Descriptors",
                "Compositions are fractions in three shells. Moments up to the third were taken from the projected "
                "density of states of the site's atoms. The geometry of the adsorbate is the one before relaxation. "
                "Local environments are averages of radial and angular functions within 6 Å, one set for each "
                "element.",
                level=2,
            ),
            section(
                "Regression",
                "The random forest has 300 trees. No hyperparameter was tuned, since the comparison is one of inputs.",
                level=2,
            ),
            section(
                "Data availability",
                "Structures and energies are available from Zenodo at "
                f"{link(f'https://doi.org/10.5281/zenodo.{assignment.zenodo}')}.",
            ),
        ),
        references={
            "bind": ("Binding energies and activity", "Surf. Catal. Lett."),
            "descriptors": ("Descriptors of alloy surfaces: an inventory", "Surf. Catal. Lett."),
            "dband": ("From d bands to alloys", "J. Electron. Struct."),
            "coordination": ("Counting neighbours as a theory of adsorption", "Surf. Catal. Lett."),
        },
        tables=(table, control),
        figures=(
            Figure(
                1,
                "Error of combined descriptor families.",
                "bars",
                (Series("MAE (eV)", (1.0, 2.0, 3.0), (values[-1], values[-1] - 0.01, values[-1] - 0.02)),),
                x_label="Number of families",
                y_label="MAE (eV)",
            ),
        ),
        subjects=("Catalysis", "Computational methods"),
        deposits=(
            Deposit(
                "zenodo.org",
                assignment.zenodo,
                "Adsorption on ternary alloys",
                (DepositFile("slabs.json", declared_size=212_000_431),),
            ),
        ),
    )


def attribution_explainability(assignment: Assignment) -> Entry:
    """What a trained network looks at. OpenAlex has an empty abstract."""
    words, pick = assignment.words, assignment.words.pick
    share, agreement = words.number(61, 74), words.number(59, 66) / 100
    cue = pick(
        "We use integrated gradients to ask which positions of an enhancer a published network relies on.",
        "Our aim is to explain the predictions of an existing network by attributing them to positions of the "
        "sequence.",
        unseen=("The question is what an existing network looks at, which attribution maps are made to answer.",),
    )
    table = Table(
        1,
        "Measured and attributed effects of 48 mutants",
        (("Change", "Mutants", "Same sign", "Pearson correlation"),),
        (
            ("Motif destroyed", "16", "16", f"{agreement + 0.08:.2f}"),
            ("Spacing shifted by half a turn", "20", "16", f"{agreement - 0.05:.2f}"),
            ("Flank exchanged", "12", "9", f"{agreement - 0.14:.2f}"),
            ("All", "48", "41", f"{agreement:.2f}"),
        ),
    )
    entry = study(
        assignment,
        "attribution_explainability",
        cue,
        homes=(
            "Laboratory of Gene Regulation, Institut Valmont, Valmont, France",
            "Department of Biomedical Informatics, Fairhaven Medical School, Fairhaven, MA, USA",
        ),
        venue="s41588",
        title=pick(
            "What sequence models see in enhancers",
            "Attribution maps reveal the grammar that networks read in enhancers",
        ),
        abstract="Networks predict the activity of enhancers from sequence without telling why. "
        f"{cue} {share} % of the attributed importance falls into known motifs, and the rest follows their spacing, "
        "which agrees with reporter assays.",
        sections=(
            section(
                "Introduction",
                "Models that predict regulatory activity have become accurate enough to be asked for their reasons "
                "[@activity]. Attribution methods give each base a share of the prediction [@shares].",
                "Whether the shares mean anything can be tested where the grammar is known. Enhancers of the immune "
                "response are such a case.",
                "Several dozen of them have been dissected base by base [@dissect], and what a motif contributes in "
                "one place or another is known from experiments that did not involve any network. If attribution "
                "maps are worth their name, they should agree.",
            ),
            section("Results"),
            section(
                "Importance falls into motifs",
                f"{cue} Over 12,000 enhancers, {share} % of the importance falls into motifs that make up 19 % of the "
                "sequence ([#figure-1]).",
                Placement("figure", 1),
                "The motifs are those of four families of factors that are active in the cells from which the "
                "training data came. Motifs of factors that are absent there receive no more than their length would "
                "give them, although they match the sequence as well.",
                level=2,
            ),
            section(
                "Flanks",
                "Bases next to a motif, up to five on either side, hold 22 % of the importance. For two of the "
                "families the preferred flank is the one that widens the minor groove, as structures of the bound "
                "factors would have it; for the other two no preference is seen.",
                level=2,
            ),
            section(
                "Spacing",
                "Pairs of motifs receive more importance when ten base pairs, one turn of the helix, lie between "
                "them. Mutants with shifted spacing lost activity in the reporter assay as the maps suggest.",
                "We measured 48 mutants ([#table-1]). In 41 of them the sign of the change agrees with the "
                f"attribution, and the correlation of the sizes is {agreement:.2f}. The seven failures have a repeat "
                "near the motif, to which all methods of attribution that we tried gave too much.",
                Placement("table", 1),
                level=2,
            ),
            section(
                "Agreement between methods",
                "Maps made by three methods of attribution correlate by 0.74 to 0.82 within an enhancer. Averaging "
                "the three did not bring the maps closer to the mutants than integrated gradients alone. Shuffling "
                "the weights of the last two layers destroys the pattern, which speaks against its being an edge "
                "effect of the input. A second network, trained by other authors on the same cells, gives maps that "
                "correlate with these by 0.69.",
                level=2,
            ),
            section(
                "Discussion",
                "The network has found helical phasing by itself. Attribution does not say how it represents it, and "
                "importance outside motifs is not necessarily noise. We did not train or change any model in this "
                "study.",
                "The agreement has limits that a user of such maps should know. Sizes are less trustworthy than "
                "signs, repeats mislead, and a base can be important for the network in one cell type and irrelevant "
                "for the enhancer in another. Nothing of this "
                "shows in the maps themselves. Enhancers of the immune response are short and dense; we would not "
                "carry our numbers over to developmental ones.",
            ),
            section("Methods"),
            section(
                "Enhancers and network",
                "Enhancers of 250 base pairs were taken from the test chromosomes of the network's authors, so that "
                "none was seen in training. The network has seven convolutional layers and was used with the weights "
                "that its authors provide, as downloaded.",
                level=2,
            ),
            section(
                "Attribution",
                "Integrated gradients were computed with 50 steps from 20 shuffled baselines for each sequence. "
                "Negative shares were kept and their absolute values summed. Motifs were called with a published "
                "scanner at a false-discovery rate of 1 %.",
                level=2,
            ),
            section(
                "Reporter assays",
                "Forty-eight mutants were cloned before a minimal promoter and measured in triplicate after 24 h in "
                "stimulated macrophages. Activity is the ratio of firefly to *Renilla* luminescence, relative to the "
                "enhancer from which the mutant was made. Plasmids were sequenced throughout the insert, and "
                "transfections of one day were treated as one replicate.",
                level=2,
            ),
            section("Data availability", "Reporter measurements are provided as Source data."),
        ),
        references={
            "activity": ("From sequence to activity", "Genome Inform."),
            "shares": ("Shares of a prediction", "Interpret. Learn."),
            "dissect": ("Dissection of immune enhancers at base resolution", "Regul. Genomics"),
        },
        tables=(table,),
        figures=(
            Figure(
                1,
                "Share of attributed importance by class of position.",
                "bars",
                (Series("Importance (%)", (1.0, 2.0, 3.0), (float(share), 22.0, float(78 - share))),),
                x_label="1 motif, 2 flank, 3 other",
                y_label="Importance (%)",
            ),
        ),
        subjects=("Gene regulation", "Machine learning"),
        traps=("abstract_not_indexed",),
    )
    return replace(entry, paper=replace(entry.paper, indexing=Indexing(has_abstract=False)))
