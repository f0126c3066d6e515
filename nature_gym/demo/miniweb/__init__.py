"""A local server that plays the whole outside web for a demo world.

One setting points a run at it: with ``NATUREGYM_MIRROR=http://127.0.0.1:PORT`` the address
``https://HOST/PATH?QUERY`` is asked as ``MIRROR/HOST/PATH?QUERY``. Answers keep real-looking
addresses, redirects too; clients map them again.
"""

from nature_gym.demo.miniweb.app import make_app
from nature_gym.demo.miniweb.behaviour import Behaviour, Fault
from nature_gym.demo.miniweb.requestlog import RequestLog, Seen
from nature_gym.demo.miniweb.server import MiniWeb, environment, serve
from nature_gym.demo.miniweb.snapshot import write_snapshot
from nature_gym.demo.miniweb.writing import write_world

__all__ = [
    "Behaviour",
    "Fault",
    "MiniWeb",
    "RequestLog",
    "Seen",
    "environment",
    "make_app",
    "serve",
    "write_snapshot",
    "write_world",
]
