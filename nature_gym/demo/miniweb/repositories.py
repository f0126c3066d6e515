"""The demo's repositories as bare git repositories, made once each and kept in a folder.

A repository is written as one ``git fast-import`` stream, with the dates and authors that the
world states, so equal worlds give equal commit hashes. Its folder is named after that stream's
digest and appears in one rename: any number of processes can share the folder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nature_gym.demo.model import Commit, Repository
from nature_gym.errors import InfrastructureError

_CONFIG = """\
[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[pack]
	threads = 1
"""


def git_environment() -> dict[str, str]:
    """The environment for git: no settings of the user or the machine, so that hashes are the same everywhere."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    return {**kept, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C", "TZ": "UTC"}


def run_git(
    *arguments: str, folder: Path, given: bytes | None = None, settings: Iterable[str] = (), absent: int = 0
) -> bytes:
    """What ``git`` prints when run on the repository in ``folder``.

    ``absent`` is the exit code by which this subcommand says that there is no such thing, which is no failure.
    Raises :class:`InfrastructureError` where git is missing or fails.
    """
    options = [part for setting in settings for part in ("-c", setting)]
    command = ["git", *options, f"--git-dir={folder}", *arguments]
    try:
        done = subprocess.run(command, input=given, capture_output=True, check=False, env=git_environment())
    except FileNotFoundError:
        raise InfrastructureError(
            "git is not installed.", hint="Install it, with apt install git for example."
        ) from None
    if done.returncode not in {0, absent}:
        said = done.stderr.decode(errors="replace").strip()
        raise InfrastructureError(f"git {arguments[0]} failed on {folder.name}: {said}")
    return done.stdout


def _quoted(path: str) -> bytes:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'.encode()


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)


def _commit(commit: Commit, branch: str, mark: int) -> Iterator[bytes]:
    # Angle brackets and line breaks would end the name early.
    name = commit.author.translate({ord(character): None for character in "<>\n"})
    who = f"{name} <{commit.email}> {int(commit.date.timestamp())} +0000\n".encode()
    yield f"commit refs/heads/{branch}\nmark :{mark}\n".encode() + b"author " + who + b"committer " + who
    yield _data(commit.message.rstrip().encode() + b"\n")
    if mark > 1:
        yield f"from :{mark - 1}\n".encode()
    for path in commit.removed:
        yield b"D " + _quoted(path) + b"\n"
    for path, content in sorted(commit.files.items()):
        mode = b"100755" if content.startswith(b"#!") else b"100644"
        yield b"M " + mode + b" inline " + _quoted(path) + b"\n" + _data(content)


def import_stream(repository: Repository) -> Iterator[bytes]:
    """The repository's history as ``git fast-import`` reads it, in pieces."""
    for mark, commit in enumerate(repository.commits, start=1):
        yield from _commit(commit, repository.default_branch, mark)
    yield b"done\n"


def digest_of(repository: Repository) -> str:
    """A name for the repository's whole history."""
    digest = hashlib.sha256(repository.default_branch.encode())
    for piece in import_stream(repository):
        digest.update(piece)
    return digest.hexdigest()


def write_bare(repository: Repository, folder: Path) -> None:
    """Write the repository as a bare one in ``folder``, which must not exist.

    One without commits, or whose state is ``empty``, is as ``git init`` leaves it.
    """
    for name in ("objects/pack", "objects/info", "refs/heads", "refs/tags"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text(f"ref: refs/heads/{repository.default_branch}\n", encoding="utf-8")
    (folder / "config").write_text(_CONFIG, encoding="utf-8")
    (folder / "description").write_text(f"{repository.description or repository.name}\n", encoding="utf-8")
    if repository.commits and repository.state != "empty":
        settings = ("fastimport.unpackLimit=1", "pack.threads=1")
        stream = b"".join(import_stream(repository))
        run_git("fast-import", "--quiet", "--done", "--date-format=raw", folder=folder, given=stream, settings=settings)


class GitStore:
    """Bare repositories in a folder, each made when first asked for. Safe for threads and processes.

    Without a folder they go into a temporary one of our own, closed to other accounts, which is removed by
    :meth:`close`, or with the store.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._own: tempfile.TemporaryDirectory[str] | None = None
        self._directory = directory
        self._made: dict[str, Path] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()

    @property
    def directory(self) -> Path:
        """Where the repositories are; a folder of our own is made when first asked for."""
        with self._guard:
            if self._directory is None:
                self._own = tempfile.TemporaryDirectory(prefix="naturegym-git-", ignore_cleanup_errors=True)
                self._directory = Path(self._own.name)
            return self._directory

    def close(self) -> None:
        """Remove the folder, if it is our own; it comes back when a repository is asked for."""
        with self._guard:
            own, self._own = self._own, None
            if own is not None:
                self._directory = None
                self._made.clear()
                own.cleanup()

    def known(self, repository: Repository) -> Path | None:
        """The folder, where it was asked for before: an answer without waiting."""
        return self._made.get(repository.url)

    def path(self, repository: Repository) -> Path:
        """The folder of the bare repository; made now where it is not there yet."""
        with self._guard:
            if (made := self._made.get(repository.url)) is not None:
                return made
            lock = self._locks.setdefault(repository.url, threading.Lock())
        with lock:
            if repository.url not in self._made:
                self._made[repository.url] = self._make(repository)
            return self._made[repository.url]

    def _make(self, repository: Repository) -> Path:
        # The first letter keeps names of different repositories apart from one another for people only.
        name = f"{repository.owner}+{repository.name}+{repository.state}+{digest_of(repository)[:16]}.git"
        directory = self.directory
        target = directory / name.replace("/", "+")
        if target.is_dir():
            return target
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=directory))
        try:
            write_bare(repository, draft / "repository")
            try:
                (draft / "repository").rename(target)
            except OSError:
                # Another process was faster; what it wrote is the same.
                if not target.is_dir():
                    raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return target


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One line of a tree: a blob or a tree, with its size where it is a blob."""

    mode: str
    type: str
    sha: str
    size: int | None
    path: str


def resolve(folder: Path, ref: str) -> str | None:
    """The commit that a branch, tag or hash means, or None. Raises InfrastructureError where git itself fails."""
    if ref.startswith("-") or ".." in ref or "\0" in ref:
        return None
    asked = ("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    return run_git(*asked, folder=folder, absent=1).decode().strip() or None


def tree(folder: Path, commit: str, *, recursive: bool = True) -> list[TreeEntry]:
    """Everything in a commit's tree, folders included."""
    listed = run_git("ls-tree", "-l", "-z", *(["-r", "-t"] if recursive else []), commit, folder=folder)
    entries = []
    for line in filter(None, listed.split(b"\0")):
        facts, _, path = line.partition(b"\t")
        mode, kind, sha, size = facts.decode().split()
        entries.append(TreeEntry(mode, kind, sha, None if size == "-" else int(size), path.decode()))
    return entries


def history(folder: Path, commit: str) -> list[tuple[str, str]]:
    """(commit, tree) of every commit, newest first."""
    listed = run_git("log", "--format=%H %T", commit, folder=folder).decode()
    return [(line.split()[0], line.split()[1]) for line in listed.splitlines()]


def archive(folder: Path, commit: str, form: str, prefix: str) -> bytes:
    """A commit's tree as ``zip`` or ``tar.gz``, below the folder ``prefix``."""
    return run_git("archive", f"--format={form}", f"--prefix={prefix}/", commit, folder=folder)


def blob(folder: Path, commit: str, path: str) -> bytes | None:
    """The content of a file in a commit, or None. Raises InfrastructureError where git itself fails."""
    if "\0" in path or not {"", ".", ".."}.isdisjoint(path.split("/")):
        return None
    listed = run_git("ls-tree", "-z", "--full-tree", commit, "--", path, folder=folder)
    facts, _, name = listed.rstrip(b"\0").partition(b"\t")
    if name != path.encode(errors="surrogateescape") or facts.split()[1] != b"blob":
        return None
    return run_git("cat-file", "blob", facts.split()[2].decode(), folder=folder)
