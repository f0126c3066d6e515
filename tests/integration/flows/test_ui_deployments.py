"""Prefect's pages as an operator sees them, in a real browser: deployments, a form, a run of it, its artifacts."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from flows.deployments import OFFERS

from .test_ui import CHROMIUM, FLAGS
from .test_worker import Ui, ui

if TYPE_CHECKING:
    from pathlib import Path

    from nature_gym.config import Settings

__all__ = ["ui"]
PICTURES = "PICTURES_TO"
"""A variable: the folder into which the pictures of the guide go, ``docs/images``."""
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: apt-get install chromium)"),
]


def test_deployments_are_listed_described_and_run_from_a_form(settings: Settings, ui: Ui, tmp_path: Path) -> None:
    from playwright.sync_api import expect, sync_playwright

    url, ids = ui.told["url"], ui.told["deployments"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1200, "height": 720})
        body = page.locator("body")

        def seen(name: str, *words: str) -> None:
            for word in words:
                expect(body, name).to_contain_text(word, timeout=60_000)
            page.screenshot(path=tmp_path / f"prefect-{name}.png")

        page.goto(f"{url}/v2/deployments")
        seen("deployments", *(offer.name for offer in OFFERS))
        page.goto(f"{url}/v2/deployments/deployment/{ids['corpus-refresh']}")
        seen("deployment", "At 03:00 AM, only on Sunday", "2 Parameters")
        page.get_by_role("tab", name="Description").click()
        seen("description", "Bring the corpus up to date")
        page.goto(f"{url}/v2/deployments/deployment/{ids['sweep']}/run")
        seen("form", "Agents, as 'naturegym agents list' names them.", "Trials of each agent on each package.")
        run = ui.begin("check-corpus")
        ui.until_ended(run)
        page.goto(f"{url}/v2/runs/flow-run/{run}")
        seen("run", "check corpus", "Completed", "nothing to do")
        page.goto(f"{url}/v2/artifacts")
        seen("artifacts", "check-corpus")
        browser.close()
    if folder := os.environ.get(PICTURES):
        for name in ("deployments", "form"):
            shutil.copy(tmp_path / f"prefect-{name}.png", folder)
