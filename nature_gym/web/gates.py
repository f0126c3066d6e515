"""Pages that stand in the way of what was asked for: a captcha, a sign-in form.

They come with status 200 as often as not, so only their content tells. A page of substance is never taken
for one: articles speak of sign-in, too, and carry a captcha for their comments.
"""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import urlsplit

Gate = Literal["captcha", "sign-in"]

_HEAD = 64_000
_SLIGHT = 40_000
"""A page with more bytes than this has something to say of its own."""
_TITLE = re.compile(rb"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_HEADING = re.compile(rb"<h1[^>]*>(.*?)</h1>", re.IGNORECASE | re.DOTALL)
_CAPTCHA_WORDS = re.compile(
    rb"just a moment|attention required|verify(?:ing)? (?:that )?you are (?:a )?human|are you (?:a robot|human)|"
    rb"unusual traffic|security check|bot (?:check|verification)|captcha|pardon our interruption",
    re.IGNORECASE,
)
_CAPTCHA_MARKS = re.compile(
    rb"g-recaptcha|h-captcha|cf-turnstile|challenge-form|cf[_-]chl|_chl_|captcha-delivery\.com|px-captcha|"
    rb"_Incapsula_Resource|id=[\"']challenge",
    re.IGNORECASE,
)
_SIGN_IN_WORDS = re.compile(rb"sign[ -]?in|log[ -]?in|authenticat", re.IGNORECASE)
_PASSWORD = re.compile(rb"<input[^>]+type=[\"']?password", re.IGNORECASE)
_SIGN_IN_HOST = re.compile(r"^(login|signin|idp|sso|auth|accounts|wayf|shibboleth)\.")
_SIGN_IN_PATH = re.compile(
    r"/(?:(?:wp|user|users|account|service)[-_]?)?(log[-_]?in|sign[-_]?in|log-?on|sso|saml2?|auth|authori[sz]e|"
    r"authenticate|idp|shibboleth[^/]*)(/|$|\.)"
)


def is_sign_in_address(url: str) -> bool:
    """Whether an address is, by its looks, where one signs in; those that only set a cookie are not."""
    parts = urlsplit(url)
    if "response_type=cookie" in parts.query:
        return False
    return bool(_SIGN_IN_HOST.match(parts.netloc.lower()) or _SIGN_IN_PATH.search(parts.path.lower()))


def gate(body: bytes, url: str) -> Gate | None:
    """What the HTML page ``body``, found at ``url``, stands in the way with; None for a page like any other."""
    head = body[:_HEAD]
    titles = b" ".join(match for pattern in (_TITLE, _HEADING) for match in pattern.findall(head))
    slight = len(body) < _SLIGHT
    if _CAPTCHA_WORDS.search(titles) and (slight or _CAPTCHA_MARKS.search(head)):
        return "captcha"
    if slight and _CAPTCHA_MARKS.search(head) and not _PASSWORD.search(head):
        return "captcha"
    if is_sign_in_address(url):
        return "sign-in"
    if slight and _PASSWORD.search(head) and (_SIGN_IN_WORDS.search(titles) or not titles):
        return "sign-in"
    return None
