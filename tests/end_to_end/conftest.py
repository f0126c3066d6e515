"""The whole demo, run once for all tests that look at what it leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

COMMAND = Path(sys.executable).with_name("naturegym")


@dataclass(frozen=True)
class Demo:
    """A demo that ran to its end. ``user`` is the home folder of whoever ran it; ``told`` its JSON."""

    user: Path
    told: dict[str, Any]

    @property
    def home(self) -> Path:
        return Path(self.told["home"])


@pytest.fixture(scope="session")
def whole_demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """``naturegym demo`` in a home of its own. Tests only look at it, or take a copy."""
    user = tmp_path_factory.mktemp("user")
    variables = {name: text for name, text in os.environ.items() if not name.startswith("NATUREGYM_")}
    done = subprocess.run(
        [str(COMMAND), "demo", "--json"],
        capture_output=True,
        text=True,
        check=False,
        env=variables | {"HOME": str(user)},
    )
    assert done.returncode == 0, done.stderr
    return Demo(user, json.loads(done.stdout))
