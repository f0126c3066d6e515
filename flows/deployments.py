"""What the Prefect server offers to run: each deployment with its schedule, limits, and words for its reader.

``naturegym ui`` serves these from this machine; ``prefect.yaml`` says the same for work pools of a server that runs
elsewhere, and a test holds the two together. Importing this imports no Prefect.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prefect import Flow
    from prefect.deployments.runner import RunnerDeployment

TIMEZONE = "UTC"


@dataclass(frozen=True, slots=True)
class Offer:
    """One deployment. ``entrypoint`` is ``module:flow``; ``cron`` is empty where it runs on demand alone.

    ``limit`` runs may be under way at a time. One more waits where ``waits``, else it is cancelled: the one under way
    does its work.
    """

    name: str
    entrypoint: str
    description: str
    tags: tuple[str, ...]
    cron: str = ""
    limit: int = 1
    waits: bool = True
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def collision(self) -> str:
        """What Prefect does with one run more, in its words."""
        return "ENQUEUE" if self.waits else "CANCEL_NEW"


OFFERS = (
    Offer(
        "corpus-refresh",
        "flows.refresh:corpus_refresh",
        "Bring the corpus up to date, from OpenAlex to checked packages: each step works on what is new, changed, or "
        "failed by our own fault before. Weekly. `only` limits it to some papers, `until` names the last step.",
        ("naturegym", "corpus"),
        cron="0 3 * * 0",
        waits=False,
        parameters={"venues": "nature-family", "until": "check"},
    ),
    Offer(
        "check-corpus",
        "flows.forms:check_corpus",
        "Check the packages that changed since their last check. Nightly. The artifact `check-corpus` lists all of "
        "them, with links to their reports.",
        ("naturegym", "checks"),
        cron="0 1 * * *",
        waits=False,
    ),
    Offer(
        "check-package",
        "flows.forms:check_package",
        "Put one package through the checks; the report is an artifact. The run fails where a check does.",
        ("naturegym", "checks"),
        limit=2,
    ),
    Offer(
        "calibrate",
        "flows.forms:calibrate",
        "Look at packages in five ways before agents are measured on them: admit, repair with what, or drop.",
        ("naturegym", "trials"),
    ),
    Offer(
        "sweep",
        "flows.forms:sweep",
        "Run agents on packages, each trial once, and show the leaderboard. The same parameters go on where a run was "
        "stopped.",
        ("naturegym", "trials"),
    ),
)


def flow_of(offer: Offer) -> Flow[..., Any]:
    """The flow that a deployment runs."""
    module, _, name = offer.entrypoint.partition(":")
    found: Flow[..., Any] = getattr(importlib.import_module(module), name)
    return found


def made() -> list[RunnerDeployment]:
    """The deployments, to be served by a process of this machine. Not to be called where an event loop runs."""
    from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
    from prefect.client.schemas.schedules import CronSchedule
    from prefect.deployments.runner import RunnerDeployment
    from prefect.types.entrypoint import EntrypointType

    found = [
        flow_of(offer).to_deployment(
            name=offer.name,
            schedules=[CronSchedule(cron=offer.cron, timezone=TIMEZONE)] if offer.cron else [],
            concurrency_limit=ConcurrencyLimitConfig(
                limit=offer.limit, collision_strategy=ConcurrencyLimitStrategy(offer.collision)
            ),
            parameters=dict(offer.parameters),
            description=offer.description,
            tags=list(offer.tags),
            entrypoint_type=EntrypointType.MODULE_PATH,
        )
        for offer in OFFERS
    ]
    return [one for one in found if isinstance(one, RunnerDeployment)]  # a coroutine where a loop runs
