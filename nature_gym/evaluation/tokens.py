"""Who may submit: a random token a trial, of which the database holds the digest alone.

The token itself lies in a file of the trial's folder that only its owner can read, so that a service that was
restarted serves the same trial under the same token.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

FILE = "token"


def token_of(folder: Path) -> str:
    """The trial's token, made where there is none."""
    path = folder / FILE
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        token = secrets.token_urlsafe(32)
    temporary = folder / f".tmp.{FILE}.{secrets.token_hex(4)}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(token)
        file.flush()
        os.fsync(file.fileno())
    temporary.rename(path)
    return token


def token_digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", errors="surrogatepass")).hexdigest()


def is_token(given: object, digest: str) -> bool:
    """Whether ``given`` is the token of that digest, found out in the same time for every wrong one."""
    return isinstance(given, str) and hmac.compare_digest(token_digest(given), digest)
