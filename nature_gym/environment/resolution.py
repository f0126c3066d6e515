"""Which packages a task adds to its base image, in which versions, and why each.

The one idea: wishes have ranks. What the base brings stays as it is; what the task pins holds, or is reported; what the
authors ask for is granted where it can be had beside these, and otherwise the newest that can (as of a date, if asked).
A wish that cannot be granted is told, never dropped in silence. What comes as source only is taken last, and told, too:
what it needs is known when it is built.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from nature_gym.environment.imports import Imported, Imports, imports
from nature_gym.environment.manifests import Manifest
from nature_gym.environment.names import assumed, distributions_of, module_of, package_of
from nature_gym.environment.removed_apis import removed_uses
from nature_gym.environment.requirement_files import Declared, declared
from nature_gym.environment.uv import Chosen, Refused, solve
from nature_gym.errors import UsageError

MOST_WISHES = 200
_PLACES = 3
"""Places of an import that are told."""

Kind = Literal["conflict", "unobtainable", "removed", "wish", "source", "unreadable", "optional"]
GRAVE = frozenset({"conflict", "unobtainable", "removed"})


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to know of: ``subject`` is a package, a file or a place in one."""

    kind: Kind
    subject: str
    message: str


@dataclass(frozen=True, slots=True)
class ImportChoice:
    """Where an imported module comes from."""

    module: str
    places: tuple[str, ...]
    origin: Literal["base", "added", "missing"]
    distribution: str
    version: str | None
    because: str


@dataclass(frozen=True, slots=True)
class PackageChoice:
    """A package that the task adds to its base."""

    name: str
    module: str
    version: str
    because: str
    from_source: bool = False

    @property
    def pin(self) -> str:
        return f"{self.name}=={self.version}"


@dataclass(frozen=True, slots=True)
class Resolution:
    """All choices for one task."""

    base: Manifest
    as_of: dt.date | None
    imports: tuple[ImportChoice, ...]
    packages: tuple[PackageChoice, ...]
    findings: tuple[Finding, ...]
    local: tuple[str, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing is missing, in conflict or gone from the versions chosen."""
        return not any(finding.kind in GRAVE for finding in self.findings)

    def as_json(self) -> dict[str, Any]:
        """As commands print it."""
        return {
            "base": self.base.image,
            "python": self.base.python,
            "as_of": self.as_of.isoformat() if self.as_of else None,
            "sound": self.sound,
            "imports": [asdict(one) for one in self.imports],
            "packages": [asdict(one) | {"pin": one.pin} for one in self.packages],
            "findings": [asdict(one) for one in self.findings],
            "local": list(self.local),
        }


@dataclass(slots=True)
class _Wish:
    """One distribution to have: by which specifier, at whose wish, and why at all."""

    name: str
    because: str
    specifier: str = ""
    extras: str = ""
    pinned: bool = False
    from_source: bool = False
    asked_by: tuple[str, ...] = ()
    modules: list[str] = field(default_factory=list)

    @property
    def full(self) -> str:
        return f"{self.name}{self.extras}{self.specifier}"

    @property
    def bare(self) -> str:
        return self.full if self.pinned else self.name


def resolve(
    sources: Mapping[str, str],
    base: Manifest,
    *,
    pins: Iterable[str] = (),
    requirement_files: Mapping[str, str] | None = None,
    as_of: dt.date | None = None,
) -> Resolution:
    """Choose packages for Python ``sources`` (path -> text) on a base image.

    ``pins`` are requirements of the task itself, ``requirement_files`` (path -> text) those of the authors. Raises
    UsageError for a pin that is no requirement, InfrastructureError where the package index does not answer.
    """
    found = imports(sources)
    findings: list[Finding] = []
    wishes = _pinned(pins, base, findings)
    authors = _by_name(declared(requirement_files or {}))
    origins = _origins(found, base, wishes, authors)
    _ask(wishes, authors, base, findings)
    if len(wishes) > MOST_WISHES:
        raise UsageError(f"{len(wishes)} packages are too many for one task.", hint="Name a smaller folder.")
    chosen = _settle(list(wishes.values()), base, as_of, findings)
    packages = tuple(_packages(chosen, wishes, base))
    versions = {**base.packages, **{one.name: one.version for one in packages}, "python": base.python}
    findings += [Finding("unreadable", file, "is no Python 3; its imports are not known") for file in found.unreadable]
    for use in removed_uses(sources, versions):
        findings.append(Finding("removed", use.place, use.told))
    return Resolution(
        base, as_of, tuple(_imports(found, origins, wishes, versions, base)), packages, tuple(findings), found.local
    )


# -- what is wished for ------------------------------------------------------------------------


def _pinned(pins: Iterable[str], base: Manifest, findings: list[Finding]) -> dict[str, _Wish]:
    """The task's own pins; those against the base are findings."""
    wishes: dict[str, _Wish] = {}
    for pin in pins:
        try:
            one = Requirement(pin)
        except InvalidRequirement as error:
            raise UsageError(f"{pin!r} is no package with a version.", hint="Write it as name==version.") from error
        name = canonicalize_name(one.name)
        there = base.packages.get(name)
        if there is None:
            extras = f"[{','.join(sorted(one.extras))}]" if one.extras else ""
            wishes[name] = _Wish(name, "the task asks for it", str(one.specifier), extras, pinned=True)
        elif not one.specifier.contains(there, prereleases=True):
            findings.append(Finding("conflict", name, f"{base.image} has {there}, the task asks for {pin}"))
    return wishes


def _by_name(found: Iterable[Declared]) -> dict[str, list[Declared]]:
    names: dict[str, list[Declared]] = {}
    for one in found:
        names.setdefault(one.name, []).append(one)
    return names


def _origins(
    found: Imports, base: Manifest, wishes: dict[str, _Wish], authors: Mapping[str, list[Declared]]
) -> dict[str, str]:
    """Package (see names.package_of) -> distribution; what the base has not becomes a wish."""
    origins: dict[str, str] = {}
    for one in found.needed:
        package = package_of(one.module)
        if package in origins:
            continue
        known = distributions_of(one.module)
        candidates = known or (assumed(one.module),)
        name = next(
            (
                candidate
                for has in (wishes.__contains__, base.brings, authors.__contains__)
                for candidate in candidates
                if has(candidate)
            ),
            candidates[0],
        )
        origins[package] = name
        if not base.brings(name):
            how = "" if known else "; that the distribution has the module's name is assumed"
            wish = wishes.setdefault(name, _Wish(name, f"{_place(one)} imports {package}{how}"))
            wish.modules.append(package)
    return origins


def _ask(
    wishes: dict[str, _Wish], authors: Mapping[str, list[Declared]], base: Manifest, findings: list[Finding]
) -> None:
    """What the authors say of versions: for what is added a wish more, of what the base has a word."""
    for name, said in sorted(authors.items()):
        together = ",".join(dict.fromkeys(filter(None, (one.specifier for one in said))))
        files = tuple(dict.fromkeys(one.file for one in said))
        if not together:
            continue
        if name in base.packages:
            if not SpecifierSet(together).contains(base.packages[name], prereleases=True):
                message = f"{files[0]} asks for {together}; {base.image} has {base.packages[name]}, which stays"
                findings.append(Finding("wish", name, message))
        elif name in wishes and not wishes[name].pinned:
            wishes[name].specifier, wishes[name].asked_by = together, files


# -- what can be had ---------------------------------------------------------------------------


def _settle(wishes: list[_Wish], base: Manifest, as_of: dt.date | None, findings: list[Finding]) -> dict[str, Chosen]:
    """The versions: of all wishes at once, or else of as many as can be granted, one after the other."""
    if not wishes:
        return {}
    ordered = sorted(wishes, key=lambda wish: (not wish.pinned, wish.name))
    answer = solve((wish.full for wish in ordered), base, as_of)
    if not isinstance(answer, Refused):
        return answer
    granted: list[str] = []
    settled: dict[str, Chosen] = {}
    refused: list[tuple[_Wish, str]] = []
    for wish in ordered:
        answer = solve([*granted, wish.full], base, as_of)
        if isinstance(answer, Refused) and wish.bare != wish.full:
            without = solve([*granted, wish.bare], base, as_of)
            if not isinstance(without, Refused):
                _give_up(wish, answer.why, findings)
                answer = without
        if isinstance(answer, Refused):
            refused.append((wish, answer.why))
        else:
            granted.append(wish.full)
            settled = answer
    for wish, why in refused:
        one = _from_source(wish, base, as_of, settled)
        if one is None and wish.bare != wish.full:
            _give_up(wish, why, findings)
            one = _from_source(wish, base, as_of, settled)
        if one is None:
            findings.append(Finding("conflict" if wish.pinned else "unobtainable", wish.name, why))
        else:
            wish.from_source = True
            settled[wish.name] = one
            message = (
                f"{one.version} is built from source: it has no wheel, and what it needs is known when it is built"
            )
            findings.append(Finding("source", wish.name, message))
    return settled


def _give_up(wish: _Wish, why: str, findings: list[Finding]) -> None:
    """Let go of the version that the authors ask for, and tell it."""
    message = f"{wish.asked_by[0]} asks for {wish.specifier}, which cannot be had here: {why}"
    findings.append(Finding("wish", wish.name, message))
    wish.specifier, wish.asked_by = "", ()


def _from_source(wish: _Wish, base: Manifest, as_of: dt.date | None, settled: Mapping[str, Chosen]) -> Chosen | None:
    """The version that there is as source, beside what is settled; nothing of it is run. None where there is none."""
    fixed = {name: one.version for name, one in settled.items() if name != wish.name}
    answer = solve([wish.full], base, as_of, from_source=[wish.name], settled=fixed)
    return None if isinstance(answer, Refused) else answer.get(wish.name)


def _packages(chosen: Mapping[str, Chosen], wishes: Mapping[str, _Wish], base: Manifest) -> Iterator[PackageChoice]:
    """What the task adds: not what the base has, in a version that we know or not."""
    for name, one in sorted(chosen.items()):
        if base.brings(name) and name not in wishes:
            continue
        wish = wishes.get(name)
        if wish is None:
            because = f"needed by {', '.join(one.via)}"
            module = module_of(name)
        else:
            asked = f"; {', '.join(wish.asked_by)} asks for {wish.specifier}" if wish.asked_by else ""
            free = "" if wish.specifier else "; the newest that fits"
            because = wish.because + asked + free
            module = wish.modules[0] if wish.modules else module_of(name)
        from_source = wish is not None and wish.from_source
        yield PackageChoice(name, module, one.version, because + "; from source" * from_source, from_source)


def _imports(
    found: Imports, origins: Mapping[str, str], wishes: Mapping[str, _Wish], versions: Mapping[str, str], base: Manifest
) -> Iterator[ImportChoice]:
    places: dict[str, list[Imported]] = {}
    for one in found.needed:
        places.setdefault(package_of(one.module), []).append(one)
    for package, ones in sorted(places.items()):
        name = origins[package]
        told = tuple(_place(one) for one in ones[:_PLACES])
        if name not in wishes:
            version = base.packages.get(name)
            because = f"{base.image} has it" + ("" if version else ", in a version that its recipe does not pin")
            yield ImportChoice(package, told, "base", name, version, because)
        elif name in versions:
            yield ImportChoice(package, told, "added", name, versions[name], wishes[name].because)
        else:
            yield ImportChoice(package, told, "missing", name, None, wishes[name].because)


def _place(one: Imported) -> str:
    return f"{one.file}:{one.line}"
