"""Images: the slim base from what is at hand, a package's own from its Dockerfile, and whether their packages import.

The one idea: an image is believed when it was tried. After a build each package that ``packages.json`` names is
imported in a container without network, and its version is compared with the one that was promised.

The slim base stands on ``python:3.11-slim`` where that image is here or can be had, and otherwise on a root file system
that mmdebstrap makes of Debian's packages.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nature_gym.environment.manifests import Manifest, manifests
from nature_gym.environment.uv import PLATFORM
from nature_gym.errors import FindingsError, InfrastructureError, UsageError

if TYPE_CHECKING:
    import docker

SLIM = "naturegym-slim:v1"
ROOTS = ("python:3.11-slim", "naturegym-root:bookworm")
"""What the slim base may stand on: an image of a registry, and ours, which is made here."""
TIMEOUT = 600
LARGEST = 4 << 20
_MEMORY = "4g"
_TRY = """
import importlib, importlib.metadata, json, sys
told = []
for module, pip in json.loads(sys.argv[1]):
    error = version = None
    try:
        importlib.import_module(module)
    except BaseException as caught:
        error = f"{type(caught).__name__}: {caught}"[:500]
    try:
        version = importlib.metadata.version(pip)
    except Exception:
        pass
    told.append([module, error, version])
print("\\n" + json.dumps(told))
"""


@dataclass(frozen=True, slots=True)
class Promised:
    """A package that an image should have."""

    pip: str
    module: str
    version: str | None


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of one: the error of its import, and the version that was found."""

    pip: str
    module: str
    promised: str | None
    found: str | None
    error: str | None

    @property
    def good(self) -> bool:
        """A local part of a version (``+cu118``) is no difference."""
        found = (self.found or "").partition("+")[0]
        return self.error is None and (self.promised is None or found == self.promised.partition("+")[0])


@dataclass(frozen=True, slots=True)
class Image:
    """An image that was built and tried."""

    tag: str
    id: str
    size: int
    tried: tuple[Tried, ...]

    @property
    def good(self) -> bool:
        return all(one.good for one in self.tried)

    def as_json(self) -> dict[str, Any]:
        """As commands print it."""
        tried = [asdict(one) | {"good": one.good} for one in self.tried]
        return {"image": self.tag, "id": self.id, "size": self.size, "good": self.good, "tried": tried}


@contextmanager
def engine() -> Iterator[docker.DockerClient]:
    """A client of the Docker engine. Raises InfrastructureError where none answers."""
    import docker
    from docker.errors import DockerException

    try:
        client = docker.from_env(timeout=TIMEOUT)
        client.ping()
    except (DockerException, OSError) as error:
        raise InfrastructureError(
            "No Docker engine answers.", hint="Start one (Debian: apt-get install docker.io); DOCKER_HOST names it."
        ) from error
    try:
        yield client
    finally:
        client.close()


def build_base(client: docker.DockerClient, image: str = SLIM, *, root: str | None = None) -> Image:
    """Build the slim base and try its packages. Raises UsageError for another base, which is not ours to build."""
    if image != SLIM:
        raise UsageError(f"{image} is not built here.", hint="Load it into the Docker engine by its own recipe.")
    stands_on = root or _root(client)
    with tempfile.TemporaryDirectory(prefix="naturegym-image-") as name, _slim_files() as slim:
        context = Path(name)
        shutil.copy(slim / "Dockerfile", context / "Dockerfile")
        _lay_packages(slim / "requirements.txt", context / "packages")
        _build(client, context, SLIM, {"ROOT": stands_on})
    return _tried(client, SLIM, promised_by(manifests()[SLIM]))


def build_package(client: docker.DockerClient, package: Path) -> Image:
    """Build the image of a package, and of our base where that is missing, and try what its ``packages.json`` names.

    Raises UsageError where the package names no base or one that is not here, FindingsError where the build fails.
    """
    from docker.errors import ImageNotFound

    dockerfile = package / "environment" / "Dockerfile.v3"
    if not dockerfile.is_file() or dockerfile.stat().st_size > LARGEST:
        raise UsageError(f"There is no {dockerfile}.", hint="Name a package's folder.")
    text = dockerfile.read_text(encoding="utf-8", errors="replace")
    first = re.search(r"^FROM\s+(\S+)", text, re.MULTILINE)
    if first is None:
        raise UsageError(f"{dockerfile} names no base image.", hint="It begins with FROM.")
    try:
        client.images.get(first[1])
    except ImageNotFound as error:
        if first[1] != SLIM:
            raise UsageError(f"The image {first[1]} is not here.", hint="Load it into the Docker engine.") from error
        build_base(client)
    tag = f"naturegym-task-{re.sub(r'[^a-z0-9]+', '-', package.resolve().name.lower()).strip('-')}:v1"
    with tempfile.TemporaryDirectory(prefix="naturegym-image-") as name:
        shutil.copy(dockerfile, Path(name, "Dockerfile"))
        _build(client, Path(name), tag, {})
    return _tried(client, tag, promised_in(package / "environment" / "packages.json"))


def promised_by(base: Manifest) -> list[Promised]:
    """What a base promises, by its manifest: all of it by version, and what can be imported by name."""
    from nature_gym.environment.names import module_of

    return [Promised(name, module_of(name), version) for name, version in base.packages.items()]


def promised_in(path: Path) -> list[Promised]:
    """What a ``packages.json`` promises, in our form or the published one. Raises UsageError where it is neither."""
    try:
        with path.open("rb") as file:
            value = json.loads(file.read(LARGEST))
        brought = value["from_base"] if isinstance(value["from_base"], list) else value.get("base_packages", [])
        entries = [*brought, *value["task_packages"]]
        return [Promised(one["pip"] or one["import"], one["import"], one["version"]) for one in entries]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{path} is no packages.json: {error}", hint="Build the package again.") from error


# -- building ----------------------------------------------------------------------------------


@contextmanager
def _slim_files() -> Iterator[Path]:
    with as_file(files("nature_gym.environment").joinpath("slim")) as folder:
        yield folder


def _root(client: docker.DockerClient) -> str:
    """An image with Python 3.11 to stand on: one that is here, one of a registry, or one that is made of Debian."""
    from docker.errors import APIError, ImageNotFound

    for name in ROOTS:
        try:
            client.images.get(name)
            return name
        except ImageNotFound:
            continue
    try:
        client.images.pull(ROOTS[0])
        return ROOTS[0]
    except APIError:
        return _debian(client)


def _debian(client: docker.DockerClient) -> str:
    """Make a root file system of Debian 12 with mmdebstrap, and take it in."""
    if shutil.which("mmdebstrap") is None:
        raise InfrastructureError(
            f"{ROOTS[0]} cannot be had, and there is no mmdebstrap.", hint="apt-get install mmdebstrap"
        )
    with tempfile.TemporaryDirectory(prefix="naturegym-root-") as name:
        archive = Path(name, "root.tar")
        include = "--include=python3,python3-venv,ca-certificates"
        _finished(["mmdebstrap", "--quiet", "--variant=minbase", include, "bookworm", str(archive)])
        repository, _, tag = ROOTS[1].partition(":")
        client.api.import_image_from_file(str(archive), repository=repository, tag=tag)
    return ROOTS[1]


def _lay_packages(requirements: Path, folder: Path) -> None:
    """Install pinned wheels for the image's Python into ``folder``; their code does not run."""
    from uv import find_uv_bin

    _finished([
        find_uv_bin(), "pip", "install", "--quiet", "--target", str(folder), "--python-version", "3.11",
        "--python-platform", PLATFORM, "--no-build", "--no-deps", "--require-hashes", "--link-mode", "copy",
        "--requirements", str(requirements),
    ])  # fmt: skip


def _finished(command: list[str]) -> None:
    """Run a program to its end. Raises InfrastructureError where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired as error:
        raise InfrastructureError(f"{Path(command[0]).name} took over {TIMEOUT} s.", hint="Try again.") from error
    if done.returncode:
        words = " ".join(done.stderr.split())[-600:]
        raise InfrastructureError(f"{Path(command[0]).name} failed: {words}", hint="See that the network answers.")


def _build(client: docker.DockerClient, context: Path, tag: str, arguments: dict[str, str]) -> None:
    from docker.errors import APIError, BuildError

    try:
        client.images.build(path=str(context), tag=tag, buildargs=arguments, rm=True, forcerm=True, timeout=TIMEOUT)
    except BuildError as error:
        said = "".join(str(line.get("stream") or "") for line in error.build_log)
        raise FindingsError(
            f"{tag} cannot be built: {error.msg}\n{said[-1_500:]}", hint="Correct the packages of its environment."
        ) from error
    except APIError as error:
        raise InfrastructureError(
            f"The Docker engine does not build {tag}: {error}", hint="Look at its log."
        ) from error


# -- trying ------------------------------------------------------------------------------------


def _tried(client: docker.DockerClient, tag: str, promised: list[Promised]) -> Image:
    image = client.images.get(tag)
    results = _try_imports(client, tag, promised) if promised else {}
    tried = tuple(Tried(one.pip, one.module, one.version, *results[one.module]) for one in promised)
    return Image(tag, str(image.id), int(image.attrs["Size"]), tried)


def _try_imports(
    client: docker.DockerClient, tag: str, promised: list[Promised]
) -> dict[str, tuple[str | None, str | None]]:
    """Module -> (version found, error), of one container without network."""
    asked = json.dumps([[one.module, one.pip] for one in promised])
    container = client.containers.create(
        tag, ["python", "-c", _TRY, asked], network_disabled=True, mem_limit=_MEMORY, pids_limit=512
    )
    try:
        container.start()
        container.wait(timeout=TIMEOUT)
        lines = container.logs(stdout=True, stderr=False).decode(errors="replace").strip().splitlines()
        return {module: (version, error) for module, error, version in json.loads(lines[-1])}
    except (IndexError, ValueError) as error:
        said = container.logs().decode(errors="replace")[-600:]
        raise FindingsError(f"Python does not run in {tag}: {said}", hint="Look at its Dockerfile.") from error
    finally:
        container.remove(force=True)
