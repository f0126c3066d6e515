"""Where the checks are: each in the module that is named for it, and loaded for it alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from checks.registry import EXTENDED_TITLES, MODULES, TITLES, chosen, one_check


@pytest.mark.parametrize("name", [*TITLES, *EXTENDED_TITLES])
def test_every_check_is_where_it_is_said_to_be(name: str) -> None:
    check = one_check(name)
    assert (check.id, check.look.__module__) == (name, f"checks.{MODULES[name]}")
    assert "Passes:" in check.explanation
    assert "Mend:" in check.explanation


def test_a_letter_means_a_family() -> None:
    assert chosen(("X",), ()) == set(EXTENDED_TITLES)
    assert chosen(("c2",), ("C2.5",)) == {name for name in TITLES if name.startswith("C2") and name != "C2.5"}


def test_one_check_loads_no_other() -> None:
    code = (
        "import sys\nfrom checks.registry import one_check\none_check('C0.1')\n"
        "print([one for one in ('checks.family2', 'checks.family4', 'checks.dynamic.runs') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
