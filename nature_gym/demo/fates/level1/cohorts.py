"""Studies of people, in which a model is an instrument among others."""

from __future__ import annotations

from nature_gym.demo.fates.accessions import ena_page
from nature_gym.demo.fates.composing import Assignment, section
from nature_gym.demo.fates.level1.study import study
from nature_gym.demo.model import Entry, Figure, Placement, Series, Table


def validation_tool_usage(assignment: Assignment) -> Entry:
    """A cohort study in which a forest confirms what sequencing and statistics have shown."""
    words, pick = assignment.words, assignment.words.pick
    people, area = words.number(380, 460), words.number(78, 86) / 100
    responders = round(0.52 * people)
    accession = f"PRJEB{words.number(51000, 61000)}"
    secretion = (100.0, float(words.number(47, 52)), float(words.number(93, 97)), float(words.number(95, 99)))
    cue = pick(
        "A random forest was used to test whether the abundances separate responders from non-responders.",
        "To confirm the association we trained a random forest on the abundances.",
        "We used a random forest classifier to validate the discriminatory value of the altered species.",
        unseen=(
            "As a check, an off-the-shelf random forest was fitted to the abundances.",
            "The association was corroborated with a standard random forest.",
        ),
    )
    table = Table(
        1,
        "Species that differ between responders and non-responders",
        (("Species", "Fold change", "Prevalence (%)", "*P*"),),
        tuple(
            (
                name,
                f"{words.number(14, 48) / 10:.1f}",
                str(words.number(41, 88)),
                f"{words.number(11, 95) / 10:.1f} × 10^−{words.number(4, 7)}^",
            )
            for name in ("*Blautia norvaliensis*", "*Roseburia calderi*", "*Dorea lenta*", "*Alistipes montis*")
        ),
        ("Fold changes are ratios of geometric means; *P* values are adjusted for multiple testing.",),
    )
    return study(
        assignment,
        "validation_tool_usage",
        cue,
        homes=(
            "Department of Gastroenterology, Calder University Hospital, Calder, UK",
            "Institute of Microbiology, Calder University, Calder, UK",
        ),
        venue="s41467",
        title=pick(
            "Gut bacteria that accompany the response to biologic therapy in colitis",
            "A bacterial signature of treatment response in ulcerative colitis",
        ),
        abstract="Half of the patients with ulcerative colitis do not respond to their first biologic. In a "
        f"prospective cohort of {people} patients we sequenced stool before treatment and followed the patients for a "
        "year. Four butyrate-producing species were more abundant in responders, and their supernatants dampened "
        "inflammation in organoids. The results point to butyrate supply as a condition of treatment success.",
        sections=(
            section(
                "Introduction",
                "Biologic drugs have changed the course of inflammatory bowel disease, yet every second patient "
                "gains nothing from the first of them [@biologic]. Which patient will respond cannot be told from "
                "symptoms or endoscopy, and months pass before a failure is recognised as one [@delay].",
                "The gut microbiota is a natural suspect. Small studies found that responders harbour more butyrate "
                "producers [@butyrate]. Elsewhere, deep networks with new architectures have been proposed for "
                "metagenomes [@deep], but what is missing in colitis is not another predictor. It is a cohort large "
                "enough to say which species matter, and an experiment that says how.",
                "Butyrate feeds the cells that line the colon and restrains their response to bacterial products "
                "[@fuel]. A drug that blocks a single cytokine might therefore work better, or only, where butyrate "
                "already keeps the others low. We set out to test this in patients and in tissue.",
            ),
            section("Results"),
            section(
                "Cohort and sequencing",
                f"We enrolled {people} patients at six hospitals before their first infusion. Stool was collected "
                "within a week and subjected to shotgun sequencing at a median depth of 21 million read pairs. After "
                f"a year {responders} patients (52 %) were in steroid-free remission and were counted as responders. "
                "Responders and non-responders did not differ in age, sex or duration of disease; non-responders "
                "smoked more often and had higher faecal calprotectin at the start.",
                level=2,
            ),
            section(
                "Butyrate producers are enriched in responders",
                "Four species differed after correction for age, sex, smoking and calprotectin ([#table-1]). All "
                "four carry the butyryl-CoA pathway, and the summed abundance of its last gene differed more clearly "
                "than that of any species. Richness and evenness did not differ.",
                Placement("table", 1),
                f"{cue} In repeated cross-validation it reached an area under the curve of {area:.2f}, in line with "
                "the univariate tests.",
                level=2,
            ),
            section(
                "Supernatants dampen inflammation in organoids",
                "We grew colonic organoids of seven donors and exposed them to supernatants of isolates. Those of "
                "*B. norvaliensis* halved the secretion of interleukin-8 after stimulation, and the effect vanished "
                "when butyrate was removed by extraction ([#figure-1]). A knock-out of the butyryl-CoA transferase "
                "behaved like the control medium.",
                Placement("figure", 1),
                "The other three species acted in the same direction and less strongly. Mixing the four did not "
                "exceed the effect of *B. norvaliensis* alone at equal density, which suggests that the dose of "
                "butyrate counts and not its source.",
                level=2,
            ),
            section(
                "Discussion",
                "Responders carry more butyrate producers before they receive the drug, and the product of these "
                "bacteria acts on the tissue at which the drug aims. This does not prove that adding butyrate would "
                "turn non-responders into responders. Enemas with butyrate have disappointed in trials [@enema], "
                "perhaps because they reach the last segment of the colon only.",
                "Diet was recorded by questionnaire, and all hospitals are in one country. Antibiotics in the three "
                "months before enrolment were a reason for exclusion, so that nothing is said of patients who need "
                "them most. Stool is not mucosa; a subset of 40 biopsies agreed for three of the four species.",
                "A trial that pairs the first infusion with a butyrate-producing consortium is under way.",
            ),
            section("Methods"),
            section(
                "Participants",
                "Adults with moderate to severe ulcerative colitis and no earlier biologic were eligible. The study "
                "was approved by the ethics committees of all hospitals, and participants gave written consent. "
                "Remission was judged at week 52 by physicians who did not know the results of sequencing.",
                level=2,
            ),
            section(
                "Sample processing",
                "Stool was frozen at −80 °C within four hours. DNA was extracted with bead beating, libraries were "
                "prepared with 350-base-pair inserts, and reads of human origin were removed. Species were "
                "quantified with marker genes [@marker]; those found in fewer than 10 % of samples were dropped.",
                level=2,
            ),
            section(
                "Statistics",
                "Differential abundance was tested by linear models on log ratios, with Benjamini–Hochberg "
                "correction and hospital as a random effect. The random forest had 500 trees and default parameters.",
                level=2,
            ),
            section(
                "Organoid culture",
                "Crypts were isolated from biopsies and grown in basement-membrane matrix for nine days. "
                "Supernatants were added at a dilution of 1:50 an hour before flagellin. Interleukin-8 was measured "
                "by immunoassay in triplicate and compared by a paired test across donors. Butyrate was removed by "
                "extraction with ether and restored, as a control, at 12 mM.",
                level=2,
            ),
            section(
                "Data availability",
                "Sequencing reads have been deposited in the European Nucleotide Archive under accession "
                f"{accession}. Clinical data of single patients cannot be shared because of the consent given.",
            ),
        ),
        references={
            "biologic": ("Primary non-response to biologics", "Gut Med. Rev."),
            "delay": ("Time to recognition of treatment failure in colitis", "Gut Med. Rev."),
            "butyrate": ("Butyrate producers and remission", "Microb. Clin. Lett."),
            "deep": ("Deep architectures for metagenomes", "Microb. Inform."),
            "fuel": ("Short-chain fatty acids as fuel and signal", "Epithel. Biol."),
            "enema": ("Butyrate enemas: a pooled analysis", "Clin. Colorectal Trials"),
            "marker": ("Species profiles from marker genes", "Microb. Inform."),
        },
        tables=(table,),
        figures=(
            Figure(
                1,
                "Interleukin-8 after stimulation, relative to medium. Means of organoids from seven donors.",
                "bars",
                (Series("Interleukin-8 (% of medium)", (1.0, 2.0, 3.0, 4.0), secretion),),
                x_label="1 medium, 2 supernatant, 3 extracted, 4 knock-out",
                y_label="Interleukin-8 (%)",
            ),
        ),
        subjects=("Microbiome", "Inflammatory bowel disease"),
        traps=("claims_of_others",),
        pages=(
            ena_page(
                accession,
                "Stool metagenomes before biologic therapy in ulcerative colitis",
                "human gut metagenome",
                people,
                "Illumina NovaSeq 6000",
            ),
        ),
    )


def observational_study(assignment: Assignment) -> Entry:
    """Epidemiology with a model as an instrument."""
    words, pick = assignment.words, assignment.words.pick
    people, ratio = words.number(41, 58) * 1000, words.number(118, 131) / 100
    groups = (
        ("All births", ratio, 0.05),
        ("Homes with ventilation", ratio - 0.09, 0.07),
        ("Homes without ventilation", ratio + 0.08, 0.07),
        ("Mother younger than 25", ratio + 0.11, 0.12),
        ("Mother 25 or older", ratio - 0.03, 0.05),
        ("Coastal cities", 1.02, 0.09),
    )
    cue = pick(
        "Gradient boosting was applied only to impute missing exposures and to check the regression for non-linear "
        "effects.",
        "Missing exposures were imputed with gradient boosting, which served as a tool of the analysis.",
        unseen=("Gradient boosting entered the analysis in one place, the imputation of exposures.",),
    )
    return study(
        assignment,
        "validation_tool_usage",
        cue,
        homes=(
            "School of Public Health, Universidad de Monteluz, Monteluz, Spain",
            "National Institute of Meteorology, Monteluz, Spain",
        ),
        venue="s41467",
        title=pick("Night-time heat and preterm birth in eleven cities", "Hot nights are followed by preterm births"),
        abstract=f"Heat waves have become longer, and nights within them warmer. Among {people:,} births in eleven "
        f"cities, a hot night in the last week was associated with a hazard ratio of {ratio:.2f} for preterm birth. "
        "The association was stronger where homes had no ventilation. Warnings that look at days alone miss it.",
        sections=(
            section(
                "Introduction",
                "Heat is a danger for pregnant women, and studies have looked at it by day [@heat]. The body "
                "recovers by night, if the night allows [@sleep].",
                "Nights have warmed faster than days in most cities, because stone and asphalt give back what they "
                "took up [@stone]. Bedrooms follow with a delay of hours. Whether this matters for births has not "
                "been examined on a scale that would allow for the many other things that change in a hot week.",
                "Registries of births and a grid of temperatures now make such an examination possible. We linked "
                "the two for eleven cities between the coast and the inner plains, which share a health system and "
                "differ in climate, building stock and age.",
            ),
            section("Results"),
            section(
                "Births and nights",
                f"We linked {people:,} births between 2008 and 2019 with temperatures on a grid of 1 km. Of these, "
                "6.3 % were preterm. Hot nights were those above the 95th percentile of the city, which lies between "
                "18.4 and 23.1 °C. The hazard ratio was "
                f"{ratio:.2f} after adjustment for age, parity, season and air pollution ([#table-1]).",
                Placement("table", 1),
                level=2,
            ),
            section(
                "The day and the night before",
                "When the maximum of the preceding day was added to the model, the estimate for the night fell by "
                "0.03 and that for the day was close to one. Days without a hot night carried no risk; hot nights "
                "after an ordinary day, which are few, carried most of it. Two hot nights in a row weighed more than "
                "two that were separated by a cool one.",
                level=2,
            ),
            section(
                "Who is affected",
                "The association was stronger in homes without ventilation and in women under 25, and absent in the "
                "two coastal cities, where the wind turns after sunset. It did not differ by parity. Exposure in "
                "earlier weeks of the pregnancy added nothing once the last week was accounted for.",
                level=2,
            ),
            section(
                "Sensitivity",
                f"{cue} Estimates without imputation were within 0.02. Leaving out any one city, moving the "
                "threshold to the 90th or 97.5th percentile, and ending the pregnancy's follow-up at week 35 changed "
                "neither direction nor order of the estimates.",
                level=2,
            ),
            section(
                "Discussion",
                "The study is observational; women who can leave a city in summer do so. That the association grows "
                "where homes cannot be ventilated speaks for a causal role of the night. So does its absence at the "
                "coast, where women differ little from those inland and the nights differ much.",
                "Loss of fluid and of sleep are the mechanisms that are usually named [@sleep,fluid], and the data "
                "cannot tell them apart. Neither was the temperature of bedrooms known; a grid of 1 km does not see "
                "the top floor.",
                "Warnings are issued on the maximum of the coming day [@warn]. By that rule two in five of the hot "
                "nights in our data came without a warning. A threshold on the minimum would cost nothing.",
            ),
            section("Methods"),
            section(
                "Population",
                "Single live births after week 22 to residents of the cities were taken from the registries. "
                "Inductions without onset of labour were censored at the day of induction. The committee for the use "
                "of health registers approved the linkage; consent of individuals is not required for it by law.",
                level=2,
            ),
            section(
                "Exposure",
                "Minimum temperatures between 22:00 and 06:00 were taken from a reanalysis and corrected with the "
                "readings of 214 stations. Addresses at birth were used; moves during pregnancy were not known for "
                "three of the cities. Ventilation was known by building from the energy register.",
                level=2,
            ),
            section(
                "Statistics",
                "Cox models with time-dependent exposure and gestational age as the time axis were stratified by "
                "city and month. Intervals are 95 % confidence intervals with clustering by mother. The analysis "
                "plan was fixed before linkage and is followed except for the comparison of consecutive nights, "
                "which was added.",
                level=2,
            ),
            section(
                "Data availability",
                "Birth records are available from the registries of the cities under the conditions of their "
                "statutes. Temperatures are distributed by the reanalysis centre.",
            ),
        ),
        references={
            "heat": ("Heat and birth outcomes", "Environ. Health Comput."),
            "sleep": ("Sleep in hot bedrooms during pregnancy", "Sleep Environ."),
            "stone": ("Nocturnal heat release of urban fabric", "J. Urban Clim."),
            "fluid": ("Fluid balance and the onset of labour", "Obstet. Physiol."),
            "warn": ("Thresholds of heat–health warnings compared", "J. Urban Clim."),
        },
        tables=(
            Table(
                1,
                "Hazard ratio of preterm birth after a hot night in the last week",
                (("Group", "Hazard ratio", "95 % interval"),),
                tuple((name, f"{at:.2f}", f"{at - half:.2f}–{at + half:.2f}") for name, at, half in groups),
            ),
        ),
        subjects=("Epidemiology", "Climate-change impacts"),
    )
