"""Taking in what an agent printed: bounded, without secrets, and without anything that commands a terminal.

Threat: an agent prints its keys (or the trial's token) into its own log, hides them between escapes, in base64 or in
hexadecimal digits, prints sequences that act on the terminal of whoever reads the log, or prints without end.
Invariant: escapes go first, so that they cannot split a secret; secrets go before texts are cut, so that no half of
one is left; what is left is at most ``Bounds`` long.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote

from nature_gym.agents.events import Event

REMOVED = "[removed]"
LEAST_SECRET = 8
"""Shorter values of variables are no keys, and would stand in many a text by chance."""
_SECRET_NAME = re.compile(r"(?:^|_|API)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_\w+)?$", re.IGNORECASE)
_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS and their like
    r"|\x9b[0-?]*[ -/]*[@-~]?"
    r"|\x1b[ -/]*[0-~]?"
)
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
_SHAPED = re.compile(
    r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}"  # model providers
    r"|\bAIza[A-Za-z0-9_-]{30,}"
    r"|\b(?:ghp|gho|ghu|ghs|ghr|github_pat)_[A-Za-z0-9_]{20,}"
    r"|\bglpat-[A-Za-z0-9_-]{16,}"
    r"|\bhf_[A-Za-z0-9]{20,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"
    r"|\bxox[abeoprs]-[A-Za-z0-9-]{10,}"
    r"|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}"  # signed tokens
    r"|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.{0,20000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\Z)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is kept of a trajectory: characters of a text and of all texts, number of events."""

    text: int = 20_000
    texts: int = 32_000_000
    events: int = 100_000


def secrets_of(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The values of variables that are named as keys are."""
    return tuple(
        value for name, value in environment.items() if _SECRET_NAME.search(name) and len(value) >= LEAST_SECRET
    )


class Intake:
    """Cleans texts. ``secrets`` are values known here: keys of the host, the trial's token."""

    def __init__(self, secrets: Iterable[str] = (), bounds: Bounds = Bounds()) -> None:
        self.bounds = bounds
        forms = {form for one in secrets if len(one) >= LEAST_SECRET for form in _forms(one)}
        # The longest first, so that one secret within another leaves nothing of the longer one.
        found = "|".join(re.escape(one) for one in sorted(forms, key=len, reverse=True))
        self._known = re.compile(found) if found else None

    def text(self, text: str) -> str:
        """A text as it may be kept and shown."""
        plain = _CONTROLS.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
        if self._known is not None:
            plain = self._known.sub(REMOVED, plain)
        plain = _SHAPED.sub(REMOVED, plain)
        over = len(plain) - self.bounds.text
        if over <= 0:
            return plain
        half = self.bounds.text // 2
        return f"{plain[:half]}\n[{over:,} characters left out]\n{plain[-half:]}"

    def events(self, events: Iterable[Event]) -> Iterator[Event]:
        """Events with clean texts. Behind the bounds texts are dropped, and tokens and costs go on being counted."""
        kept = count = 0
        for one in events:
            count += 1
            spends = bool(one.input_tokens or one.output_tokens or one.cost)
            if count > self.bounds.events and not spends:
                continue
            text, tool = self.text(one.text), self.text(one.tool)[:200].replace("\n", " ")
            text = text if kept + len(text) <= self.bounds.texts and count <= self.bounds.events else "[left out]"
            kept += len(text)
            yield replace(one, text=text, tool=tool)


def _forms(secret: str) -> Iterator[str]:
    """A secret as it stands, and as one may write it to hide it."""
    content = secret.encode("utf-8", "surrogateescape")
    yield from (secret, secret[::-1], content.hex(), content.hex().upper(), quote(secret, safe=""))
    for shift in range(3):  # base64 reads three bytes at a time: where in such a group the secret begins is not known
        coded = base64.b64encode(b"\0" * shift + content)
        whole = coded[(0, 2, 3)[shift] :].rstrip(b"=")
        yield whole[: len(whole) - (1 if (shift + len(content)) % 3 else 0)].decode()
        yield whole[: len(whole) - (1 if (shift + len(content)) % 3 else 0)].decode().translate(_URL_SAFE)


_URL_SAFE = str.maketrans("+/", "-_")
