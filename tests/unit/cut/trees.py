"""Tiny repositories for tests of the cut."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from nature_gym.cut.configs import read_settings
from nature_gym.cut.graph import Graph, build_graph
from nature_gym.cut.python_units import parse_modules
from nature_gym.cut.shell import read_commands
from nature_gym.cut.tree import walk
from nature_gym.cut.values import Project


def grow(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """The folder ``root`` with these files."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def graph_of(root: Path) -> Graph:
    """The graph of a folder."""
    tree = walk(root)
    settings = read_settings(tree)
    modules = parse_modules(tree)
    commands = read_commands(tree)
    return build_graph(tree, Project(modules, settings, commands.given()), commands)


def touched(graph: Graph, action: str) -> set[str]:
    """The patterns that a folder's programs read, write, ..."""
    return {site.pattern.removeprefix("//") for site in graph.sites if site.action == action}
