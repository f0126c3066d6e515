"""Family 2: the information firewall over the two documents: the paper, the method's names and making, the evaluator.

Whole lines are looked at for marks, names and paths, code and tables included: an agent reads all of it. What is about
language is read sentence by sentence (:mod:`checks.language`): "single-cell", "nature of the problem" and "transformer
station" are neither journals nor advice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from checks.language.evaluator_side import evaluator_side
from checks.language.folding import folded
from checks.language.guidance import Data, guidance
from checks.language.names import method_names, name_pattern, paper_title
from checks.language.opinion import Opinions
from checks.language.references import Reference, brackets, references
from checks.language.sentences import passages
from checks.model import Finding
from checks.package import DATA, DESCRIPTION, README, CheckedPackage
from checks.registry import Skip, check

TAKE_OUT = "Take it out."
Place = tuple[int, int, str]


def _lines(package: CheckedPackage, file: str) -> Iterator[tuple[int, str]]:
    yield from enumerate(package.document(file).lines, 1)


def _places(line: str, look: Callable[[str], Iterable[Place]]) -> Iterator[Place]:
    """What ``look`` finds in a line as it is written and as it is read, each place once: (start, end, what)."""
    told: list[tuple[int, int]] = []
    read = folded(line)
    for text in (None, read) if read else (None,):
        for start, end, what in look(text.text if text else line):
            own = text.span(start, end) if text else (start, end)
            if not any(first < own[1] and own[0] < last for first, last in told):
                told.append(own)
                yield *own, what


def _said(file: str, line: int, column: int, text: str, what: str, hint: str = TAKE_OUT) -> Finding:
    return Finding(file=file, line=line, column=column + 1, text=text.strip(), message=f"is {what}", hint=hint)


# -- the paper -------------------------------------------------------------------------------


@check("C2.1", reads=(README,))
def no_paper_in_readme(package: CheckedPackage) -> Iterator[Finding]:
    """README.md does not refer to the paper: no DOI, arXiv id, citation, attribution or journal.

    An agent that knows the paper can look up how it was done. Journals' names count only in a bibliographic sense.

    Passes: "single-cell data", "the nature of the problem", "values in [0, 1]", "a case-control study".
    Fails: "10.1038/...", "Smith et al.", "as described in [12]", "published in Nature", "in this paper".
    Mend: say what is so, not who said it.
    """
    yield from _paper(package, README)


@check("C2.2", reads=(DESCRIPTION,))
def no_paper_in_description(package: CheckedPackage) -> Iterator[Finding]:
    """data_description.md does not refer to the paper: no DOI, arXiv id, citation, attribution or journal.

    The same as C2.1, for the other document that the agent reads.

    Passes: "cells of 12 donors"; "the column `paper_weight` in g".
    Fails: "data from the original publication", "GEO deposit of Smith et al. (2020)".
    Mend: describe the data; sources and licences stand in licenses/.
    """
    yield from _paper(package, DESCRIPTION)


def _paper(package: CheckedPackage, file: str) -> Iterator[Finding]:
    code = {
        number
        for block in package.document(file).blocks
        for number in range(block.line, block.line + block.text.count("\n") + 1)
    }
    title = paper_title(package)
    for number, line in _lines(package, file):
        for start, end, what in _places(line, lambda text: _spans(references(text, title=title))):
            yield _said(file, number, start, line[start:end], what)
        if number not in code:
            for one in brackets(line):
                yield _said(file, number, one.start, line[one.start : one.end], one.what)


def _spans(found: Iterable[Reference]) -> Iterator[Place]:
    yield from ((one.start, one.end, one.what) for one in found)


# -- the method ------------------------------------------------------------------------------


@check("C2.3", reads=(README,))
def no_method_in_readme(package: CheckedPackage) -> Iterator[Finding]:
    """README.md does not name the paper's method or its variants.

    Names come from task.yaml, filter_result.json in or beside the package, and --method-name. Case, hyphens and spaces
    aside, at the boundaries of words; a name that is a common word counts in its own spelling alone. Signs of no width,
    entities, emphasis and letters that only look alike hide none.

    Passes: "brewing" and "brew" where the method is called BREW, a common word.
    Fails: "Film-Scout" where it is called FilmScout.
    Mend: name the problem, not the method.
    """
    yield from _method(package, README)


@check("C2.4", reads=(DESCRIPTION,))
def no_method_in_description(package: CheckedPackage) -> Iterator[Finding]:
    """data_description.md does not name the paper's method or its variants.

    The same as C2.3, for the other document that the agent reads; names of files and columns in it, too.

    Passes: "library.npz".
    Fails: "filmscout_embeddings.npy" where the method is called FilmScout.
    Mend: rename the file or the column.
    """
    yield from _method(package, DESCRIPTION)


def _method(package: CheckedPackage, file: str) -> Iterator[Finding]:
    names = method_names(package)
    if not names:
        raise Skip("no name of the method is known: no task.yaml, no filter_result.json, no --method-name")
    patterns = [(name, name_pattern(name, exact=exact)) for name, exact in names.items()]
    for number, line in _lines(package, file):
        for name, pattern in patterns:
            what = f"the method's name ({name})"
            for start, end, _ in _places(line, lambda text, of=pattern: _matches(of, text)):  # type: ignore[misc]
                yield _said(file, number, start, line[start:end], what, "Name the problem, not the method.")


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[Place]:
    yield from ((*match.span(), "") for match in pattern.finditer(text))


# -- how to make it --------------------------------------------------------------------------

INSTEAD = {
    "architecture": "Say what goes in and what has to come out, and leave open what is in between.",
    "optimiser": "Take it out: how a model is optimised is the solver's choice.",
    "recipe": "Take it out, or say what the data are like, and leave open what is to be done about it.",
    "hyperparameter": "Take the value out: settings of a model are the solver's choice.",
    "code that chooses a method": "Let the template end where a method would begin.",
}


@check("C2.5", reads=(README,))
def no_guidance_in_readme(package: CheckedPackage) -> Iterator[Finding]:
    """README.md does not say how the problem is to be solved: no architecture, optimiser, setting or training recipe.

    What is measured is whether an agent finds a method. Sentences, tables, comments and code are read apart. An
    imperative, "should", "we recommend", "works best" or "the model is a ..." with a word for a method fails, and so
    does a value of a hyperparameter. Who made data with a method, a scorer that is one, and weights that lie in
    problem/data are described, which is allowed; so are freedom of choice and prohibitions. What could be either
    warns; with the setting guidance_opinion a language model says which it is.

    Passes: "The model should output probabilities"; "a transformer station"; "you may use any method"; "the embeddings
    in `esm.npy` were computed by a protein language model"; "answers must be float32 of shape (n, 10)".
    Fails: "Use a graph neural network"; "learning rate of 1e-4"; "a good choice is gradient boosting"; "pretrain on the
    unlabelled rows, then fine-tune"; "| batch size | 64 |".
    Mend: say what goes in, what has to come out and how it is scored; leave out how.
    """
    data = Data(name.removeprefix(f"{DATA}/") for name in package.below(DATA))
    opinions = Opinions(package.path.name)
    for passage in passages(package.document(README)):
        for one in guidance(passage, data):
            sure = one.sure or opinions.directs(passage.text)
            if sure is False:
                continue
            line, column = passage.place(one.start)
            words = passage.text[one.start : one.end].strip()
            told = f"{'tells' if sure else 'may tell'} how to solve it ({one.kind})"
            told = f"{'tells' if one.sure else 'may tell'} how to solve it ({one.kind})"
            yield Finding(
                file=README, line=line, column=column, text=words, message=f"{told}: {passage.text.strip()[:160]}",
                hint=INSTEAD[one.kind], level="fail" if sure else "warn",
            )  # fmt: skip


# -- the evaluator's side --------------------------------------------------------------------


@check("C2.6", reads=(README, DESCRIPTION))
def nothing_of_the_evaluator(package: CheckedPackage) -> Iterator[Finding]:
    """Neither document mentions evaluation/, ground_truth/, or a hidden or held-out set on the evaluator's side.

    The agent is to solve the problem, not to look for its answers. "Ground truth" as a term is allowed.

    Passes: "ground truth labels come from two readers"; "a hidden layer"; "evaluation metrics".
    Fails: "compared with evaluation/ground_truth/a/labels.npy"; "scored on a hidden test set".
    Mend: say what has to be handed in and how it is scored, not against which file.
    """
    for file in (README, DESCRIPTION):
        for number, line in _lines(package, file):
            for start, end, what in _places(line, evaluator_side):
                yield _said(file, number, start, line[start:end], what)
