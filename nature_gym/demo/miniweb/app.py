"""The whole web of a demo world as one Starlette application.

What it does is in the modules beside this one; here hosts get what they need, and the
application gets its own pages: ``/_demo/log``, ``/_demo/stats``, ``/_demo/settings``, ``/_demo/truth``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from nature_gym.demo.miniweb.answers import json_answer
from nature_gym.demo.miniweb.behaviour import Behaviour
from nature_gym.demo.miniweb.catalogue import Catalogue
from nature_gym.demo.miniweb.front import FrontDoor, Host
from nature_gym.demo.miniweb.hosts.articles import ArticleSite, DoiResolver
from nature_gym.demo.miniweb.hosts.deposits import DepositStore
from nature_gym.demo.miniweb.hosts.europepmc import EuropePmc
from nature_gym.demo.miniweb.hosts.figshare import Figshare
from nature_gym.demo.miniweb.hosts.forge import Forge
from nature_gym.demo.miniweb.hosts.github import GITHUB, GitHub
from nature_gym.demo.miniweb.hosts.gitlab import GitLab
from nature_gym.demo.miniweb.hosts.huggingface import HuggingFace
from nature_gym.demo.miniweb.hosts.openalex import OpenAlex
from nature_gym.demo.miniweb.hosts.zenodo import Zenodo
from nature_gym.demo.miniweb.press import JournalPress, Press
from nature_gym.demo.miniweb.repositories import GitStore
from nature_gym.demo.miniweb.requestlog import RequestLog
from nature_gym.demo.miniweb.shelf import Shelf
from nature_gym.demo.miniweb.works import Works
from nature_gym.demo.model import World
from nature_gym.demo.truth import truth_document


def make_app(
    world: World,
    *,
    behaviour: Behaviour | None = None,
    git_cache: Path | None = None,
    press: Press | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Starlette:
    """The application that plays every host of ``world``.

    ``git_cache`` is where bare repositories are kept; several applications may share it. Without one it is a temporary
    folder, which ``app.state.close()`` removes. The request log is ``app.state.log`` (a :class:`RequestLog`).
    ``app.state.prepare()`` makes now what the first question to OpenAlex would wait for.
    """
    behaviour = behaviour or Behaviour()
    catalogue = Catalogue(world)
    log = RequestLog(behaviour.log_size, clock)
    press = press or JournalPress()
    works = Works(world, press)
    store = GitStore(git_cache)
    services = _services(catalogue, works, behaviour, store, press)
    hosts = {name: service for service in services for name in service.hosts}
    door = FrontDoor(catalogue, hosts, behaviour, log, clock)

    async def show_log(request: Request) -> Response:
        return json_answer([seen.as_json() for seen in log.entries(request.query_params.get("host"))])

    async def show_stats(request: Request) -> Response:  # noqa: ARG001 -- Starlette's signature
        return json_answer({host: figures.as_json() for host, figures in log.stats().items()})

    async def show_settings(request: Request) -> Response:  # noqa: ARG001
        return json_answer({**behaviour.as_json(), "hosts": sorted({*hosts, *catalogue.page_hosts})})

    async def show_truth(request: Request) -> Response:  # noqa: ARG001
        return json_answer(truth_document(world))

    async def reset(request: Request) -> Response:  # noqa: ARG001
        door.reset()
        return Response(status_code=204)

    own = [
        Route("/log", show_log),
        Route("/stats", show_stats),
        Route("/settings", show_settings),
        Route("/truth", show_truth),
        Route("/reset", reset, methods=["POST"]),
    ]
    # Mounted apart, so that a wrong method is refused, and does not fall through to the door.
    routes = [Mount("/_demo", routes=own), Mount("/", app=door)]
    app = Starlette(routes=routes)
    app.state.log = log
    app.state.prepare = works.prepare
    app.state.close = store.close
    app.state.hosts = frozenset({*hosts, *catalogue.page_hosts})
    return app


def _services(catalogue: Catalogue, works: Works, behaviour: Behaviour, store: GitStore, press: Press) -> list[Host]:
    shelf = Shelf()
    forge = Forge(catalogue, store, shelf)
    deposits = DepositStore(catalogue, shelf)
    return [
        OpenAlex(works, behaviour, shelf),
        ArticleSite(catalogue, press, shelf, behaviour),
        DoiResolver(catalogue),
        EuropePmc(catalogue, press, shelf),
        GitHub(forge),
        GitLab(forge, (catalogue.git_hosts | {"gitlab.com"}) - {GITHUB}),
        Zenodo(deposits),
        Figshare(deposits),
        HuggingFace(deposits),
    ]
