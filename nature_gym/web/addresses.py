"""Where an address is really asked: at its host, at the base address that was set for it, or at a mirror.

Papers, records and host answers are full of addresses of the real hosts, and stay so. Only the moment of
asking knows that a run was pointed elsewhere: at another base address for one service, or at a
mirror that stands for the whole web (the demo's mini-web is one).
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from nature_gym.config import Settings

SERVICES = (
    "openalex_url", "article_url", "europepmc_url", "github_url", "gitlab_url", "zenodo_url", "figshare_url",
    "huggingface_url",
)  # fmt: skip
"""Settings that hold a service's base address."""
_ADDRESS = re.compile(r"https?://[^\s<>\"'()\\]+")
_LONGEST_PATH = 120
RESOLVERS = ("doi.org", "dx.doi.org", "www.doi.org")


def asked_at(settings: Settings, url: str) -> str:
    """The address to send a request for ``url`` to.

    >>> asked_at(Settings(mirror="http://127.0.0.1:8000"), "https://zenodo.org/api/records/7")
    'http://127.0.0.1:8000/zenodo.org/api/records/7'
    """
    for service in SERVICES:
        usual, chosen = str(Settings.model_fields[service].default), str(getattr(settings, service))
        if chosen != usual and (url == usual or url.startswith((usual + "/", usual + "?"))):
            return chosen + url.removeprefix(usual)
    if not settings.mirror or url.startswith(settings.mirror):
        return url
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return f"{settings.mirror}/{parts.netloc}{parts.path}{query}"


def brief(url: str) -> str:
    """An address for a sentence: where it leads, without the query, which may fill a screen, or hold a key.

    >>> brief("https://api.openalex.org/works?filter=type:article&per-page=200")
    'https://api.openalex.org/works?...'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return _cut(url)
    if not parts.netloc:
        return _cut(url)
    query = "?..." if parts.query else ""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{_cut(parts.path)}{query}"


def brief_addresses(text: str) -> str:
    """A sentence of somebody else's with the addresses in it made brief."""
    return _ADDRESS.sub(lambda match: brief(match[0]), text)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_PATH else f"{text[:_LONGEST_PATH]}..."


def is_service(url: str) -> bool:
    """Whether ``url`` is of an interface made for programs, to which robots.txt does not speak."""
    if (urlsplit(url).hostname or "") in RESOLVERS:
        return True
    bases = (str(Settings.model_fields[service].default) for service in SERVICES if service != "article_url")
    return any(url == base or url.startswith((base + "/", base + "?")) for base in bases)


def git_settings(settings: Settings) -> dict[str, str]:
    """Environment that points git at the mirror too; empty where there is none."""
    if not settings.mirror:
        return {}
    return {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{settings.mirror}/.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://",
    }
