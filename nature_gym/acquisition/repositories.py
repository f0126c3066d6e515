"""Repositories as they were when the paper came out: one commit's files, and nothing of theirs run.

Git is asked for the history without files first, to find the newest commit not after the publication date; then for
that commit alone. Hooks, filters, attributes and links of the repository have no say in what is written: files come out
as they are stored. What is not in the repository itself, submodules and large files elsewhere, is noted or fetched by
its own address.
"""

from __future__ import annotations

import configparser
import datetime as dt
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urljoin, urlsplit

import git

from nature_gym.acquisition.faults import RepositoryError
from nature_gym.config import Settings
from nature_gym.errors import InfrastructureError
from nature_gym.web.addresses import asked_at, brief, git_settings
from nature_gym.web.faults import AGAIN, HostError
from nature_gym.web.outward import refuse_private
from nature_gym.web.patience import ATTEMPTS, pause

_SEGMENT = re.compile(r"[A-Za-z0-9_.~][A-Za-z0-9_.~+-]*")
_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*(?::\d{1,5})?")
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_GONE = re.compile(
    r"not found|does not exist|could not read Username|Authentication failed|access denied|"
    r"returned error: (?:401|403|404|410)|terminal prompts disabled|HTTP Basic",
    re.IGNORECASE,
)
_EMPTY = re.compile(r"couldn't find remote ref HEAD|remote HEAD", re.IGNORECASE)
_PASSING = re.compile(
    r"(?:returned error:|HTTP) (?:429|50[0234])|early EOF|unexpected disconnect|timed out|connection reset|empty reply",
    re.IGNORECASE,
)
_LFS = b"version https://git-lfs.github.com/spec/v1"
_LICENCE = re.compile(r"(?:licen[cs]e|copying|unlicense)(?:[-.].*)?", re.IGNORECASE)
_CLONE_SECONDS = 3600.0
_LOOK_SECONDS = 0.2
_MOST_SUBMODULES = 20
_CONFIG = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.symlinks": "false",
    "core.autocrlf": "false",
    "core.attributesFile": os.devnull,
    "core.protectNTFS": "false",
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
    "protocol.allow": "never",
    "protocol.https.allow": "always",
    "protocol.http.allow": "always",
    "http.followRedirects": "true",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "advice.detachedHead": "false",
    "credential.helper": "",
}
_ATTRIBUTES = "* -text -ident -filter -working-tree-encoding -eol\n"


@dataclass(frozen=True, slots=True)
class Checkout:
    """What was taken of a repository. ``date`` is the commit's; ``size`` in bytes of all files."""

    url: str
    commit: str
    date: dt.datetime
    files: int
    size: int
    licence_file: str | None = None
    lfs_pointers: tuple[str, ...] = ()
    submodules: tuple[Submodule, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Submodule:
    """A repository within the repository; ``problem`` says why it is not there, and is empty where it is."""

    path: str
    url: str
    commit: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Listing:
    """A commit's tree, before anything of it is written."""

    files: int = 0
    size: int = 0
    links: dict[str, str] = field(default_factory=dict)
    """Path of a link -> hash of the blob that names what it leads to."""
    modules: dict[str, str] = field(default_factory=dict)


def check_url(url: str) -> str:
    """The address as git may have it. Raises RepositoryError for anything but https and a plain path.

    >>> check_url("https://github.com/owner/name/")
    'https://github.com/owner/name'
    """
    refused = RepositoryError(f"{brief(url)!r} is no address to clone from", hint="Only https:// is cloned.")
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise refused from error
    if not url.isprintable():  # urlsplit leaves line breaks out without a word
        raise refused
    segments = [unquote(segment) for segment in parts.path.split("/") if segment]
    plain = parts.scheme == "https" and _HOST.fullmatch(parts.netloc) and not parts.query and not parts.fragment
    if not plain or not segments or not all(_SEGMENT.fullmatch(one) and one not in (".", "..") for one in segments):
        raise refused
    return f"https://{parts.netloc}/{'/'.join(segments)}"


class Repositories:
    """Takes repositories; holds no state but the settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def take(
        self, url: str, target: Path, *, before: dt.date | None = None, version: str | None = None, scratch: Path
    ) -> Checkout:
        """Write the files of the newest commit not after ``before`` into ``target``, which must not exist.

        ``version`` is a branch, tag or commit that the paper names: the newest commit of that. ``scratch`` is a folder
        on the same file system. Raises RepositoryError for a repository that cannot be used, HostError where its host
        does not answer; then ``target`` is not there.
        """
        url = check_url(url)
        try:
            checkout = self._take(url, target, scratch, before=before, version=version)
            return replace(checkout, submodules=tuple(self._submodules(checkout, target, scratch)))
        except BaseException:
            shutil.rmtree(target, ignore_errors=True)
            raise

    def _take(
        self,
        url: str,
        target: Path,
        scratch: Path,
        *,
        before: dt.date | None = None,
        version: str | None = None,
        commit: str | None = None,
    ) -> Checkout:
        """:meth:`take` without submodules; ``commit`` is one that is known."""
        refuse_host(self._settings, url)
        notes: list[str] = []
        history = scratch / "history"
        clone = scratch / "clone"
        try:
            if commit is None:
                git_ = self._init(history)
                refs = self._fetch_history(git_, url, version, notes)
                commit = self._choose(git_, refs, before, notes)
            git_ = self._init(clone)
            git_ = self._fetch_commit(git_, url, commit, (history, version))
            listing = self._list(git_, url, commit)
            date = dt.datetime.fromtimestamp(int(git_.log("-1", "--format=%ct", commit)), dt.UTC)
            self._check_out(git_, commit, target, listing, notes)
        except git.exc.GitCommandError as error:
            raise _told(url, error) from error
        finally:
            shutil.rmtree(history, ignore_errors=True)
            shutil.rmtree(clone, ignore_errors=True)
        modules = _modules(target / ".gitmodules", listing.modules)
        return Checkout(
            url, commit, date, listing.files, listing.size, licence_file(target), tuple(pointers_in(target)), modules,
            tuple(notes),
        )  # fmt: skip

    # -- git -----------------------------------------------------------------------------

    def _init(self, folder: Path) -> git.Git:
        folder.mkdir(parents=True)
        made = git.Git(folder)
        made.update_environment(**self._environment())
        made.init("--quiet", "--template=")
        return made

    def _environment(self) -> dict[str, str]:
        """Git's surroundings: no settings but ours, and nobody to ask for a password."""
        mirrored = git_settings(self._settings)
        number = int(mirrored.get("GIT_CONFIG_COUNT", "0"))
        environment = {
            **mirrored,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "true",
            "SSH_ASKPASS": "true",
            "GIT_LFS_SKIP_SMUDGE": "1",
            "GIT_ALLOW_PROTOCOL": "https:http",
            "LC_ALL": "C",
        }
        for place, (name, value) in enumerate(_CONFIG.items(), start=number):
            environment |= {f"GIT_CONFIG_KEY_{place}": name, f"GIT_CONFIG_VALUE_{place}": value}
        environment["GIT_CONFIG_COUNT"] = str(number + len(_CONFIG))
        return environment

    def _fetch_history(self, git_: git.Git, url: str, version: str | None, notes: list[str]) -> str:
        """The history without files: of the version that the paper names, or of the default branch."""
        if version and _is_ref(version):
            try:
                self._fetch(git_, url, version, "--filter=tree:0")
                return str(git_.rev_parse("FETCH_HEAD"))
            except git.exc.GitCommandError:
                notes.append(f"the version {version!r} that the paper names is not there; the default branch was taken")
        self._fetch(git_, url, "HEAD", "--filter=tree:0")
        return str(git_.rev_parse("FETCH_HEAD"))

    @staticmethod
    def _choose(git_: git.Git, head: str, before: dt.date | None, notes: list[str]) -> str:
        if before is None:
            return head
        end = f"{before.isoformat()}T23:59:59Z"
        found = str(git_.rev_list("-1", "--first-parent", f"--before={end}", head)).strip()
        if not found:
            notes.append(f"all commits are later than the publication ({before.isoformat()}); the newest was taken")
            return head
        return found

    def _fetch_commit(self, git_: git.Git, url: str, commit: str, known: tuple[Path, str | None]) -> git.Git:
        """The commit alone; where the host gives no single commits, the whole history that leads to it."""
        _, version = known
        if not _COMMIT.fullmatch(commit):
            raise RepositoryError(f"{commit!r} is no commit", hint="Look at the repository.")
        try:
            self._fetch(git_, url, commit, "--depth=1")
        except git.exc.GitCommandError as error:
            if _GONE.search(str(error.stderr)):
                raise
            self._fetch(git_, url, version if version and _is_ref(version) else "HEAD")
        return git_

    def _fetch(self, git_: git.Git, url: str, ref: str, *options: str) -> None:
        """Fetch, and again while the host is in trouble that passes.

        Raises what :meth:`_fetch_once` does; HostError where it does not pass, so that nobody takes that for an answer.
        """
        for attempt in range(ATTEMPTS + 1):
            if attempt:
                pause(attempt)
            try:
                self._fetch_once(git_, url, ref, *options)
            except git.exc.GitCommandError as error:
                if not _PASSING.search(str(error.stderr)):
                    raise
                trouble = _told(url, error)
            else:
                return
        raise trouble

    def _fetch_once(self, git_: git.Git, url: str, ref: str, *options: str) -> None:
        """Fetch within the limits of time and size. Raises GitCommandError, RepositoryError."""
        folder = Path(str(git_.working_dir))
        process = git_.fetch(
            "--quiet", "--no-tags", "--no-recurse-submodules", *options, "--end-of-options", url, ref, as_process=True
        )
        began = time.monotonic()
        running: subprocess.Popen[bytes] = process.proc
        try:
            while running.poll() is None:
                try:
                    running.wait(_LOOK_SECONDS)
                except subprocess.TimeoutExpired:
                    if time.monotonic() - began > _CLONE_SECONDS:
                        raise HostError(f"{brief(url)} is not cloned in {_CLONE_SECONDS:,.0f} s", hint=AGAIN) from None
                    self._check_size(url, _size(folder))
        finally:
            running.kill()
            said = (running.stderr.read() if running.stderr else b"").decode(errors="replace")
            running.wait()
            for stream in (running.stdout, running.stderr, running.stdin):
                if stream is not None:
                    stream.close()
            process.proc = None
        if running.returncode:
            raise git.exc.GitCommandError(["git", "fetch"], running.returncode, said)
        self._check_size(url, _size(folder))

    def _check_size(self, url: str, size: int) -> None:
        most = self._settings.repository_bytes
        if size > most:
            raise RepositoryError(
                f"{brief(url)} takes more than the {most:,} bytes allowed", hint="Raise repository_bytes if need be."
            )

    def _list(self, git_: git.Git, url: str, commit: str) -> _Listing:
        """Look at the tree before it is written: small repositories can hold trees without end."""
        size = files = 0
        links: dict[str, str] = {}
        modules: dict[str, str] = {}
        process = git_.ls_tree("-r", "-l", "-z", commit, as_process=True)
        running: subprocess.Popen[bytes] = process.proc
        try:
            for line in _entries(running):
                facts, _, raw = line.partition(b"\t")
                mode, kind, sha, length = facts.decode().split()
                name = os.fsdecode(raw)
                files += 1
                size += int(length) if length.isdigit() else 0
                if files > self._settings.archive_files:
                    raise RepositoryError(
                        f"{brief(url)} holds more than the {self._settings.archive_files:,} files allowed",
                        hint="Raise archive_files if need be.",
                    )
                self._check_size(url, size)
                if kind == "commit":
                    modules[name] = sha
                elif mode == "120000":
                    links[name] = sha
        finally:
            running.kill()
            running.wait()
            for stream in (running.stdout, running.stderr, running.stdin):
                if stream is not None:
                    stream.close()
            process.proc = None
        return _Listing(files - len(modules), size, links, modules)

    @staticmethod
    def _check_out(git_: git.Git, commit: str, target: Path, listing: _Listing, notes: list[str]) -> None:
        folder = Path(str(git_.working_dir))
        info = folder / ".git" / "info"
        info.mkdir(exist_ok=True)
        (info / "attributes").write_text(_ATTRIBUTES)
        git_.checkout("--quiet", "--detach", "--force", commit)
        shutil.rmtree(folder / ".git")
        folder.rename(target)
        left = _resolve_links(target, list(listing.links))
        if left:
            notes.append(f"{len(left):,} links lead out of the repository or to folders: {', '.join(left[:5])}")

    # -- submodules ----------------------------------------------------------------------

    def _submodules(self, checkout: Checkout, target: Path, scratch: Path) -> Iterator[Submodule]:
        """Fetch each at its commit; one that cannot be had is told, and stops nothing. Theirs are not fetched."""
        for place, module in enumerate(checkout.submodules):
            folder = target / module.path
            problem = module.problem
            if place >= _MOST_SUBMODULES:
                problem = "more submodules than are fetched"
            if not problem:
                try:
                    url = check_url(urljoin(f"{checkout.url}/", module.url))
                    if folder.is_dir() and not folder.is_symlink():
                        folder.rmdir()
                    self._take(url, folder, scratch, commit=module.commit)
                except (RepositoryError, HostError, OSError) as error:
                    problem = str(error)
                    folder.mkdir(parents=True, exist_ok=True)
            yield replace(module, problem=problem)


def refuse_host(settings: Settings, url: str) -> None:
    """Raise HostError for a host inside a private network, unless the settings say that it is asked elsewhere."""
    if asked_at(settings, url) == url:
        refuse_private(url, urlsplit(url).hostname or "")


def _is_ref(version: str) -> bool:
    """Whether a branch, tag or commit may be handed to git: no option, no range, no pattern."""
    return bool(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_./+-]{0,200}", version)) and ".." not in version


def _entries(running: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """What ``git ls-tree -z`` prints, entry by entry."""
    rest = b""
    while running.stdout is not None and (block := running.stdout.read(1 << 16)):
        *lines, rest = (rest + block).split(b"\0")
        yield from lines


def _resolve_links(target: Path, links: list[str]) -> list[str]:
    """Links, which came as files that hold where they lead, become the files they lead to; which ones could not be."""
    left = list(links)
    while left:
        waiting = [name for name in left if not _resolve_link(target, name, set(left))]
        if len(waiting) == len(left):
            for name in waiting:
                (target / name).unlink(missing_ok=True)
            return waiting
        left = waiting
    return []


def _resolve_link(target: Path, name: str, waiting: set[str]) -> bool:
    path = target / name
    parts = list(PurePosixPath(name).parent.parts)
    to = os.fsdecode(path.read_bytes()[:4096])
    if to.startswith("/"):
        return False
    for part in to.split("/"):
        if part == ".." and not parts:
            return False
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    source = target.joinpath(*parts)
    if "/".join(parts) in waiting or not source.is_file() or source == path:
        return False
    path.unlink()
    os.link(source, path)
    return True


def _modules(path: Path, commits: Mapping[str, str]) -> tuple[Submodule, ...]:
    """The submodules of a tree, with their addresses as ``.gitmodules`` gives them."""
    urls: dict[str, str] = {}
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        text = path.read_text(errors="replace")[:1_000_000]
        parser.read_string("\n".join(line.strip() for line in text.splitlines()))
        for section in parser.sections():
            urls[parser.get(section, "path", fallback="")] = parser.get(section, "url", fallback="") or ""
    except (OSError, configparser.Error):
        pass  # then they are without addresses, which is told of each
    return tuple(
        Submodule(name, urls.get(name, ""), commit, "" if urls.get(name) else "the repository does not say where it is")
        for name, commit in sorted(commits.items())
    )


def licence_file(target: Path) -> str | None:
    """The name of the file at the top of ``target`` that has the licence."""
    names = (path.name for path in sorted(target.iterdir()) if path.is_file())
    return next((name for name in names if _LICENCE.fullmatch(name)), None)


def pointers_in(target: Path) -> Iterator[str]:
    """Files that stand for large ones, whose content is kept elsewhere (Git LFS)."""
    for above, folders, names in os.walk(target):
        folders.sort()
        for name in sorted(names):
            path = Path(above, name)
            if path.stat().st_size < 1024 and is_pointer(path):
                yield os.fsencode(path.relative_to(target)).decode("utf-8", "backslashreplace")


def is_pointer(path: Path) -> bool:
    """Whether a small file is a pointer of Git LFS."""
    with path.open("rb") as file:
        return file.read(len(_LFS)) == _LFS


def _size(folder: Path) -> int:
    total = 0
    for above, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(above, name)).st_size  # noqa: PTH118 -- called often
            except FileNotFoundError:
                continue  # git makes and renames files while we look
    return total


def _told(url: str, error: git.exc.GitCommandError) -> RepositoryError | HostError | InfrastructureError:
    """What git's complaint means."""
    said = str(error.stderr or "")
    line = next((one.strip() for one in said.splitlines() if "fatal" in one or "error" in one), said.strip())[:300]
    if "No space left" in said:
        return InfrastructureError(f"the disk is full while {brief(url)} is cloned", hint="Free some space.")
    if _EMPTY.search(said):
        return RepositoryError(f"{brief(url)} is empty", hint="There is nothing to take.")
    if _GONE.search(said):
        return RepositoryError(f"{brief(url)} is gone or private", hint="Look whether it moved.")
    return HostError(f"{brief(url)} could not be cloned: {line}", hint=AGAIN)
