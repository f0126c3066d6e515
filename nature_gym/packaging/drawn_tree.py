"""A tree of files, drawn as text: the one form for descriptions, checks and commands. Imports nothing that is slow."""

from __future__ import annotations

from typing import Any


def tree(files: dict[str, int]) -> str:
    """Files (path -> size) as a tree, folders and files in the order of their names; one root stands by itself."""
    root: dict[str, Any] = {}
    for file, size in files.items():
        *folders, name = file.split("/")
        place = root
        for folder in folders:
            place = place.setdefault(folder, {})
        place[name] = size
    if len(root) == 1 and isinstance(next(iter(root.values())), dict):
        ((name, folder),) = root.items()
        return "\n".join([f"{name}/", *_branches(folder, "")])
    return "\n".join(_branches(root, ""))


def _branches(folder: dict[str, Any], indent: str) -> list[str]:
    lines = []
    entries = sorted(folder.items())
    for place, (name, entry) in enumerate(entries):
        last = place == len(entries) - 1
        lines.append(f"{indent}{'└── ' if last else '├── '}{name}{'/' if isinstance(entry, dict) else ''}")
        if isinstance(entry, dict):
            lines += _branches(entry, indent + ("    " if last else "│   "))
    return lines
