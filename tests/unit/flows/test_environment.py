from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from flows.environment import CONSTANT, apply, prefect_environment
from nature_gym.config import Settings

if TYPE_CHECKING:
    from pathlib import Path


def test_everything_that_prefect_writes_lies_in_the_home(tmp_path: Path) -> None:
    environment = prefect_environment(Settings(home=tmp_path))
    for name in ("PREFECT_HOME", "PREFECT_PROFILES_PATH", "PREFECT_SERVER_UI_STATIC_DIRECTORY"):
        assert environment[name].startswith(str(tmp_path / "prefect"))
    assert str(tmp_path / "prefect") in environment["PREFECT_SERVER_DATABASE_CONNECTION_URL"]


def test_a_server_gets_its_port_too(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    assert prefect_environment(settings, port=4300)["PREFECT_SERVER_API_PORT"] == "4300"
    assert "PREFECT_SERVER_API_PORT" not in prefect_environment(settings)


def test_prefect_understands_every_variable(tmp_path: Path) -> None:
    """A variable that Prefect does not know is ignored without a word, so its settings are asked."""
    script = """
from pathlib import Path
from nature_gym.config import Settings
from flows.environment import apply
apply(Settings(home=Path.cwd()))
from prefect.settings import get_current_settings
s = get_current_settings()
r, e = s.server.services.task_run_recorder, s.server.services.event_persister
assert (r.batch_size, r.read_batch_size, r.flush_interval) == (200, 200, 1)
assert (e.batch_size, e.read_batch_size, e.flush_interval) == (200, 200, 1)
assert not s.server.analytics_enabled and not s.server.ui.show_promotional_content
assert not s.cloud.enable_orchestration_telemetry and not s.telemetry.enable_resource_metrics
assert not s.server.ephemeral.enabled
assert s.home == Path.cwd() / "prefect" and s.client.max_retries == 3
assert s.logging.to_api.when_missing_flow == "ignore"
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_coming_after_prefects_import_is_a_defect_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prefect", sys)
    for name, value in CONSTANT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    apply(Settings(home=tmp_path))
    os.environ.pop("PREFECT_CLIENT_MAX_RETRIES")
    with pytest.raises(RuntimeError, match="PREFECT_CLIENT_MAX_RETRIES"):
        apply(Settings(home=tmp_path))


def test_launching_imports_no_prefect_until_a_flow_runs() -> None:
    script = "import sys, flows.launch, nature_gym.cli.ui; sys.exit('prefect' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
