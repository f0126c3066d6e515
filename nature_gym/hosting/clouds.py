"""Cloud shares: which address gives the file behind a shared link, and which links are folders.

They have no interface for strangers, so that a look at the file's own address has to do.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit, urlunsplit

from nature_gym.hosting.holdings import split


class Share(NamedTuple):
    """A shared link: what it shares, and where that is to be had (the link itself where nothing better is known)."""

    cloud: str
    what: Literal["file", "folder"]
    url: str


def share(url: str) -> Share | None:
    """What a link to a cloud shares; None for every other address.

    >>> share("https://www.dropbox.com/s/abc/data.zip?rlkey=7&dl=0").url
    'https://www.dropbox.com/s/abc/data.zip?rlkey=7&dl=1'
    """
    host, segments, query = split(url)
    if host in ("drive.google.com", "drive.usercontent.google.com"):
        return _google(url, segments, query)
    if host in ("dropbox.com", "dl.dropboxusercontent.com"):
        is_folder = "/sh/" in url or "/scl/fo/" in url
        return Share("Dropbox", "folder" if is_folder else "file", _with(url, dl="1"))
    if host in ("1drv.ms", "onedrive.live.com") or host.endswith(".sharepoint.com"):
        is_folder = bool(re.search(r"/:f:/|/f/|[?&]folder=|\bid=root", url))
        return Share("OneDrive", "folder" if is_folder else "file", _with(url, download="1"))
    if host == "box.com" or host.endswith(".box.com"):
        return Share("Box", "folder" if "/folder/" in url else "file", url) if segments else None
    if host in ("pan.baidu.com", "mega.nz", "mega.co.nz"):
        cloud = "Baidu" if "baidu" in host else "Mega"
        return Share(cloud, "folder" if "folder" in url or "/#F!" in url else "file", url)
    return None


def _google(url: str, segments: list[str], query: str) -> Share | None:
    if "folders" in segments or "folderview" in segments:
        return Share("Google Drive", "folder", url)
    number = parse_qs(query).get("id", [""])[0]
    if not number and "d" in segments and segments.index("d") + 1 < len(segments):
        number = segments[segments.index("d") + 1]
    if not number:
        return None
    return Share("Google Drive", "file", f"https://drive.google.com/uc?export=download&id={number}")


_TOO_LARGE_TO_SCAN = re.compile(rb"virus scan warning|can't scan this file", re.IGNORECASE)
_STATED = re.compile(rb"\((\d+(?:\.\d+)?)\s?([KMGT])B?\)")
_UNITS = {b"K": 10**3, b"M": 10**6, b"G": 10**9, b"T": 10**12}


def confirmation(body: bytes) -> int | None:
    """The size that a cloud's page tells which stands before a large file ("cannot be scanned for viruses").

    >>> confirmation(b"<title>Google Drive - Virus scan warning</title> data.zip (1.5G) is too large")
    1500000000
    """
    stated = _STATED.search(body) if _TOO_LARGE_TO_SCAN.search(body) else None
    return int(float(stated[1]) * _UNITS[stated[2]]) if stated else None


def _with(url: str, **parameters: str) -> str:
    """The address with these parameters set, the others kept."""
    parts = urlsplit(url)
    kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name not in parameters]
    return urlunsplit(parts._replace(query=urlencode([*kept, *parameters.items()])))
