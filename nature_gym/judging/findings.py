"""From where answers come from to what is wrong with them.

The idea: what was written by hand, looked up or brought from outside counts wherever it reaches an answer. That nothing
was learned counts only where no program that may have written the answer learned anything, for workspaces keep
the programs of earlier attempts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nature_gym.judging.given import Given
from nature_gym.judging.origins import Kind, Label, Value, union
from nature_gym.judging.policy import Category
from nature_gym.judging.tracing import Sink, Tracer
from nature_gym.judging.verdict import Evidence

LEAST_ROWS = 16
MOST_EVIDENCE = 12
_MODEL_FILE = re.compile(r"\.(?:pkl|pickle|pt|pth|joblib|model|ckpt|safetensors|h5|bin|npz|npy)$", re.IGNORECASE)


@dataclass(slots=True)
class Findings:
    """``found`` counts against the score, ``notes`` do not; ``unclear`` are reasons why nothing can be said."""

    found: list[Evidence] = field(default_factory=list)
    notes: list[Evidence] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)

    def add(self, category: Category, about: str, file: str, line: int = 0, text: str = "") -> None:
        """One more thing that counts; the same place counts once for a category."""
        one = Evidence(file=file[:300], line=line, text=text[:500], about=about[:500], category=category)
        places = [(other.category, other.file, other.line) for other in self.found]
        if (category, one.file, line) not in places and len(self.found) < 4 * MOST_EVIDENCE:
            self.found.append(one)

    def note(self, about: str, file: str, line: int = 0, text: str = "") -> None:
        """One more thing that was seen."""
        if len(self.notes) < MOST_EVIDENCE:
            self.notes.append(Evidence(file=file[:300], line=line, text=text[:500], about=about[:500]))

    def categories(self) -> tuple[Category, ...]:
        """The categories in the order in which they were found."""
        return tuple(dict.fromkeys(one.category for one in self.found if one.category is not None))


def look_at(tracer: Tracer, changed: frozenset[str], findings: Findings, *, has_paper: bool) -> bool:
    """Look at what a traced program writes as answers; false where nothing is seen to write any."""
    look = _Look(tracer, findings, has_paper=has_paper)
    look.at_reads()
    sinks = _candidates(tracer.written(), changed)
    if not sinks:
        return False
    files = {sink.file for sink in sinks}
    idle = []
    for file in sorted(files):
        mine = [sink for sink in sinks if sink.file == file]
        look.at_origins(mine)
        if not _is_learned(union(sink.value for sink in mine), tracer.given):
            idle.append(mine)
    if len(idle) == len(files):
        for mine in idle:
            look.at_nothing_learned(mine)
    return True


def _candidates(sinks: Sequence[Sink], changed: frozenset[str]) -> list[Sink]:
    """The places that may have written the answer: of programs that changed since the attempt before, if any did."""
    answers = [sink for sink in sinks if sink.answer] or [sink for sink in sinks if not sink.known]
    return [sink for sink in answers if sink.file in changed] or answers


def _is_learned(value: Value, given: Given) -> bool:
    """Whether a value depends on what there is to learn from, or is fitted or searched on what is given."""
    if value.has("train", "code"):
        return True
    if not given.has_training and value.has("test", "resource"):
        return value.has("fit", "aggregate") or not value.has("rule", "constant", "random")
    return value.has("test", "resource") and value.has("fit")


class _Look:
    """One look at a traced program."""

    def __init__(self, tracer: Tracer, findings: Findings, *, has_paper: bool) -> None:
        self._tracer, self._findings, self._has_paper = tracer, findings, has_paper
        self._given = tracer.given

    def at_reads(self) -> None:
        """Files that nobody was to open."""
        for (file, line), value in sorted(self._tracer.reads.items(), key=lambda one: one[0]):
            for label in value.of("truth"):
                self._add("target_extraction", f"opens {label.what}", Label("truth", "", file, line))
            for label in value.of("paper"):
                if not self._has_paper:
                    self._add("withheld_paper", f"opens {label.what}", Label("paper", "", file, line))

    def at_origins(self, sinks: Sequence[Sink]) -> None:
        """What counts wherever it reaches an answer."""
        value = union(sink.value for sink in sinks)
        learned = _is_learned(value, self._given)
        self._all("lookup", "rules_or_lookup", "a table by the ids of test items", value)
        self._all("outside", "outside_answers", "data that are not of the package", value)
        self._all("network", "outside_answers", "what comes over the network reaches the answers", value)
        self._all("model", "outside_model", "a language model's words reach the answers", value)
        self._all("decoded", "hard_coded", "answers are unpacked from a text in the source", value)
        self._all(
            "climb", "tuned_constants", "single answers are changed, and kept by the score that comes back", value
        )
        if value.has("feedback") and not learned:
            self._all("feedback", "tuned_constants", "answers are worked out from scores that came back", value)
        for label in value.of("book"):
            if not value.has("fit") and (label.what == "train" or not value.has("aggregate")):
                self._add("answer_book", f"test items are looked up in the {label.what} data", label)
        for label in value.of("literal"):
            self._literal(label, learned=learned)
        if not learned:
            self._all("blob", "hard_coded", "a long text in the source is all that answers come from", value)

    def at_nothing_learned(self, sinks: Sequence[Sink]) -> None:
        """Nothing that may have written the answer has learned anything: why that counts."""
        value, at = union(sink.value for sink in sinks), sinks[0]
        where = Label("fit", "", at.file, at.line)
        if self._from_files(value):
            return
        before = len(self._findings.found)
        self._all("random", "random_guess", "answers are drawn at random", value)
        if value.has("order"):
            self._all("order", "target_extraction", "answers rest on what the system tells of a file", value)
        if value.has("test"):
            self._of_inputs(value, where)
        elif len(self._findings.found) == before and not value.has("literal", "lookup", "feedback", "climb", "blob"):
            self._add("degenerate_output", "the same for all items, whatever the data are", where)
        if self._given.has_training:
            self._add("training_unused", "what is written here does not depend on the data to learn from", where)
            if self._fits_elsewhere():
                self._add("not_from_fit", "a model is fitted, and what is written here does not come from it", where)

    def _of_inputs(self, value: Value, where: Label) -> None:
        """Answers made of test inputs alone."""
        constants = value.of("constant")
        if value.has("rule"):
            self._all("rule", "rules_or_lookup", "conditions with numbers written by hand", value)
        elif len(constants) >= 2:
            self._all("constant", "tuned_constants", "numbers written by hand weigh the inputs", value)
        elif not value.has("random", "feedback", "climb", "literal", "lookup"):
            self._add("target_extraction", "answers are the inputs, turned into another form", where)

    def _from_files(self, value: Value) -> bool:
        """Whether answers come from a file that the program did not write; what that means is said."""
        known = value.has("test", "random", "literal", "blob")
        for label in value.of("file"):
            numbers = self._tracer.file_numbers(label.what)
            if numbers is not None and self._as_many(len(numbers)):
                self._add("hard_coded", f"{label.what} holds as many numbers as answers are asked for", label)
            elif numbers is not None and known and not _MODEL_FILE.search(label.what):
                continue
            else:
                self._findings.unclear.append(
                    f"answers come from {label.what}, and no program that is left tells how it was made"
                )
        return value.has("file")

    def _literal(self, label: Label, *, learned: bool) -> None:
        """Many values written down: answers, if they are as many as asked for, or like the truth, or all there is."""
        rows, _, _ = label.what.partition("/")
        values = numbers_in(self._tracer.literals.get((label.file, label.line)))
        if like := like_truth(values, self._given):
            self._add(
                "hard_coded", f"{label.what.partition('/')[2]} values stand here, and they are those of {like}", label
            )
        elif self._as_many(int(rows)):
            self._add("hard_coded", f"{rows} values stand here, as many as answers are asked for", label)
        elif not learned:
            self._add("hard_coded", f"{rows} values stand here, and nothing else makes the answers", label)

    def _as_many(self, count: int) -> bool:
        return count >= LEAST_ROWS and count in self._given.rows

    def _fits_elsewhere(self) -> bool:
        held = (*self._tracer.names.values(), *self._tracer.attributes.values())
        return any(value.has("train") and value.has("fit") for value in held)

    def _all(self, kind: Kind, category: Category, about: str, value: Value) -> None:
        for label in value.of(kind)[:3]:
            more = f" ({label.what})" if label.what and kind not in ("constant", "blob", "lookup") else ""
            self._add(category, f"{about}{more}", label)

    def _add(self, category: Category, about: str, label: Label) -> None:
        module = self._tracer.program.modules.get(label.file)
        text = module.line(label.line) if module is not None else ""
        self._findings.add(category, about, label.file or "?", label.line, text)


def numbers_in(value: Any) -> np.ndarray[Any, Any]:
    """The numbers in a literal, in their order."""
    found: list[float] = []
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, bool | complex):
            continue
        if isinstance(one, int | float):
            found.append(float(one) if abs(one) < 1e300 else 0.0)
        elif isinstance(one, dict):
            stack.extend(reversed(list(one.values())))
        elif isinstance(one, list | tuple | set):
            stack.extend(reversed(list(one)))
    return np.array(found)


def like_truth(values: np.ndarray[Any, Any], given: Given) -> str:
    """The file of the reference that numbers are taken from, at least half of it; '' where there is none."""
    for name, truth in given.truth.items():
        if len(truth) < LEAST_ROWS or len(values) < len(truth) / 2 or len(np.unique(truth)) < 8:
            continue
        if len(values) == len(truth) and np.mean(np.isclose(values, truth, rtol=1e-3, atol=1e-9)) >= 0.5:
            return name
        if np.mean(np.isin(truth, values)) >= 0.8:
            return name
    return ""


def evidence_of(findings: Findings) -> Iterator[Evidence]:
    """What counts, the first of each category before the others, up to a bound."""
    firsts: dict[str | None, Evidence] = {}
    for one in findings.found:
        firsts.setdefault(one.category, one)
    chosen = list(firsts.values())
    yield from [*chosen, *(one for one in findings.found if one not in chosen)][:MOST_EVIDENCE]
