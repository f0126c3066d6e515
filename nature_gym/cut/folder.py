"""The whole way from a folder to its cut."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from nature_gym.cut.answers import find_answers
from nature_gym.cut.categories import Evidence, Verdict, judge, judge_patterns
from nature_gym.cut.configs import read_settings
from nature_gym.cut.core import Roles, find_roles
from nature_gym.cut.graph import Graph, build_graph
from nature_gym.cut.metrics_code import MetricCode, find_metrics_code
from nature_gym.cut.python_units import parse_modules
from nature_gym.cut.shell import read_commands
from nature_gym.cut.splits import Split, find_splits
from nature_gym.cut.tree import Tree, walk
from nature_gym.cut.values import Project

__all__ = ["Cut", "Evidence", "cut_folder"]


@dataclass(slots=True)
class Cut:
    """What the analysis of a folder found."""

    tree: Tree
    graph: Graph
    roles: Roles
    project: Project
    files: list[Verdict]
    patterns: list[Verdict] = field(default_factory=list)
    splits: list[Split] = field(default_factory=list)
    metrics_code: list[MetricCode] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def cut_folder(folder: Path, *, method: str | None = None) -> Cut:
    """The cut of a folder with code and data, found without running anything.

    ``method``: the name of the core algorithm, where it is known. Raises UsageError where there is no such folder.
    """
    tree = walk(folder)
    settings = read_settings(tree)
    modules = parse_modules(tree)
    commands = read_commands(tree)
    project = Project(modules, settings, commands.given())
    graph = build_graph(tree, project, commands)
    roles = find_roles(tree, project, commands, graph, method)
    files = judge(tree, graph, roles, method)
    return Cut(
        tree,
        graph,
        roles,
        project,
        files,
        judge_patterns(tree, graph, roles),
        find_splits(tree, project),
        find_metrics_code(project),
        [*tree.warnings, *find_answers(tree, files, graph, roles)],
    )
