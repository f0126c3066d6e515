"""The papers that do not pass: complete in codes and traps, and consistent with their own truth."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

import pytest

from nature_gym.demo import fates
from nature_gym.demo.fates import level1, measured
from nature_gym.demo.fates.composing import Assignment
from nature_gym.demo.fates.kits import KITS
from nature_gym.demo.fates.web import address
from nature_gym.demo.inline import plain
from nature_gym.demo.model import Bullets, Entry, Paper, Paragraph, Placement
from nature_gym.demo.truth import TRAPS, follows_the_rules
from nature_gym.demo.words import Words

CODES = {
    ("1.1", "validation_tool_usage"),
    ("1.1", "non_computational"),
    ("1.1", "non_ml_factor_comparison"),
    ("1.1", "intermediate_data_evaluation"),
    ("1.1", "attribution_explainability"),
    ("1.1", "general_methodology"),
    ("1.1", "hardware_dependent"),
    ("1.1", "other_out_of_scope"),
    ("2.1", "efficiency_metric"),
    ("2.1", "model_analysis"),
    ("2.1", "non_competitive_quality"),
    ("2.2", "human_evaluation"),
    ("2.2", "visual_inspection"),
    ("2.2", "black_box_tool"),
    ("2.2", "depends_on_algorithm"),
    ("2.2", "external_service"),
    ("3.1", "on_request"),
    ("3.1", "agreement_required"),
    ("3.1", "identity_required"),
    ("3.2", "pretrained_model_unavailable"),
    ("3.2", "private_dependency"),
    ("3.2", "dev_data_not_found"),
    ("3.2", "data_anomaly"),
    ("3.3", "no_reference"),
    ("3.3", "eval_data_not_found"),
    ("3.3", "data_anomaly"),
    ("3.4", "toy_data_only"),
    ("3.4", "version_mismatch"),
    ("3.4", "version_unclear"),
    ("3.5", "invalid_eval_method"),
    ("3.6", "too_large"),
    ("3.6", "size_unknown"),
    ("0", "retracted"),
    ("0", "article_type:news"),
    ("0", "article_type:editorial"),
    ("0", "article_type:review"),
    ("0", "article_type:perspective"),
    ("0", "article_type:comment"),
    ("0", "article_type:correction"),
    ("0", "article_type:retraction"),
    ("0", "article_type:protocol"),
    ("0", "article_type:correspondence"),
    ("0", "article_type:author_reply"),
}

WORLDS = [(0, False), (7, True)]
ENTRIES = [
    pytest.param(entry, id=f"{fate.__name__}-{seed}{'u' * unseen}")
    for seed, unseen in WORLDS
    for fate, entry in zip(fates.FATES, fates.entries(seed, unseen=unseen), strict=True)
]


def texts(paper: Paper) -> list[str]:
    """Every piece of running text of a paper, in inline markup, the abstract first."""
    found = [paper.abstract]
    for section in paper.sections:
        for block in section.blocks:
            if isinstance(block, Paragraph):
                found.append(block.text)
            elif isinstance(block, Bullets):
                found.extend(block.items)
    return found


def test_every_rejection_code_and_article_type_has_a_paper() -> None:
    met = {(entry.truth.stopped_at, entry.truth.code) for entry in fates.entries(0)}
    assert met >= CODES


TELLING = {
    "validation_tool_usage": r"random forest|[Gg]radient boosting",
    "non_computational": r"synthesi|salt|prove|theorem|derive",
    "non_ml_factor_comparison": r"descriptors",
    "intermediate_data_evaluation": r"networks\b.*train|train.* networks|detectors that are trained",
    "attribution_explainability": r"attribut|integrated gradients",
    "general_methodology": r"14 models",
    "hardware_dependent": r"chip|array",
    "other_out_of_scope": r"collect",
    "efficiency_metric": r"\d ms .*GB",
    "model_analysis": r"analyse|understand",
    "non_competitive_quality": r"does not reach|falls short|remains ahead",
    "human_evaluation": r"pathologists",
    "visual_inspection": r"visual|eye|looking",
    "black_box_tool": r"proprietary|closed-source|trade secret",
    "depends_on_algorithm": r"encoder|latent space|discriminator|reward model|critic",
    "external_service": r"web API|online service|chat service",
    "on_request": r"request|write to|those who ask|restricted",
    "agreement_required": r"agreement|[Cc]ontract",
    "identity_required": r"controlled access|authorised|approved|sign-in",
    "pretrained_model_unavailable": r"cannot be released|not publicly available|not be shared",
    "private_dependency": r"not distributed|cannot be shared|belongs to a company",
    "dev_data_not_found": r"404|no commit",
    "data_anomaly": r"0 bytes",
    "no_reference": r"secret|withheld|never been published",
    "eval_data_not_found": r"404",
    "toy_data_only": r"toy|demo sample|try out",
    "version_mismatch": r"release 1\.0",
    "version_unclear": r"not recorded|without noting|no longer be told",
    "invalid_eval_method": r"cross-validation|folds",
    "too_large": r"L: [0-9,.]+ GB",
    "size_unknown": r"no size|says nothing",
    "retracted": r"retract",
}
"""What the rejecting sentence, or the observation in its place, cannot leave unsaid."""


REJECTED = {fate.__name__: (fate, place) for place, fate in enumerate(fates.FATES, 1) if fate not in measured.FATES}


@pytest.mark.parametrize("name", REJECTED)
def test_in_every_wording_the_sentence_or_observation_that_rejects_says_why(name: str) -> None:
    """Forty choices meet each alternative of a sentence, unless one is very unlucky."""
    fate, place = REJECTED[name]
    for seed in range(40):
        words = Words(seed, f"fates/{name}", unseen=seed % 4 == 3)
        entry = fate(Assignment(words, name, place))
        last = entry.truth.rules[-1]
        code, said = str(last.code), f"{last.quote} {last.note}"
        assert re.search(TELLING.get(code, f"article type {entry.paper.article_type}"), said), (code, said)


def test_there_are_at_least_forty_five_papers_none_of_which_shares_a_name() -> None:
    papers = [entry.paper for entry in fates.entries(0)]
    assert len(papers) >= 45
    for name in ("suffix", "openalex_id", "title"):
        assert len({getattr(paper, name) for paper in papers}) == len(papers), name


def test_papers_come_in_every_form_of_full_text() -> None:
    papers = [entry.paper for entry in fates.entries(0) if entry.truth.stopped_at != "0"]
    assert any(paper.formats == {"pdf"} for paper in papers)
    assert any("xml" in paper.formats for paper in papers)
    assert any(paper.template == "old" for paper in papers)
    assert any(paper.oa_status == "closed" for paper in papers)
    assert all((paper.pmcid is not None) == ("xml" in paper.formats) for paper in papers)


@pytest.mark.parametrize("entry", ENTRIES)
def test_truth_stops_at_the_first_rejection_with_a_code_of_that_rule(entry: Entry) -> None:
    assert follows_the_rules(entry.truth)
    assert set(entry.truth.traps) <= set(TRAPS)


@pytest.mark.parametrize("entry", ENTRIES)
def test_quotes_stand_word_for_word_in_the_plain_text(entry: Entry) -> None:
    whole = "\n".join(map(plain, texts(entry.paper)))
    for rule in entry.truth.rules:
        assert rule.quote in whole, rule
        assert rule.quote or rule.note, f"rule {rule.rule} has neither a quote nor an observation"


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_decision_is_quoted_from_one_place_only(entry: Entry) -> None:
    """Scores of a rules decider are per sentence; the rejecting one must not contradict a passing one."""
    quotes = [rule.quote for rule in entry.truth.rules if rule.quote]
    assert len(set(quotes)) == len(quotes)


@pytest.mark.parametrize("entry", ENTRIES)
def test_citations_lead_to_references_and_every_reference_is_cited_in_order(entry: Entry) -> None:
    paper = entry.paper
    assert "[@" not in paper.abstract
    cited: list[int] = []
    for text in texts(paper):
        for match in re.finditer(r"\[@([^\]]*)\]", text):
            cited += [int(number) for number in match[1].split(",")]
    first = list(dict.fromkeys(cited))
    assert first == list(range(1, len(paper.references) + 1))


@pytest.mark.parametrize("entry", ENTRIES)
def test_tables_and_figures_are_numbered_placed_once_and_mentioned(entry: Entry) -> None:
    paper = entry.paper
    whole = "\n".join(texts(paper))
    placed = [block for section in paper.sections for block in section.blocks if isinstance(block, Placement)]
    for what, floats in (("table", paper.tables), ("figure", paper.figures)):
        numbers = [one.number for one in floats]
        assert numbers == list(range(1, len(floats) + 1))
        assert sorted(one.number for one in placed if one.what == what) == numbers
        mentioned = {int(number) for number in re.findall(rf"\[#{what}-(\d+)\]", whole)}
        assert mentioned == set(numbers)
    for table in paper.tables:
        width = len(table.rows[0])
        assert all(len(row) == width for row in (*table.rows, *table.header))


@pytest.mark.parametrize("entry", ENTRIES)
def test_no_template_shows_through(entry: Entry) -> None:
    paper = entry.paper
    captions = [*(table.caption for table in paper.tables), *(figure.caption for figure in paper.figures)]
    for text in [paper.title, *texts(paper), *captions]:
        assert not re.search(r"[{}]|\.\.|  | ,| \.(?!\d)|\bNone\b|;;", re.sub(r"\$[^$]*\$", "x", text)), text


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_best_bold_row_is_the_method_in_papers_that_pass_on_quality(entry: Entry) -> None:
    truth = entry.truth
    if not any(rule.rule == "2.1" and rule.verdict == "pass" for rule in truth.rules):
        return
    table = entry.paper.tables[0]
    best = [row[0] for row in table.rows for cell in row[1:] if cell.startswith("**")]
    method = table.rows[-1][0]
    assert set(best) == {method}
    assert len(best) == len(table.rows[0]) - 1
    claim = next(rule for rule in truth.rules if rule.rule == "2.1").quote
    numbers = re.findall(r"\d+\.\d+|\d{2,}", claim)
    printed = " ".join(cell for row in table.rows for cell in row[1:])
    assert all(number in printed for number in numbers), (claim, printed)


def test_there_are_no_more_station_days_than_stations_times_days() -> None:
    for one in KITS["air"].sets:
        told = re.fullmatch(r"(\d+) stations .*, (\d{4})–(\d{4})", one.description)
        assert told is not None
        stations, first, last = map(int, told.groups())
        assert one.count * 1.04 < stations * (last - first + 1) * 365


def test_a_baseline_leads_where_quality_is_not_competitive() -> None:
    entry = next(entry for entry in fates.entries(3) if entry.truth.code == "non_competitive_quality")
    table = entry.paper.tables[0]
    assert not any(cell.startswith("**") for cell in table.rows[-1])


@pytest.mark.parametrize("entry", ENTRIES)
def test_research_papers_are_whole_small_papers(entry: Entry) -> None:
    paper = entry.paper
    if paper.article_type not in {"Article", "Resource"}:
        return
    words = sum(len(plain(text).split()) for text in texts(paper))
    titles = [section.title for section in paper.sections]
    assert {"Introduction", "Main"} & set(titles)
    assert {"Discussion", "Methods"} <= set(titles)
    assert 650 <= words <= 1600


def test_no_sentence_of_a_paper_of_level_1_stands_in_another_paper() -> None:
    """What is no method paper is written out, and not filled up."""
    written_out = {fate.__name__ for fate in level1.FATES}
    seen: dict[str, str] = {}
    for fate, entry in zip(fates.FATES, fates.entries(0), strict=True):
        for section in entry.paper.sections:
            if section.title in {"Acknowledgements", "Competing interests", "Data availability"}:
                continue
            for block in section.blocks:
                text = plain(block.text) if isinstance(block, Paragraph) else ""
                for sentence in re.split(r"(?<=[.?!]) (?=[A-Z])", text):
                    pair = {seen.setdefault(sentence, fate.__name__), fate.__name__}
                    assert len(pair) == 1 or len(sentence.split()) < 6 or not pair & written_out, sentence


def test_every_accession_in_a_paper_has_a_page() -> None:
    addresses = {
        r"\bEMD-\d{4,5}\b": "https://www.ebi.ac.uk/emdb/{}",
        r"\b[678](?:KQ2|XT4|BR9)\b": "https://www.rcsb.org/structure/{}",
        r"\bP0A\w{3}\b": "https://www.uniprot.org/uniprotkb/{}",
        r"\bPRJEB\d+\b": "https://www.ebi.ac.uk/ena/browser/view/{}",
        r"\bPRJNA\d+\b": "https://www.ncbi.nlm.nih.gov/bioproject/{}",
        r"\bGSE\d+\b": "https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc={}",
    }
    met = set()
    for entry in fates.entries(0):
        pages = {page.url: page.body for page in entry.pages}
        whole = "\n".join(map(plain, texts(entry.paper)))
        for pattern, form in addresses.items():
            for accession in re.findall(pattern, whole):
                assert accession.encode() in pages[form.format(accession)]
                met.add(pattern)
    assert met == set(addresses)


def test_links_meet_every_behaviour_and_no_verdict_hangs_on_one_that_fails_for_good() -> None:
    met = {page.behaviour for entry in fates.entries(0) for page in entry.pages}
    assert met == {"plain", "slow", "flaky", "limited", "reset", "loop", "captcha"}
    for entry in fates.entries(0):
        for page in entry.pages:
            if page.behaviour in {"reset", "loop", "captcha"} or "36000" in page.headers.values():
                places = [
                    section.title
                    for section in entry.paper.sections
                    for block in section.blocks
                    if isinstance(block, Paragraph) and page.url in block.text
                ]
                assert places == ["Supplementary information"]
                assert entry.truth.stopped_at in {"3.5", "3.6"}


ODD: dict[str, Callable[[Paper], bool]] = {
    "merged_work": lambda paper: bool(paper.indexing.former_ids),
    "doi_not_indexed": lambda paper: not paper.indexing.knows_doi,
    "html_in_title": lambda paper: "<sub>" in (paper.indexing.title or ""),
    "abstract_not_indexed": lambda paper: bool(paper.abstract) and not paper.indexing.has_abstract,
    "retraction_not_indexed": lambda paper: paper.retracted and not paper.indexing.knows_retraction,
    "erratum_as_article": lambda paper: "Correction" in paper.article_type and paper.openalex_type == "article",
}


@pytest.mark.parametrize("trap", ODD)
def test_one_paper_has_each_odd_record_and_says_so(trap: str) -> None:
    odd = [entry.paper.suffix for entry in fates.entries(0) if ODD[trap](entry.paper)]
    assert odd == [entry.paper.suffix for entry in fates.entries(0) if trap in entry.truth.traps]
    assert len(odd) == 1


def test_every_printed_link_has_something_behind_it() -> None:
    """A link that decides by observation needs its repository, record or page (or the lack of one, stated)."""
    for entry in fates.entries(0):
        served = {repository.url for repository in entry.repositories} | {page.url for page in entry.pages}
        served |= {address(deposit) for deposit in entry.deposits}
        for text in texts(entry.paper):
            for url in re.findall(r"\]\((https?://[^)]+)\)", text):
                of_record = any(f"/records/{deposit.number}/files/" in url for deposit in entry.deposits)
                assert of_record or url in served or url.removesuffix(".git") in served, url


def test_unseen_wordings_differ_in_every_cue_and_keep_the_structure() -> None:
    seen, unseen = fates.entries(5), fates.entries(5, unseen=True)
    for one, other in zip(seen, unseen, strict=True):
        shape = [[(rule.rule, rule.verdict, rule.code) for rule in entry.truth.rules] for entry in (one, other)]
        assert shape[0] == shape[1]
        assert one.paper.id == other.paper.id
        assert one.truth.traps == other.truth.traps
        rejecting, told = one.truth.rules[-1], other.truth.rules[-1]
        if rejecting.quote:
            skeleton = [re.sub(r"[\d.,]+", "#", quote) for quote in (rejecting.quote, told.quote)]
            assert skeleton[0] != skeleton[1], rejecting


def test_another_seed_tells_other_numbers() -> None:
    for one, other in zip(fates.entries(0), fates.entries(1), strict=True):
        if one.paper.tables:
            assert one.paper.tables != other.paper.tables


def test_programs_of_authors_are_python_and_define_what_they_import_from_one_another() -> None:
    for entry in fates.entries(0):
        for repository in entry.repositories:
            trees = {path[:-3]: ast.parse(text) for path, text in repository.files.items() if path.endswith(".py")}
            for tree in trees.values():
                for node in ast.walk(tree):
                    if isinstance(node, ast.ImportFrom) and node.module in trees:
                        body = ast.dump(trees[node.module])
                        assert all(f"'{alias.name}'" in body for alias in node.names), repository.url


def test_a_readme_names_no_record_that_the_paper_does_not_have() -> None:
    for entry in fates.entries(0):
        known = {address(deposit) for deposit in entry.deposits}
        for repository in entry.repositories:
            readme = repository.files.get("README.md", b"").decode()
            assert set(re.findall(r"https://(?:doi\.org|huggingface\.co)/[\w./-]+\w", readme)) <= known
