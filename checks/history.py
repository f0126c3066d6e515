"""Every run of the checks, kept: what was checked, by which rules, and the whole report.

    checks/demo-48a07731.5f0c2a9b/          a package, by its name and where it lies
        20261201T101500.123456-3fa9c1.json  a run

The idea: a run is one file that is written once, and says of which state of the package it speaks. So what changed
between two runs, which packages are stale and which may be calibrated all follow from these files; the database
merely indexes them.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

import checks as package_of_checks
from checks.identity import package_digest
from checks.model import CheckResult, Finding, Report
from checks.package import CheckedPackage
from checks.registry import TITLES
from checks.running import NOT_SELECTED, STATIC_ONLY
from nature_gym.errors import UsageError
from nature_gym.files import to_json, write_atomically
from nature_gym.kept import Kept

FOLDER = "checks"
LARGEST_RECORD = 64 << 20
NOT_LOOKED = {NOT_SELECTED, STATIC_ONLY}
"""Reasons of skips that say nothing of the package."""
UNABLE = ("no sandbox works here", "which this sandbox has not")
"""So do these, wherever in a reason they stand: this machine could not carry the check out."""
DIGEST_RULES = 1


class CheckRecord(BaseModel):
    """One run on one package. ``rules`` names the checks as they were: other sources, another word."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    package: str
    path: str
    digest: str
    rules: str
    at: AwareDatetime
    report: Report

    def looked(self) -> dict[str, CheckResult]:
        """The checks that were carried out, or found nothing to look at."""
        return {one.id: one for one in self.report.results if not _unlooked(one)}


def _unlooked(result: CheckResult) -> bool:
    """Whether a result says nothing of the package."""
    return result.defect or result.reason in NOT_LOOKED or any(words in result.reason for words in UNABLE)


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one check from one run to the next: findings are told by file and message, without lines."""

    check: str
    before: str
    after: str
    appeared: tuple[str, ...]
    gone: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """As commands print it."""
        return {
            "check": self.check, "before": self.before, "after": self.after,
            "appeared": list(self.appeared), "gone": list(self.gone),
        }  # fmt: skip


@cache
def rules() -> str:
    """The version of the checks: a digest of their sources."""
    digest = hashlib.sha256()
    for path in sorted(Path(package_of_checks.__path__[0]).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def history_of(home: Path) -> History:
    """The history of a home."""
    return History(home / FOLDER)


class History:
    """All records of a home; ``root`` is their folder, which need not exist yet."""

    def __init__(self, root: Path, *, clock: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC)) -> None:
        self.root = root
        self._clock = clock
        self._kept = Kept(root / "digests.sqlite", DIGEST_RULES)

    def digest(self, path: Path) -> str:
        """The digest of the package at ``path``; files that did not change are not read again."""
        return package_digest(CheckedPackage(path), self._kept)

    def keep(self, report: Report, digest: str) -> CheckRecord:
        """Keep the report on a package that has ``digest``. Raises OSError as the file system gives it."""
        path, now = Path(report.package).resolve(), self._clock()
        name = f"{now:%Y%m%dT%H%M%S.%f}-{secrets.token_hex(3)}"
        record = CheckRecord(
            id=name, package=path.name, path=str(path).encode(errors="replace").decode(), digest=digest,
            rules=rules(), at=now, report=report,
        )  # fmt: skip
        write_atomically(self.root / _key(path) / f"{name}.json", to_json(record.model_dump(mode="json")))
        return record

    def place(self, record: CheckRecord) -> Path:
        """The file of a record."""
        return self.root / _key(Path(record.path)) / f"{record.id}.json"

    def of(self, path: Path) -> list[CheckRecord]:
        """The runs on the package at ``path``, oldest first; records that cannot be read are left out."""
        return list(_records(self.root / _key(path.resolve())))

    def named(self, name: str) -> list[CheckRecord]:
        """The runs on the package that ``name`` means: a folder, or the name of one wherever it lies.

        Raises UsageError where there was none.
        """
        found = self.of(Path(name)) if Path(name).is_dir() else []
        if not found and "/" not in name:
            places = [one for one in _folders(self.root) if one.name.rpartition(".")[0] == _clean(name)]
            found = sorted((one for place in places for one in _records(place)), key=lambda one: one.at)
        if not found:
            raise UsageError(f"No run on {name} is kept.", hint="'naturegym check PATH' makes one.")
        return found

    def everything(self) -> Iterator[CheckRecord]:
        """Every run on every package."""
        for folder in _folders(self.root):
            yield from _records(folder)

    def is_stale(self, path: Path, *, static: bool = False) -> bool:
        """Whether a package, or the checks, were edited since it was checked; ``static``: those checks alone."""
        digest = self.digest(path)
        looked: set[str] = set()
        for one in reversed(self.of(path)):
            if one.digest == digest and one.rules == rules():
                looked |= set(one.looked())
        needed = {one for one in TITLES if not (static and one.startswith("C4"))}
        return bool(needed - looked)

    def admits_calibration(self, digest: str) -> str:
        """Why a package of this digest may not be calibrated; '' where it may.

        Of each check the newest result on this very state of the package counts, by the checks as they are now. A
        failure blocks, and so does a check that was never carried out.
        """
        newest: dict[str, CheckResult] = {}
        for record in sorted(self.everything(), key=lambda one: one.at):
            if record.digest == digest and record.rules == rules():
                newest.update(record.looked())
        if not newest:
            return "no run of the checks is kept of the package as it is; run 'naturegym check' on it"
        failed = [name for name, one in newest.items() if one.status == "fail" and name in TITLES]
        if failed:
            return f"{', '.join(sorted(failed))} failed"
        missing = [name for name in TITLES if name not in newest]
        return f"not carried out: {', '.join(missing)}" if missing else ""


def changes(before: CheckRecord, after: CheckRecord) -> list[Change]:
    """What is other in ``after``, check by check; checks that only one of the two carried out are no change."""
    old, new = before.looked(), after.looked()
    found = []
    for name in new:
        if name not in old:
            continue
        was, now = _told(old[name].findings), _told(new[name].findings)
        if (old[name].status, was) != (new[name].status, now):
            appeared, gone = tuple(sorted(now - was)), tuple(sorted(was - now))
            found.append(Change(name, old[name].status, new[name].status, appeared, gone))
    return found


def _told(findings: Sequence[Finding]) -> set[str]:
    return {
        f"{one.file}: {one.text}: {one.message}" if one.text and one.text not in one.message
        else f"{one.file}: {one.message}"
        for one in findings
    }  # fmt: skip


def _key(path: Path) -> str:
    """A folder's name for a package: its own, and a word for where it lies."""
    place = hashlib.sha256(str(path).encode(errors="surrogateescape")).hexdigest()[:8]
    return f"{_clean(path.name)}.{place}"


def _clean(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in name)[:80] or "package"


def _folders(root: Path) -> list[Path]:
    return sorted(one for one in root.iterdir() if one.is_dir()) if root.is_dir() else []


def _records(folder: Path) -> Iterator[CheckRecord]:
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        try:
            if path.stat().st_size <= LARGEST_RECORD:
                yield CheckRecord.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):
            continue  # damaged, or of another version: history goes on without it
