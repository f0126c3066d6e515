"""Root file systems for bubblewrap: an image is unpacked once, by its digest, and shown read-only to each box after.

Threat: an archive is anybody's. It may hold names that lead out, links through which a later file would be written
elsewhere, devices, programs that run as their owner, and more than a disk holds. Nothing is written through a link,
devices and pipes are left out, files lose the rights to run as their owner, and size and number are bounded.

The idea: what ``docker export`` gives (or ``mmdebstrap`` writes) is all that a root is; one description of a box then
serves Docker, Podman and bubblewrap. The roots lie beside the boxes, where a path says nothing of a task.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.sandbox import folders

KIND = "root"
FOLDER, NAMES, SYSTEM = "roots", "names", "system"
MOST_BYTES, MOST_FILES = 64 << 30, 4_000_000
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
OF_THE_BOX = ("proc", "dev", "sys", "tmp", "run", "workspace")
"""Top folders of an image that a box has of its own."""
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Root:
    """An unpacked image: its name, the digest of what it was unpacked from, and where its programs are looked for."""

    name: str
    digest: str
    path: str = PATH

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return _home() / self.digest.removeprefix("sha256:") / SYSTEM


def add_archive(name: str, archive: Path) -> Root:
    """Unpack a root file system from a tar file, compressed or not. Raises UsageError where it is none."""
    hashed = hashlib.sha256()
    try:
        with archive.open("rb") as file:
            while piece := file.read(_PIECE):
                hashed.update(piece)
        with archive.open("rb") as file:
            return _added(Root(name, f"sha256:{hashed.hexdigest()}"), file)
    except OSError as error:
        raise UsageError(f"{archive} cannot be read: {error.strerror}.", hint="Name a tar file.") from error


def add_image(name: str) -> Root:
    """Unpack an image of the Docker engine, by its digest there. Raises UsageError, InfrastructureError."""
    from docker.errors import ImageNotFound

    from nature_gym.sandbox.docker import engine

    with engine() as client:
        try:
            told = client.inspect_image(name)  # type: ignore[no-untyped-call]
        except ImageNotFound as error:
            raise UsageError(f"There is no image {name!r} here.", hint="Build or pull it first.") from error
        variables = dict(one.partition("=")[::2] for one in told["Config"].get("Env") or ())
        root = Root(name, str(told["Id"]), variables.get("PATH", PATH))
        if root.folder.is_dir():
            return _named(root)
        container = client.create_container(name, ["/nothing"])["Id"]
        try:
            with _Stream(client.export(container)) as file:
                return _added(root, file)
        finally:
            client.remove_container(container, force=True)


def roots() -> list[Root]:
    """All that are here, by name."""
    found = []
    for path in sorted((_home() / NAMES).glob("*.json")):
        with suppress(OSError, ValueError, TypeError):
            found.append(Root(**json.loads(path.read_bytes())))
    return [one for one in found if one.folder.is_dir()]


def root_named(image: str) -> Root:
    """The root of that name, or whose digest begins so. Raises UsageError."""
    for one in roots():
        if image in (one.name, one.digest) or (len(image) > 11 and one.digest.startswith(image)):
            return one
    raise UsageError(
        f"There is no unpacked root file system {image!r}.",
        hint=f"'naturegym sandbox image add {image}' unpacks one; or leave the image empty, or use Docker.",
    )


def remove(image: str) -> Root:
    """Forget a root, and remove its files where no other name is theirs. Raises UsageError."""
    root = root_named(image)
    _record(root.name).unlink(missing_ok=True)
    if all(one.digest != root.digest for one in roots()):
        folders.remove(root.folder.parent)
    return root


def shown(root: Path, source: str, targets: Iterable[PurePosixPath]) -> list[str]:
    """Bubblewrap's arguments that show a root read-only; ``source`` is where it is found when they are carried out.

    A folder in which a mount's target would have to be made is made of its parts, so that there is room for it.
    """
    wanted = [one for one in targets if not os.path.lexists(root / one.relative_to("/"))]
    arguments: list[str] = []

    def show(place: PurePosixPath) -> None:
        path = root / place.relative_to("/")
        if path.is_symlink():
            arguments.extend(["--symlink", str(path.readlink()), str(place)])
        elif path.is_dir() and any(one.is_relative_to(place) for one in wanted):
            if place != PurePosixPath("/"):
                arguments.extend(["--dir", str(place)])
            for name in sorted(one.name for one in path.iterdir()):
                if place != PurePosixPath("/") or name not in OF_THE_BOX:
                    show(place / name)
        elif path.is_dir() or path.is_file():
            arguments.extend(["--ro-bind", f"{source}{place}", str(place)])

    wanted.append(PurePosixPath("/"))  # the top is always made of its parts
    show(PurePosixPath("/"))
    return arguments


def unpack(archive: IO[bytes], folder: Path) -> None:
    """Unpack a tar file into an empty folder. Raises UsageError for one that does what it must not."""
    total = count = 0
    rights: list[tuple[Path, int]] = []
    try:
        with tarfile.open(fileobj=archive, mode="r|*") as tar:
            for member in tar:
                count, total = count + 1, total + member.size
                if total > MOST_BYTES or count > MOST_FILES:
                    raise UsageError("The archive is too large for a root file system.", hint="Take a smaller image.")
                path = _inside(folder, member.name)
                if path is None:
                    continue
                _put(tar, member, folder, path)
                if member.isdir():
                    rights.append((path, member.mode & 0o777))
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise UsageError(f"The archive is no tar file: {error}", hint="'docker export' writes one.") from error
    for path, mode in reversed(rights):  # when all is in: a folder may be closed to its owner
        path.chmod(mode | 0o500)


def _put(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path, path: Path) -> None:
    """One member, where nothing of that name is yet, or a folder or file that it takes the place of."""
    if path.is_symlink() or (path.exists() and not (path.is_dir() and member.isdir())):
        if path.is_dir() and not path.is_symlink():
            raise UsageError(f"{member.name} stands in the archive as two kinds.", hint="Take another image.")
        path.unlink()
    if member.isdir():
        path.mkdir(exist_ok=True)
    elif member.isreg():
        content = tar.extractfile(member)
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            if content is not None:
                shutil.copyfileobj(content, file, _PIECE)
            os.fchmod(file.fileno(), member.mode & 0o777 | stat.S_IRUSR)
    elif member.issym():
        path.symlink_to(member.linkname)
    elif member.islnk():
        target = _inside(folder, member.linkname)
        if target is None or target.is_symlink() or not target.is_file():
            raise UsageError(f"{member.name} is a link to what is not in the archive.", hint="Take another image.")
        path.hardlink_to(target)


def _inside(folder: Path, name: str) -> Path | None:
    """The place of a member, its parents made; None for the root itself. Raises UsageError for one that leads out."""
    parts = [one for one in PurePosixPath(name).parts if one not in ("/", ".")]
    if ".." in parts:
        raise UsageError(f"{name[:200]!r} leads out of the archive.", hint="Take another image.")
    place = folder
    for part in parts[:-1]:
        place /= part
        if place.is_symlink():
            raise UsageError(f"{name[:200]!r} would be written through a link.", hint="Take another image.")
        place.mkdir(exist_ok=True)
    return place / parts[-1] if parts else None


def _added(root: Root, archive: IO[bytes]) -> Root:
    if not root.folder.is_dir():
        folders.sweep(KIND)
        draft = folders.make(KIND)
        try:
            (draft / SYSTEM).mkdir()
            unpack(archive, draft / SYSTEM)
            (draft / SYSTEM).chmod(0o755)
            if not (draft / SYSTEM / "usr").is_dir() and not (draft / SYSTEM / "bin").is_dir():
                raise UsageError("The archive is no root file system.", hint="It has a folder usr or bin.")
            (draft / folders.OWNER).unlink()
            root.folder.parent.parent.mkdir(mode=0o700, exist_ok=True)
            with suppress(OSError):  # another process has been faster
                draft.rename(root.folder.parent)
        finally:
            if draft.exists():
                folders.remove(draft)
        if not root.folder.is_dir():
            raise InfrastructureError(f"{root.folder} cannot be made.", hint="Make room on the disk.")
    return _named(root)


def _named(root: Root) -> Root:
    path = _record(root.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_text(json.dumps(asdict(root)), encoding="utf-8")
    draft.replace(path)
    return root


def _home() -> Path:
    return folders.home() / FOLDER


def _record(name: str) -> Path:
    return _home() / NAMES / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.json"


class _Stream:
    """Pieces that an engine sends, as a file to be read."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces: Iterator[bytes] = iter(pieces)
        self._left = b""

    def __enter__(self) -> IO[bytes]:
        return self  # type: ignore[return-value]

    def __exit__(self, *_: object) -> None:
        for _piece in self._pieces:  # to its end, so that the connection can be used again
            continue

    def read(self, size: int = -1) -> bytes:
        """Up to so many bytes; none at the end."""
        while size < 0 or len(self._left) < size:
            piece = next(self._pieces, b"")
            if not piece:
                break
            self._left += piece
        found, self._left = (self._left, b"") if size < 0 else (self._left[:size], self._left[size:])
        return found
