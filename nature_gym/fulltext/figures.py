"""Where the pictures of an article's figures are: read off its page, or its XML, by the publisher's habits.

Only the article's own numbered figures count (``Fig. 1``), not those of others that a page recommends, and
not Extended Data. The largest picture comes first, the one that the page itself shows after it.
"""

from __future__ import annotations

import re
from urllib.parse import unquote, urljoin, urlsplit

MOST_FIGURES = 40
EUROPEPMC_SITE = "https://europepmc.org"

_SOURCE = re.compile(rb"<img\b[^>]{0,2000}?\ssrc\s*=\s*[\"']([^\"'\s]{1,1000})[\"']", re.IGNORECASE)
_MEDIA = re.compile(
    r"(?P<host>(?:https:)?//media\.springernature\.com)/[^/]+(?P<path>/springer-static/image/art:10\.\d+/"
    r"(?P<suffix>[^/]+)/MediaObjects/[^/?]*_Fig(?P<number>\d{1,3})_HTML\.\w+)"
)
_OWN = re.compile(r"/articles/(?P<suffix>[^/]+)/figures/(?P<number>\d{1,3})\.(?:png|jpe?g|gif|webp|svg)")
_OLD = re.compile(r"/images_article/(?P<suffix>[^/]+)-f(?P<number>\d{1,3})\.(?:png|jpe?g|gif)")
_GRAPHIC = re.compile(rb"<graphic\b[^>]{0,500}?\bxlink:href\s*=\s*[\"']([\w.-]{1,200}?)[\"']")
_NUMBERED = re.compile(r"(?:_Fig|-f)(?P<number>\d{1,3})(?:_HTML)?(?P<ending>\.\w{2,4})?")

Pictures = dict[int, list[str]]
"""Number of a figure -> addresses of its picture, the best one first."""


def pictures_of_page(page: bytes, base: str) -> Pictures:
    """The pictures that the article page at ``base`` shows.

    >>> page = b'<img src="//media.springernature.com/lw685/springer-static/image/art%3A10.1038%2Fs1/MediaObjects/1_Fig2_HTML.png">'
    >>> [url.split("/")[3] for url in pictures_of_page(page, "https://www.nature.com/articles/s1")[2]]
    ['full', 'lw685']
    """  # noqa: E501 -- such are the publisher's addresses
    article = urlsplit(base).path.rstrip("/").rpartition("/")[2].lower()
    found: Pictures = {}
    for source in _SOURCE.findall(page):
        shown = source.decode("utf-8", errors="replace").replace("&amp;", "&")
        plain = unquote(shown.partition("?")[0])
        match = _MEDIA.fullmatch(plain) or _OWN.search(plain) or _OLD.search(plain)
        if match is None or match["suffix"].lower() != article:
            continue
        addresses = [urljoin(base, shown)]
        if match.re is _MEDIA:
            addresses.insert(0, re.sub(r"(//media\.springernature\.com)/[^/]+/", r"\1/full/", addresses[0]))
        found.setdefault(int(match["number"]), list(dict.fromkeys(addresses)))
    return _first(found)


def pictures_of_xml(xml: bytes, pmcid: str) -> Pictures:
    """The pictures that Europe PMC keeps for a paper's JATS, which names them without an ending.

    >>> pictures_of_xml(b'<graphic xlink:href="41378_2018_27_Fig1_HTML"/>', "PMC6220173")
    {1: ['https://europepmc.org/articles/PMC6220173/bin/41378_2018_27_Fig1_HTML.jpg']}
    """
    found: Pictures = {}
    for name in map(bytes.decode, _GRAPHIC.findall(xml)):
        match = _NUMBERED.search(name)
        if match is not None and match.end() == len(name):
            ending = "" if match["ending"] else ".jpg"
            address = f"{EUROPEPMC_SITE}/articles/{pmcid}/bin/{name}{ending}"
            found.setdefault(int(match["number"]), [address])
    return _first(found)


def _first(found: Pictures) -> Pictures:
    return dict(sorted(found.items())[:MOST_FIGURES])


_ENDINGS = (
    (b"\x89PNG", "png"), (b"\xff\xd8\xff", "jpg"), (b"GIF8", "gif"), (b"RIFF", "webp"), (b"II*\0", "tif"),
    (b"MM\0*", "tif"),
)  # fmt: skip


def picture_ending(head: bytes) -> str | None:
    """What a picture's name ends with, by its first bytes; None for what is no picture.

    >>> picture_ending(b"\\x89PNG...")
    'png'
    """
    ending = next((ending for magic, ending in _ENDINGS if head.startswith(magic)), None)
    if ending == "webp" and head[8:12] != b"WEBP":
        return None
    return ending
