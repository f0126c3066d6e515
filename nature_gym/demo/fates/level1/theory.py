"""Work without a model: a theorem, and a collection of measurements."""

from __future__ import annotations

from nature_gym.demo.fates.composing import Assignment, Press, section
from nature_gym.demo.fates.level1.study import study
from nature_gym.demo.fates.web import landing_page
from nature_gym.demo.model import Bullets, Entry, Equation, Placement, Table


def theory_behind_a_paywall(assignment: Assignment) -> Entry:
    """Closed access: the abstract alone tells that this is theory."""
    pick = assignment.words.pick
    cue = pick(
        "We prove an upper bound on the number of attractors of threshold-linear networks with given sparsity.",
        "Here we derive an analytical bound on the number of attractors of sparse threshold-linear networks.",
        unseen=("A theorem is given that bounds the number of attractors of sparse threshold-linear networks.",),
    )
    return study(
        assignment,
        "non_computational",
        cue,
        homes=(
            "Centre for Applied Mathematics, Universidad de Monteluz, Monteluz, Spain",
            "Department of Mathematics, Calder University, Calder, UK",
        ),
        venue="s41593",
        title=pick(
            "A bound on the attractors of sparse recurrent circuits",
            "How many memories fit into a sparse recurrent circuit?",
        ),
        abstract="Recurrent circuits of the brain are thought to store memories as attractors of their dynamics. How "
        f"many they can store has been known for dense connections only. {cue} The bound is tight for two families of "
        "graphs and suggests that sparsity costs less capacity than had been assumed.",
        sections=(
            section(
                "Introduction",
                "Attractor networks are the standard model of associative memory [@memory]. Their capacity has been "
                "worked out for random dense connections; cortex is neither [@cortex].",
                "The question has a practical side. Recordings of large populations suggest that the number of "
                "states in which a circuit comes to rest is small compared with what the theory of dense networks "
                "allows [@rest]. Either the circuit does not use what it has, or sparsity takes away more than was "
                "thought.",
                "We treat threshold-linear networks, for which the fixed points of a given support are unique and "
                "can be found by solving a linear system [@linear]. This turns a question on dynamics into one on "
                "graphs.",
            ),
            section("Results"),
            section(
                "Setting",
                "Let a network of $n$ neurons follow",
                Equation(r"\dot{x}_i = -x_i + \left[\sum_{j} W_{ij} x_j + b\right]_+"),
                "with a fixed positive drive $b$ and weights that are all inhibitory. A connection is strong if its "
                "weight exceeds $-1$, so that it inhibits less than a neuron's own leak, and weak otherwise; strong "
                "connections make a graph, and the support of a fixed point is the set of neurons that are active "
                "in it. Every neuron receives at most $k$ strong inputs.",
                level=2,
            ),
            section(
                "The bound",
                "We show that the number $N$ of stable fixed points obeys",
                Equation(r"N \leq \frac{n}{\omega}\, 3^{k/3}"),
                r"where $\omega$ is the size of the smallest clique of strong connections that cannot be enlarged. The "
                "bound is linear in the number of neurons and exponential in the number of strong inputs. With a "
                "hundred of them the second factor exceeds $10^{15}$.",
                r"Networks without strong connections have $\omega = 1$ and $k = 0$; for them the bound says what is "
                "known of winner-take-all circuits, that any neuron may win and no two of them.",
                level=2,
            ),
            section(
                "Two families that attain it",
                "Equality holds for disjoint unions of complete multipartite graphs whose parts have three neurons, "
                "and for graphs without triangles in which every neuron has three strong partners.",
                "The two families differ in how fixed points are arranged. In the first, a memory is one choice out "
                "of three in each part, so that similar memories share most of their neurons. In the second, each "
                "strong connection is a memory of two neurons, and neighbours overlap in one. In both cases a "
                "perturbation of the weights that is smaller than the gap between strong and weak connections "
                "leaves the count unchanged.",
                "Rings and lines of attractors, in which positions and directions are thought to be held [@ring], "
                "are not among the networks that reach the bound.",
                level=2,
            ),
            section(
                "Discussion",
                "The result is one about existence and not about learning: nothing is said of how a circuit would "
                "come to have the weights that reach the bound.",
                "Nor does it cover networks with delays or adaptation, whose attractors need not be fixed points. An "
                "extension to limit cycles seems possible where the graph has a rotational symmetry.",
                "Taken at face value, a patch of cortex with $10^5$ neurons and some hundred strong inputs to each "
                "could hold more states than an animal will ever need. The small number of states that are seen in "
                "recordings must have another reason, of which we can think of three: noise, which merges "
                "neighbouring attractors; the read-out, which cannot tell them apart; or the experiment, which does "
                "not ask for more.",
            ),
            section("Methods"),
            section(
                "Supports and stability",
                "For a support $s$ the fixed point is the solution of $(I - W_s) x_s = b$, and it exists if all of "
                "its entries are positive and all neurons outside of $s$ stay below threshold. It is stable if the "
                "eigenvalues of $W_s - I$ have negative real parts. We use three facts, of which the first two are "
                "known [@linear]:",
                Bullets(
                    (
                        "a support belongs to at most one fixed point;",
                        (
                            "a clique of strong connections is a stable support if and only if no neuron outside of it "
                            "receives strong connections from all of it;"
                        ),
                        (
                            "if inhibition by weak connections exceeds a value that depends on $k$ alone, there are no "
                            "other stable supports."
                        ),
                    )
                ),
                level=2,
            ),
            section(
                "Counting",
                "Stable supports are thus maximal cliques. Those that contain a given neuron are maximal cliques among "
                "its at most $k$ strong partners, and a graph of $k$ vertices has no more than $3^{k/3}$ of them "
                "[@cliques]. Summing over all neurons counts a clique as often as it has members, which is at "
                "least the size of the smallest. Full proofs are given in the Supplementary Information.",
                level=2,
            ),
            section("Data availability", "No data were generated in this study."),
        ),
        references={
            "memory": ("Attractors as memories", "Neural Theory"),
            "cortex": ("Sparsity of cortical connections", "Neural Theory"),
            "rest": ("States at rest in large recordings", "J. Popul. Code"),
            "cliques": ("On the number of maximal cliques", "Graph Count. Lett."),
            "linear": ("Fixed points of threshold-linear networks", "SIAM J. Circuits"),
            "ring": ("Rings and lines of attractors", "Neural Theory"),
        },
        subjects=("Network models", "Dynamical systems"),
        press=Press(2024, frozenset({"html"}), oa_status="closed"),
        traps=("closed_access",),
    )


def other_out_of_scope(assignment: Assignment) -> Entry:
    """A resource: a collection of data with a browser."""
    words, pick = assignment.words, assignment.words.pick
    count = words.number(9000, 12000)
    halves = count // 2, count // 4, count - count // 2 - count // 4
    papers, organisms = (1_630, 820, 690), (402, 231, 188)
    cue = pick(
        "We present a database, not a method: it collects measurements from the literature and offers them through a "
        "web browser.",
        "This Resource collects published measurements and makes them searchable; no predictive task is set or solved.",
        unseen=("What we offer is a collection that can be browsed and downloaded; nothing is predicted.",),
    )
    return study(
        assignment,
        "other_out_of_scope",
        cue,
        homes=(
            "Department of Arctic Biology, University of Norvale, Norvale, Norway",
            "University Library, University of Norvale, Norvale, Norway",
        ),
        venue="s41592",
        article_type="Resource",
        title=pick(
            "A curated database of enzyme kinetics at low temperature", "ColdKin, a resource on cold-adapted enzymes"
        ),
        abstract=f"Enzymes of cold environments are studied one by one. {cue} ColdKin holds {count:,} curated "
        "entries of 610 organisms, each with its conditions and with the sentence that reports it.",
        sections=(
            section(
                "Introduction",
                "Cold-adapted enzymes work at temperatures at which their relatives stand still [@cold]. What is "
                "known of them is spread over four decades of papers, in the units of each decade.",
                "Anyone who wants to compare two of them has to convert units, to guess at buffers, and to find out "
                "whether the enzyme was tagged. Existing collections of kinetic data are large and general [@large]; "
                "temperature is an optional field in them, and most entries below 15 °C lack it.",
                "The trade-off between activity and stability, the role of flexible loops and the place of water in "
                "both have been argued from a dozen examples [@loops]. More examples exist. They have to be made "
                "comparable first, which is what this Resource attempts.",
            ),
            section("Results"),
            section(
                "Content",
                f"{cue} Each of the {count:,} entries names the organism, the reaction, conditions, and constants "
                "with their units ([#table-1]). An entry is one constant of one enzyme under one set of conditions; "
                "a paper contributes 3.3 on average, and 46 of them more than 30.",
                Placement("table", 1),
                "Temperatures run from −5 to 40 °C; two thirds of the entries lie below 15 °C. For 1,140 enzymes "
                "there are constants at three or more temperatures, from which activation parameters are derived and "
                "marked as derived.",
                level=2,
            ),
            section(
                "What an entry looks like",
                "Constants are given as printed and in SI units, with the error if one was printed. Conditions "
                "comprise temperature, pH, buffer, salt, and additives. The protein is named by its sequence "
                "accession if the paper gives one, and by its sequence where we could find it; tags and mutations "
                "are spelled out. Nine entries in ten name a sequence.",
                level=2,
            ),
            section(
                "Access",
                "Entries can be searched by organism, reaction and temperature, and exported as tables. Curators "
                "check what users submit.",
                "An interface for programs returns the same tables as text. Every entry links to the sentence of the "
                "paper from which it was taken, so that doubts can be settled by reading and not by writing to us. "
                "During a trial period of six months 41 users submitted 380 corrections, of which 352 were accepted.",
                level=2,
            ),
            section(
                "Two examples of use",
                "Grouped by environment, enzymes of sea ice have lower activation enthalpies than those of glaciers, "
                "at equal optimum temperature. The difference is seen within families and is not explained by the "
                "organisms' relatedness.",
                "Grouped by year of publication, the share of entries without a stated pH fell from 22 to 3 %. "
                "Buffers whose pH moves with temperature were used without comment in 640 entries, which are marked.",
                level=2,
            ),
            section(
                "Discussion",
                "A collection is as good as its upkeep. We have funds for five years and a procedure for handing "
                "ColdKin over.",
                "We decided against filling gaps by estimates, since an estimate that looks like a measurement will "
                "sooner or later be cited as one. Values that we consider doubtful are marked and kept.",
                "The collection shares the bias of its sources. Hydrolases that are easily assayed make up half of "
                "it, membrane enzymes are nearly absent, and two genera of bacteria account for a fifth.",
            ),
            section("Methods"),
            section(
                "Literature",
                "Two bibliographic databases were searched for combinations of words for cold and for kinetics up to "
                "June of the year before publication. Titles and abstracts of 11,900 papers were read by one curator "
                "each, and a tenth by two, who disagreed on 4 % of them.",
                level=2,
            ),
            section(
                "Curation",
                "Two curators read 3,140 papers and entered values independently; disagreements were resolved by a "
                "third. The error rate, estimated by entering 200 papers a third time, is 0.7 % for constants and "
                "2.1 % for conditions.",
                level=2,
            ),
            section(
                "Implementation",
                "Entries are kept in a relational database whose constraints refuse units that do not fit the kind "
                "of constant. The browser is a thin layer above it. A copy of the whole is frozen each quarter and "
                "receives a number, which users are asked to cite.",
                level=2,
            ),
            section(
                "Data availability",
                "ColdKin is available at [https://coldkin.example.org](https://coldkin.example.org).",
            ),
        ),
        references={
            "cold": ("Life of enzymes in the cold", "Extremophile Lett."),
            "large": ("Collections of enzyme kinetics compared", "Database Biol."),
            "loops": ("Flexibility and activity at low temperature", "Extremophile Lett."),
        },
        tables=(
            Table(
                1,
                "Content of ColdKin",
                (("Class", "Entries", "Papers", "Organisms"),),
                (
                    *(
                        (name, f"{entries:,}", f"{read:,}", str(found))
                        for name, entries, read, found in zip(
                            ("Hydrolases", "Oxidoreductases", "Others"), halves, papers, organisms, strict=True
                        )
                    ),
                    ("All", f"{count:,}", f"{sum(papers):,}", "610"),
                ),
                ("An organism is counted once in each class and once in the last row.",),
            ),
        ),
        subjects=("Databases", "Enzymes"),
        pages=(
            landing_page(
                "https://coldkin.example.org", "ColdKin", "Kinetics of enzymes in the cold. Search, browse, download."
            ),
        ),
    )
