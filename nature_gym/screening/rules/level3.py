"""Level 3, data and process: can everything be had without asking, is it complete, is it what the paper used, does it
close an experiment, and how large is it.

Rules go by what the statements say and by what is seen at the links. A link that could not be seen (``error``) never
leads to a rejection; where a part that the task needs could not be seen at all, the rule says undecided.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from nature_gym.screening.access import (
    Offer,
    all_empty,
    code_of_refusal,
    empty_files,
    missing_files,
    offer_of,
    statuses,
)
from nature_gym.screening.counts import counts_in
from nature_gym.screening.deciders import Case
from nature_gym.screening.decisions import Evidence
from nature_gym.screening.manuscript import Sentence
from nature_gym.screening.probes import Probe
from nature_gym.screening.rules import Finding, rule
from nature_gym.screening.settings import BLOCKED, Core, core_experiments, dataset_names, names_any, protocol_of
from nature_gym.screening.sizes import readable
from nature_gym.screening.statements import PARTS, STATISTICS, WITHHELD, Component, Part
from nature_gym.screening.task import Setting
from nature_gym.screening.task_size import data_links, estimate_of, names_of_data

_REASONS = {
    "on_request": "the data have to be requested",
    "agreement_required": "the data are given out under an agreement that has to be signed",
    "identity_required": "the data are given only to persons who are known and approved",
}
_GATED = ("requires_auth", "redirect_to_auth")
_APART_FROM_METHOD = re.compile(
    r"^(?:introduction|main|background|related work|discussion|conclusions?|outlook|abstract|references|limitations|"
    r"acknowledge?ments?|author|competing|additional)",
    re.IGNORECASE,
)


def _offer(case: Case) -> Offer:
    return offer_of(case, names_of_data(case))


def _observed(probe: Probe) -> Evidence:
    code = f" (HTTP {probe.http_code})" if probe.http_code else ""
    notes = f"; {'; '.join(probe.notes)}" if probe.notes else ""
    return Evidence(quote=f"{probe.url}: {probe.status}{code}{notes}")


def _quoted(found: Iterable[Component]) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys(one.evidence for one in found))


# -- 3.1 -------------------------------------------------------------------------------


@rule("3.1", version="2")
def zero_interaction(case: Case) -> Finding:
    """Every component that the task needs can be had without asking anybody."""
    offer = _offer(case)
    if offer.blocked:
        first = _most_telling(offer.blocked)
        code = BLOCKED[first.term]
        return Finding("reject", _REASONS[code], code, _quoted([first, *offer.blocked]))
    kept = [one for one in offer.withheld if not one.rest and not one.parts & {"model", "software"}]
    if kept and not offer.open:
        return Finding("reject", "the data are not given out", "on_request", _quoted(kept))
    if not offer.open:
        return Finding(
            "undecided", "the paper does not say where its data can be had", evidence=_quoted(offer.withheld)
        )
    probes = case.probe(offer.urls)
    refused = _refused(offer, probes)
    if refused is not None:
        return refused
    if offer.doubtful:
        return Finding(
            "undecided",
            "some data are public and some on request; the paper does not tell which of them the task needs",
            evidence=_quoted([*offer.doubtful, *offer.open[:1]]),
        )
    note = _seen_note(offer, case, probes)
    seen = statuses(offer.urls, probes)
    if "error" in seen and "accessible" not in seen:
        reason = "none of the data links that are left could be looked at"
        return Finding("undecided", reason, evidence=tuple(map(_observed, seen["error"])))
    return Finding("pass", f"the data are offered to everybody{note}", evidence=_quoted(_first_open(offer)))


def _most_telling(blocked: Sequence[Component]) -> Component:
    """Of several blocked components, one that speaks of the data in a whole sentence of its own."""
    return min(blocked, key=lambda one: (one.rest, -len(one.parts)))


def _first_open(offer: Offer) -> list[Component]:
    ranked = sorted(offer.homes, key=lambda one: (not one.urls, not one.openly))
    return ranked[:2]


def _refused(offer: Offer, seen: Mapping[str, Probe]) -> Finding | None:
    """A rejection where what holds the data wants a log-in, a request or a signature."""
    for one in offer.homes:
        own = [seen[url] for url in one.urls if url in seen]
        gated = [probe for probe in own if probe.status in _GATED]
        if not gated or any(probe.status == "accessible" for probe in own):
            continue
        others = [other for other in offer.homes if other is not one and _reached(other, seen)]
        if others and one.rest:
            continue
        if others and not (one.parts & {"development", "evaluation", "reference"}) and not one.openly:
            continue
        code = code_of_refusal(gated[0], one.clause)
        return Finding(
            "reject",
            f"{_REASONS[code]}, as their link shows",
            code,
            (one.evidence, *map(_observed, gated)),
        )
    return None


def _reached(one: Component, seen: Mapping[str, Probe]) -> bool:
    """Whether it is there for everybody, or may be: nobody could look."""
    return any(url in seen and seen[url].status in ("accessible", "error") for url in one.urls)


def _seen_note(offer: Offer, case: Case, probes: Mapping[str, Probe]) -> str:
    if case.prober is None:
        return "; links were not probed"
    seen = statuses(offer.urls, probes)
    told = ", ".join(f"{len(found)} {status}" for status, found in sorted(seen.items()))
    return f"; links: {told}" if told else ""


# -- what is not given out -------------------------------------------------------------

_STARTS_FROM = re.compile(
    r"\b(?:starts?|starting|started|initiali[sz]ed|fine-?tuned?|builds?|built|based|rests?|relies|rely|depends?|"
    r"distilled|"
    r"transferred|warm-?started|bootstrapped) (?:\w+ )?(?:from|on|upon|with)\b|\bpre-?train(?:ed|ing)?\b|"
    r"\b(?:uses?|requires?|needs?|takes?|embeds?|encoded) (?:\w+ ){0,4}?(?:language|foundation|base|embedding|"
    r"encoder|backbone)|\binitiali[sz](?:e[sd]?|ing|ation)\b|\b(?:needs?|requires?|uses?|loads?) (?:it|them|these"
    r"|those|its"
    r" weights|their weights)\b|\b(?:inserted|plugged|built|placed|grafted) (?:in)?to\b|\b(?:on top of|adapter for"
    r"|head on)\b"
    r"|\bwithout (?:it|them|this|these|[A-Z][\w-]+)[^.;]{0,40}\b(?:cannot|can not|impossible|does not)\b"
    r"|\b(?:cannot|can not) be (?:re-?)?(?:trained|run|built|used|reproduced|computed) without\b",
    re.IGNORECASE,
)
_PRETRAINED = re.compile(
    r"\bpre-?train\w*|\b(?:language|foundation|base|teacher|embedding|backbone) models?\b|\bbackbones?\b|"
    r"\bencoders?\b|"
    r"\bweights\b|\bcheckpoints?\b",
    re.IGNORECASE,
)
_DEPENDS = re.compile(
    r"\b(?:\w+ed|read|written|run|made) (?:\w+ ){0,3}?(?:by|with|using|through|via|only)\b|"
    r"\b(?:only|solely|exclusively) (?:\w+ )?(?:by|with|using|through|via|in)\b|"
    r"\b(?:requires?|required|relies|rely|depends?|needs?|calls?|links? against|based on|built on|wraps?|takes?|"
    r"uses?)\b",
    re.IGNORECASE,
)
_ON_DATA = re.compile(
    r"\b(?:data|datasets?|files?|inputs?|formats?|raw|recordings?|images?|curves?|spectra|sequences|signals?|"
    r"samples?|traces?|"
    r"scans?|measurements?|records?|pre-?processing|features?)\b",
    re.IGNORECASE,
)
_TOOL = re.compile(
    r"\bsoftware\b|\blibrar(?:y|ies)\b|\bpackages?\b|\bsolvers?\b|\bsimulators?\b|\btoolkits?\b|\bprograms?\b|"
    r"\bengines?\b|"
    r"\bbinar(?:y|ies)\b|\bmodules?\b|\bSDK\b|\bdrivers?\b|\breaders?\b|\btools?\b|\bcodecs?\b|\bformats?\b",
    re.IGNORECASE,
)
_MERELY_OWNED = re.compile(r"\b(?:proprietary|confidential|property of|closed[- ]source)\b", re.IGNORECASE)
_ITS = re.compile(
    r"(?:Its|It|These|They|This|That|Their|Neither|Both|(?:The|Both|All) (?:\w+ )?(?:models?|weights|backbones?"
    r"|encoders?|"
    r"checkpoints?|networks?|parameters))\b"
)
_OWNED_MODEL = re.compile(
    r"\b(?:weights|checkpoints?|models?|encoders?|backbones?|parameters)\b[^.;]{0,30}\b(?:is|are|was|were"
    r"|remains?) (?:\w+ )?"
    r"(?:proprietary|confidential|closed[- ]source|(?:the )?property of)\b"
    r"|\b(?:proprietary|closed[- ]source|confidential)\b[^.;,]{0,40}\b(?:weights|checkpoints?|encoders?|backbones?|"
    r"(?:language|foundation|base|embedding|teacher|pre-?trained) models?)\b",
    re.IGNORECASE,
)
"""A model, and no tool that one can buy, is kept by whoever owns it."""
_LATER = re.compile(r"\b(?:later|newer|future|subsequent) (?:versions?|releases?|editions?)\b", re.IGNORECASE)


def _not_given_out(case: Case, everything: Sequence[Component]) -> Iterator[tuple[str, Sentence]]:
    """(text, sentence) of all that the paper says is not given out; with the sentence before where one refers to it."""
    stated = {(one.sentence.section, one.sentence.start) for one in everything}
    before: Sentence | None = None
    for sentence in case.manuscript.sentences:
        previous, before = before, sentence
        if _APART_FROM_METHOD.match(sentence.chapter or "Introduction") or not WITHHELD.search(sentence.text):
            continue
        if _LATER.search(sentence.text):
            continue
        in_statement = (sentence.section, sentence.start) in stated
        kept = WITHHELD.search(_MERELY_OWNED.sub("", sentence.text)) or _OWNED_MODEL.search(sentence.text)
        if not in_statement and not kept:
            continue  # "with proprietary software" tells of a tool that one can buy
        text = sentence.text
        if _ITS.match(text) and previous is not None and previous.section == sentence.section:
            text = f"{previous.text} {text}"
        yield text, sentence


def _parts(text: str) -> frozenset[Part]:
    text = STATISTICS.sub(" ", text)
    return frozenset(part for part, pattern in PARTS if pattern.search(text))


# -- 3.2 -------------------------------------------------------------------------------


@rule("3.2", version="2")
def initial_state(case: Case) -> Finding:
    """What the authors had before their algorithm ran can be had, without what the algorithm itself made."""
    offer = _offer(case)
    for text, sentence in _not_given_out(case, offer.everything):
        if not _is_the_methods(case, text) and (found := _withheld_from_start(text)):
            code, reason = found
            return Finding("reject", reason, code, (sentence.evidence(),))
        if (needed := _needed_elsewhere(case, sentence)) is not None:
            code, reason = _KEPT_MODEL
            return Finding("reject", reason, code, (sentence.evidence(), needed.evidence()))
    probes = case.probe(_urls_of(offer))
    return (
        _gone_model(offer, probes)
        or _gone_tool(case, offer)
        or _gone(offer, probes, "development", "dev_data_not_found")
        or _empty(offer, probes, "development")
        or _pass_with(case, offer, "development", "what the method was developed on can be had")
    )


_KEPT_MODEL = ("pretrained_model_unavailable", "the method starts from a trained model that is not given out")
_MODEL_NAME = re.compile(r"(?<![\w-])[A-Za-z0-9]*[A-Z][\w]*(?:[-.+][A-Za-z0-9]+)*")
_NAME_OF_A_MODEL = re.compile(r"[A-Z][^\s]{0,40}[A-Z\d]|[a-z][^\s]{0,40}[A-Z]")


def _is_the_methods(case: Case, text: str) -> bool:
    """Whether what is kept is what the method itself learned: ``the weights of X``, said of the paper's own X."""
    name = re.escape(case.task.method) if case.task.method else r"(?!)"
    return (
        re.search(
            rf"\b(?:weights|checkpoints?|parameters|models?) (?:of|for) (?:our |the )?(?:\w+ )?{name}(?![\w-])"
            rf"|(?<![\w-]){name}(?:['’]s)? (?:\w+ )?(?:weights|checkpoints?|parameters|models?)\b",
            text,
        )
        is not None
    )


def _needed_elsewhere(case: Case, kept: Sentence) -> Sentence | None:
    """The sentence that says that the method starts from the model which ``kept`` says, by name, is not given out.

    The weights of the paper's own method are what the method makes; it does not start from them.
    """
    if not _PRETRAINED.search(kept.text):
        return None
    own = {name.casefold() for name in (case.task.method, *case.task.variants) if name}
    names = [
        name
        for name in _MODEL_NAME.findall(kept.text)
        if _NAME_OF_A_MODEL.search(name) and not any(name.casefold() in one or one in name.casefold() for one in own)
    ]
    for sentence in case.manuscript.sentences:
        if sentence is kept or not names_any(sentence.text, names):
            continue
        if _APART_FROM_METHOD.match(sentence.chapter or "Introduction") or not _STARTS_FROM.search(sentence.text):
            continue
        if not _BASELINE.search(sentence.text):
            return sentence
    return None


_BASELINE = re.compile(r"\bbaselines?\b|\bcompar(?:e[sd]?|ison|isons|ing)\b|\bcompetit\w+", re.IGNORECASE)


def _withheld_from_start(text: str) -> tuple[str, str] | None:
    if _PRETRAINED.search(text) and _STARTS_FROM.search(text):
        return _KEPT_MODEL
    if _TOOL.search(text) and _DEPENDS.search(text) and _ON_DATA.search(text):
        return "private_dependency", "the data cannot be used without software that is not given out"
    parts = _parts(text)
    if "development" in parts and not parts & {"evaluation", "model", "software"}:
        return "private_dependency", "the data that the method was trained on are not given out"
    return None


def _urls_of(offer: Offer) -> tuple[str, ...]:
    """Links to data, and to what else the beginning depends on."""
    others = [
        url
        for one in offer.everything
        if one.parts & {"model", "development"} and one.term == "public" and not one.not_needed and not one.origin
        for url in one.urls
    ]
    return tuple(dict.fromkeys((*offer.urls, *others)))


def _gone_model(offer: Offer, probes: Mapping[str, Probe]) -> Finding | None:
    for one in offer.everything:
        if "model" in one.parts and not one.of_data and _STARTS_FROM.search(one.clause):
            gone = [probes[url] for url in one.urls if url in probes and probes[url].status == "not_found"]
            if gone and len(gone) == len(one.urls):
                reason = "the trained model that the method starts from is not where the paper says"
                return Finding("reject", reason, "pretrained_model_unavailable", (one.evidence, *map(_observed, gone)))
    return None


def _gone_tool(case: Case, offer: Offer) -> Finding | None:
    """A library that the paper's code calls, and that is not where the paper says."""
    calls = [one for one in offer.everything if "software" in one.parts and _CALLS.search(one.clause) and one.urls]
    probes = case.probe([url for one in calls for url in one.urls])
    for one in calls:
        gone = [probes[url] for url in one.urls if url in probes and probes[url].status == "not_found"]
        if gone and len(gone) == len(one.urls):
            reason = "software that the method cannot do without is not where the paper says"
            return Finding("reject", reason, "private_dependency", (one.evidence, *map(_observed, gone)))
    return None


_CALLS = re.compile(
    r"\b(?:calls?|requires?|relies on|rely on|depends? on|needs?|links? against|built on|builds on|wraps?)\b",
    re.IGNORECASE,
)


def _gone(offer: Offer, probes: Mapping[str, Probe], part: Part, code: str) -> Finding | None:
    """A rejection where the links to a part of the data, or to all data, lead nowhere."""
    other: Part = "evaluation" if part == "development" else "development"
    for one in offer.homes:
        if not one.urls or any(url not in probes for url in one.urls):
            continue
        if part not in one.parts or other in one.parts:
            continue
        if all(probes[url].status == "not_found" for url in one.urls):
            reason = f"the {'training' if part == 'development' else 'test'} data are not where the paper says"
            return Finding("reject", reason, code, (one.evidence, *(_observed(probes[url]) for url in one.urls)))
    seen = statuses(offer.urls, probes)
    if offer.urls and set(seen) == {"not_found"}:
        clauses = _of_part(offer, part) or list(offer.homes)
        return Finding(
            "reject",
            "none of the links to the data leads to any",
            code,
            (*_quoted(clauses[:1]), *map(_observed, seen["not_found"])),
        )
    mine = [one.clause for one in _of_part(offer, part)]
    reached = [probes[url] for url in offer.urls if url in probes and probes[url].status == "accessible"]
    if missing := missing_files(mine, reached, beside=[one.clause for one in offer.everything]):
        clauses = [one for one in _of_part(offer, part) if any(name in one.clause for name in missing)]
        reason = f"the record does not hold {', '.join(missing)}"
        return Finding("reject", reason, code, (*_quoted(clauses[:1]), *map(_observed, reached)))
    return None


def _of_part(offer: Offer, part: Part) -> list[Component]:
    """The clauses that speak of one part of the data and not of the other."""
    other: Part = "evaluation" if part == "development" else "development"
    data = [one for one in offer.everything if one.of_data and not one.not_needed and not one.origin]
    return [one for one in data if part in one.parts and other not in one.parts]


def _empty(offer: Offer, probes: Mapping[str, Probe], part: Part) -> Finding | None:
    """A rejection where the files of a part are there and hold nothing."""
    for url in offer.urls:
        probe = probes.get(url)
        if probe is None or probe.status != "accessible":
            continue
        empty, whole = empty_files(probe, part)
        if whole or (part == "development" and all_empty(probe)):
            told = ", ".join(empty) or "all files"
            listed = Evidence(quote=f"{probe.url} lists {told} with 0 bytes")
            return Finding(
                "reject",
                f"files that the task needs are empty: {told}",
                "data_anomaly",
                (*_quoted(_of_part(offer, part)[:1]), listed),
            )
    return None


def _pass_with(case: Case, offer: Offer, part: Part, reason: str) -> Finding:
    """A pass with the clause that offers the part to everybody, or the data as a whole."""
    found = _quoted([one for one in _of_part(offer, part) if one.term in ("public", "in_paper")][:1])
    unseen = [
        probe
        for one in offer.homes
        if part in one.parts
        for url in one.urls
        if (probe := case.probes.get(url)) is not None and probe.status == "error"
    ]
    homes = [url for one in offer.homes if part in one.parts for url in one.urls]
    if unseen and len(unseen) == len(homes):
        return Finding(
            "undecided", f"the links to this part could not be looked at; {reason} if they hold", None, found
        )
    return Finding("pass", reason, evidence=found or _quoted(_first_open(offer)[:1]))


# -- 3.3 -------------------------------------------------------------------------------


@rule("3.3", version="2")
def evaluation_loop(case: Case) -> Finding:
    """Inputs to be judged on, and what to judge by, can both be had."""
    offer = _offer(case)
    for text, sentence in _not_given_out(case, offer.everything):
        parts = _parts(text)
        if "evaluation" in parts and "reference" in parts:
            return Finding(
                "reject", "the answers of the test data are not given out", "no_reference", (sentence.evidence(),)
            )
        if "evaluation" in parts and "development" not in parts and not parts & {"model", "software"}:
            return Finding("reject", "the test data are not given out", "eval_data_not_found", (sentence.evidence(),))
    probes = case.probe(offer.urls)
    return (
        _gone(offer, probes, "evaluation", "eval_data_not_found")
        or _empty(offer, probes, "evaluation")
        or _pass_with(case, offer, "evaluation", "test inputs and their answers can be had")
    )


# -- 3.4 -------------------------------------------------------------------------------

_VERSION = re.compile(
    r"\b(?P<what>releases?|versions?|freeze|snapshot|build|edition|v)(?:\s?(?:number|"
    r"no\.))?[\s.]?(?P<number>\d+(?:\.\d+)*)\b",
    re.IGNORECASE,
)
_VERSION_OF_TOOL = re.compile(
    r"\b(?:python|pytorch|tensorflow|matlab|numpy|scipy|scikit-learn|keras|jax|cuda|R|software|packages?|"
    r"librar\w+|toolbox|"
    r"toolkit|code)\b[^.;]{0,30}$",
    re.IGNORECASE,
)
_USED = re.compile(
    r"\b(?:used|use|uses|using|trained|tested|evaluated|experiments?|analysed|analyzed|results|ran|run|worked|"
    r"based|benchmarked|"
    r"computed|reported here)\b",
    re.IGNORECASE,
)
_DEPOSITED = re.compile(
    r"\b(?:deposit\w*|record|available|archived?|public\w*|uploaded|released|hosted|repository|download\w*|"
    r"online|provided|"
    r"shared|stored|holds|contains|has)\b",
    re.IGNORECASE,
)
_NOT_RECORDED = re.compile(
    r"\b(?:releases?|versions?|snapshots?|dumps?|states?|downloads?|dates?|editions?)\b[^.;]{0,120}?\b(?:not|"
    r"never|no longer|cannot|"
    r"un)\s?(?:be\s)?(?:\w+\s)?(?:recorded|known|noted|documented|stated|specified|kept|determined|told|"
    r"reconstructed|"
    r"recovered|logged|identified|written down|traced|established|available)\b|"
    r"\b(?:did not|didn[’']t|failed to) (?:record|note|keep|document|log|write down)\b[^.;]{0,80}?"
    r"\b(?:releases?|versions?|snapshots?|dates?|states?)\b|"
    r"\b(?:unknown|unclear|unrecorded|undocumented)\b[^.;]{0,40}\b(?:releases?|versions?|snapshots?)\b|"
    r"\bwithout (?:noting|recording|keeping|documenting|stating|logging|writing down|a (?:record|"
    r"note) of) (?:\w+ ){0,3}?"
    r"(?:releases?|versions?|snapshots?|dates?|states?)\b|"
    r"\bno (?:records?|notes?|log)\b[^.;]{0,40}\b(?:releases?|versions?|snapshots?)\b|"
    r"\b(?:releases?|versions?|snapshots?)\b[^.;]{0,80}\b(?:is|are|was|were|remains?) (?:unknown|unclear|"
    r"unrecorded|undocumented)\b",
    re.IGNORECASE,
)
_OF_DATA = re.compile(
    r"\b(?:data|datasets?|databases?|collection|corpus|archive|catalogue|atlas|bank)\b", re.IGNORECASE
)
_NOT_THE_REAL = re.compile(
    r"\bnot the\b|\binstead of\b|\brather than\b|\bonly\b|\bfull (?:data|set)\b|\bsubset\b", re.IGNORECASE
)
_MAGNITUDE = 10.0


@rule("3.4", version="1")
def consistent(case: Case) -> Finding:
    """What is offered is what the paper used: same data, same version, same order of magnitude."""
    offer = _offer(case)
    return (
        _toy_only(case, offer)
        or _unclear(case)
        or _mismatch(case, offer)
        or Finding("pass", "what is offered is what the paper used, as far as it tells", evidence=_numbers(case))
    )


def _toy_only(case: Case, offer: Offer) -> Finding | None:
    homes = [one for one in offer.homes if one.urls] or list(offer.homes)
    examples = [one for one in offer.everything if one.toy and one.of_data]
    if examples and homes and all(one.toy or one.rest for one in homes):
        told = sorted(examples, key=lambda one: not _NOT_THE_REAL.search(one.clause))
        return Finding("reject", "only examples of the data are offered, not the data", "toy_data_only", _quoted(told))
    if len(homes) != 1:
        return None
    used = {one.unit: one.value for sentence in _on_data(case) for one in counts_in(sentence.text)}
    for component in offer.everything:
        if component.of_data and not component.not_needed and _DEPOSITED.search(component.clause):
            for count in counts_in(component.clause):
                if component.toy and used.get(count.unit, 0) >= _MAGNITUDE * count.value > 0:
                    reason = f"{count.value:,.0f} {count.unit} are offered where {used[count.unit]:,.0f} were used"
                    return Finding("reject", reason, "toy_data_only", (component.evidence,))
    return None


def _on_data(case: Case) -> Iterator[Sentence]:
    """Sentences that describe the paper's own work: not what others did, nor what is to come."""
    for sentence in case.manuscript.sentences:
        if not _APART_FROM_METHOD.match(sentence.chapter):
            yield sentence


def _unclear(case: Case) -> Finding | None:
    names = names_of_data(case)
    for sentence in _on_data(case):
        if _NOT_RECORDED.search(sentence.text) and (
            _OF_DATA.search(sentence.text)
            or names_any(sentence.text, names)
            or (re.search(r"\b(?:taken|drawn|updated|downloaded|release)\b", sentence.text))
        ):
            return Finding(
                "reject", "which version of the data was used is not known", "version_unclear", (sentence.evidence(),)
            )
    return None


def _mismatch(case: Case, offer: Offer) -> Finding | None:
    """Versions that were used, against versions that are offered; a version of a tool is none of data."""
    names = names_of_data(case)
    stated = {(one.sentence.section, one.sentence.start) for one in offer.everything}
    used: dict[str, Sentence] = {}
    for sentence in _on_data(case):
        if (sentence.section, sentence.start) in stated or not _USED.search(sentence.text):
            continue
        for version in _versions(sentence.text, names):
            used.setdefault(version, sentence)
    offered: dict[str, Component] = {}
    for one in offer.everything:
        if one.of_data and not one.origin and not one.not_needed and _DEPOSITED.search(one.clause):
            for version in _versions(one.clause, names, in_statement=True):
                offered.setdefault(version, one)
    if used and offered and not set(used) & set(offered):
        theirs, ours = next(iter(offered.items())), next(iter(used.items()))
        return Finding(
            "reject",
            f"version {ours[0]} was used, version {theirs[0]} is offered",
            "version_mismatch",
            (theirs[1].evidence, ours[1].evidence()),
        )
    return None


def _versions(text: str, names: Sequence[str], *, in_statement: bool = False) -> Iterator[str]:
    for match in _VERSION.finditer(text):
        before = text[max(0, match.start() - 40) : match.start()]
        if _VERSION_OF_TOOL.search(before):
            continue
        long_name = len(match["what"]) > 1
        if long_name and (in_statement or names_any(text, names) or _OF_DATA.search(text)):
            yield match["number"]


def _numbers(case: Case) -> tuple[Evidence, ...]:
    """The sentence that counts the paper's samples."""
    names = names_of_data(case)
    best: Sentence | None = None
    for sentence in _on_data(case):
        if counts_in(sentence.text):
            if names_any(sentence.text, names):
                return (sentence.evidence(),)
            if best is None and _OF_DATA.search(sentence.text):
                best = sentence
    return (best.evidence(),) if best is not None else ()


# -- 3.5 -------------------------------------------------------------------------------


@rule("3.5", version="3")
def closed_experiment(case: Case) -> Finding:
    """At least one main experiment is judged on a fixed set of test data that can be had."""
    offer = _offer(case)
    core = core_experiments(case.manuscript, offer.everything, case.task.method, case.task.variants)
    main = [one for one in core.settings if not one.reason.startswith("a subgroup")]
    if not main:
        return _without_tables(case, core)
    task = case.task.model_copy(update={"settings": core.settings})
    accepted = [one for one in main if one.accepted]
    if accepted:
        named = ", ".join(one.name for one in accepted)
        reason = f"{len(accepted)} of {len(main)} settings can be used: {named}"
        return Finding("pass", reason, evidence=_proof(core, accepted[0]), task=task)
    if any(one.protocol == "unknown" for one in main):
        return Finding("undecided", "the paper does not say how its test data were chosen", task=task)
    folded = [one for one in main if one.protocol == "k_fold"]
    if folded:
        reason = "all main experiments are evaluated by cross-validation; none has a fixed test set"
        return Finding("reject", reason, "invalid_eval_method", _proof(core, folded[0]), task)
    return Finding("undecided", "no data set of the main results can be had: " + main[0].reason, task=task)


def _without_tables(case: Case, core: Core) -> Finding:
    """Main results stand in figures only: then the sentences on the protocol decide."""
    told = [one for one in core.mentions if not one.sentence.section.startswith(("Table", "Fig"))]
    protocol, mention = protocol_of("", "", told or core.mentions, ())
    evidence = (mention.sentence.evidence(),) if mention is not None else ()
    if protocol == "k_fold":
        reason = "all experiments are evaluated by cross-validation; none has a fixed test set"
        return Finding("reject", reason, "invalid_eval_method", evidence)
    if mention is None or mention.sentence.section.startswith(("Table", "Fig")):
        return Finding(
            "undecided", "no table of main results, and no word on how test data were chosen", None, evidence
        )
    setting = Setting(name="main experiment", accepted=True, reason=mention.sentence.text, protocol=mention.protocol)
    task = case.task.model_copy(update={"settings": (setting, *core.settings)})
    return Finding("pass", "the main experiment has test data of its own", evidence=evidence, task=task)


def _proof(core: Core, setting: Setting) -> tuple[Evidence, ...]:
    names = dataset_names(core.tables)
    notes = next((table.caption for table in core.tables if setting.name in table.groups), "")
    _, mention = protocol_of(setting.name, notes, core.mentions, names)
    return (mention.sentence.evidence(),) if mention is not None else ()


# -- 3.6 -------------------------------------------------------------------------------


@rule("3.6", version="2")
def size(case: Case) -> Finding:
    """At most 50 GB, and known."""
    urls = data_links(case)
    probes = case.probe(urls)
    estimate = estimate_of(case)
    quotes = tuple(dict.fromkeys(part.sentence.evidence() for part in estimate.parts if part.sentence is not None))
    listed = tuple(Evidence(quote=str(part)) for part in estimate.parts if part.sentence is None)
    if estimate.size is None:
        if case.prober is None and urls:
            return Finding("undecided", "links were not probed, and the text states no size")
        if any(probe.status == "error" for probe in probes.values()):
            return Finding("undecided", "a data link could not be looked at, and the text states no size")
        seen = tuple(_observed(probe) for probe in probes.values())
        return Finding("reject", "nothing tells how large the data are", "size_unknown", seen)
    told = f"tier {estimate.tier}: {readable(estimate.size)}, confidence {estimate.confidence}"
    if estimate.tier == "L":
        return Finding("reject", f"{told}; more than 50 GB", "too_large", (*quotes, *listed))
    return Finding("pass", told, evidence=(*quotes, *listed))
