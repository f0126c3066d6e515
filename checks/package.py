"""A package as the checks see it: what its reader gives, its documents parsed, its evaluator followed."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from checks.documents import Document
from checks.following import Follower
from checks.json_places import places_of
from nature_gym.packaging.package import (
    DATA,
    DESCRIPTION,
    DOCKERFILE,
    EVALUATOR,
    METADATA,
    PACKAGES,
    README,
    TRUTH,
    Package,
    loads,
    read_bytes,
)

__all__ = [
    "DATA", "DESCRIPTION", "DOCKERFILE", "EVALUATOR", "METADATA", "PACKAGES", "README", "TRUTH", "loads", "read_bytes",
]  # fmt: skip

LONGEST_LINE = 20_000
"""Of a document; the rest of a longer line is not looked at, and C0.1 says so."""


class CheckedPackage(Package):
    """A package's folder; ``method_names`` are forbidden words that its user adds to those that it names itself.

    With ``instead`` it is the package as it would be with these texts (None: without that file or folder).
    """

    def __init__(
        self,
        path: Path,
        *,
        method_names: tuple[str, ...] = (),
        repository: Path | None = None,
        instead: Mapping[str, bytes | None] | None = None,
    ) -> None:
        super().__init__(path, instead=instead)
        self.method_names = method_names
        self.repository = repository
        self._documents: dict[str, Document] = {}

    def document(self, name: str) -> Document:
        """A Markdown document, parsed; an empty one where there is none."""
        if name not in self._documents:
            lines = self.text(name).content.split("\n")
            self._documents[name] = Document("\n".join(line[:LONGEST_LINE] for line in lines))
        return self._documents[name]

    @cached_property
    def followed(self) -> Follower:
        """The evaluator, followed: what it knows and what it would read."""
        tree = self.code(EVALUATOR).tree
        return Follower(
            tree or ast.Module([], []), EVALUATOR, self.entries, lambda name: self.text(name).content
        ).follow()

    @cached_property
    def evaluator_nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the evaluator's tree; none where it is no Python."""
        tree = self.code(EVALUATOR).tree
        return tuple(ast.walk(tree)) if tree else ()

    @cached_property
    def metadata_lines(self) -> dict[tuple[str | int, ...], tuple[int, int]]:
        """Where each value of ``metadata.json`` stands: line and column by its path of keys and indices."""
        return places_of(self.text(METADATA).content)

    def missing(self, name: str) -> str:
        """Why ``name`` cannot be used, '' where it can: missing, no text, no Python, no JSON object."""
        text = self.text(name)
        if text.missing:
            return f"{name} {text.missing}"
        if name.endswith(".py") and self.code(name).tree is None:
            return f"{name} is not Python"
        if name == METADATA and not self.metadata:
            return f"{name} is no JSON object"
        return ""
