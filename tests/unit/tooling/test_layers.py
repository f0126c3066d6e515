"""Imports point one way: what `lint-imports` checks, as a test, so that no one can forget it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_imports_point_one_way(repository: Path) -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout
