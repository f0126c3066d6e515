from __future__ import annotations

import gc
import warnings
from pathlib import Path

import pytest

from nature_gym.errors import InfrastructureError
from nature_gym.sandbox.docker import engine


def test_where_no_engine_answers_no_socket_is_left_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is left is told of by the collector, in whatever runs then."""
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")
    gc.collect()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with pytest.raises(InfrastructureError, match="No Docker engine answers"), engine():
            pass
        gc.collect()
    assert [str(one.message) for one in told] == []
