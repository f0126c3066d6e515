"""Tests that share a server stay with one process: what pytest-xdist goes by is there."""

from __future__ import annotations

import pytest


@pytest.mark.xdist_group("of one")
@pytest.mark.parametrize("number", [1])
def test_in_a_process_of_several_a_test_is_named_for_its_group(number: int, request: pytest.FixtureRequest) -> None:
    if not hasattr(request.config, "workerinput"):
        pytest.skip("there is one process; pytest -n 2 has several")
    assert request.node.nodeid.endswith(f"[{number}]@of one")
