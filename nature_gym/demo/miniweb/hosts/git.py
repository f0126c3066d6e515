"""The git protocol over HTTP, as GitHub and GitLab speak it ("smart" HTTP, versions 0 to 2).

Each request is handed to ``git upload-pack --stateless-rpc`` on a bare repository; so clones,
shallow clones and fetches of single commits do what git itself does.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import logging
import re
import zlib
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path

from starlette.responses import PlainTextResponse, Response, StreamingResponse

from nature_gym.demo.miniweb.answers import READING, Asked
from nature_gym.demo.miniweb.repositories import GitStore, git_environment
from nature_gym.demo.model import Repository
from nature_gym.errors import InfrastructureError

SERVICE = "git-upload-pack"
NEVER_CACHED = {"cache-control": "no-cache, max-age=0, must-revalidate", "expires": "Fri, 01 Jan 1980 00:00:00 GMT"}
_CHUNK = 1 << 16
_PACKET = re.compile(rb"[0-9a-fA-F]{4}")
"""What every packet of the protocol begins with."""

logger = logging.getLogger(__name__)


class UploadPackError(InfrastructureError):
    """git upload-pack failed before it said a word to the client."""


def is_git_request(segments: list[str]) -> bool:
    """Whether a path below a host's root is one of the git protocol's."""
    return segments[2:] in (["info", "refs"], [SERVICE], ["git-receive-pack"])


def methods_of(segments: list[str]) -> frozenset[str]:
    """The methods that an address of the git protocol has."""
    return READING if segments[-1] == "refs" else frozenset({"POST"})


async def git_answer(asked: Asked, repository: Repository | None, store: GitStore) -> Response:
    """Answer a request of a git client for a repository, or for one that is not there."""
    if repository is None or repository.state == "gone":
        return PlainTextResponse("Repository not found.\n", 404, NEVER_CACHED)
    if repository.state == "private":
        challenge = {**NEVER_CACHED, "www-authenticate": f'Basic realm="{repository.host}"'}
        return PlainTextResponse("Authentication is required.\n", 401, challenge)
    service = asked.query.get("service", SERVICE)
    if service != SERVICE or asked.segments[-1] == "git-receive-pack":
        return PlainTextResponse("Only reading is allowed here.\n", 403, NEVER_CACHED)
    if asked.segments[-1] == "refs" and "service" not in asked.query:
        return PlainTextResponse("Please upgrade your git client.\n", 403, NEVER_CACHED)
    try:
        body: bytes | None = _plain(await asked.request.body(), asked.headers.get("content-encoding"))
    except (OSError, EOFError, zlib.error):
        body = None
    if body is None or (asked.method == "POST" and not _PACKET.match(body)):
        return PlainTextResponse("The request is not readable.\n", 400, NEVER_CACHED)
    protocol = asked.headers.get("git-protocol", "")
    try:
        folder = await folder_of(store, repository)
        if asked.segments[-1] == "refs":
            return await _advertise(folder, protocol)
        said = await _begun(_upload_pack(folder, protocol, body))
    except (InfrastructureError, OSError) as error:
        logger.error("%s cannot be served by git: %s", repository.url, error)  # noqa: TRY400 -- the message says it
        return PlainTextResponse("git failed.\n", 500, NEVER_CACHED)
    return StreamingResponse(said, 200, NEVER_CACHED, f"application/x-{SERVICE}-result")


async def folder_of(store: GitStore, repository: Repository) -> Path:
    """The bare repository; made in a thread where it is not there yet."""
    known = store.known(repository)
    return await asyncio.to_thread(store.path, repository) if known is None else known


def _plain(body: bytes, encoding: str | None) -> bytes:
    return gzip.decompress(body) if encoding in {"gzip", "x-gzip"} else body


async def _advertise(folder: Path, protocol: str) -> Response:
    """The list of references (or of capabilities, in version 2) that opens a conversation."""
    pieces = [piece async for piece in _upload_pack(folder, protocol, b"", "--advertise-refs")]
    line = f"# service={SERVICE}\n"
    opening = b"" if "version=2" in protocol else f"{len(line) + 4:04x}{line}0000".encode()
    return Response(opening + b"".join(pieces), 200, NEVER_CACHED, f"application/x-{SERVICE}-advertisement")


async def _begun(said: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """The same pieces, once there is a first one: what fails before that is raised here, and not half-way."""
    first = await anext(said, b"")

    async def pieces() -> AsyncIterator[bytes]:
        async with contextlib.aclosing(said):
            yield first
            async for piece in said:
                yield piece

    return pieces()


async def _upload_pack(folder: Path, protocol: str, body: bytes, *options: str) -> AsyncGenerator[bytes, None]:
    """What upload-pack says to ``body``, as it comes. Ends the process when nobody listens any more.

    Raises :class:`UploadPackError` where it fails without a word to the client. What it has to say of a client's
    mistake is part of the conversation.
    """
    # The folder may be another account's, as in a home that several share; that is all right for this one call.
    process = await asyncio.create_subprocess_exec(
        "git",
        "-c",
        "safe.directory=*",
        "upload-pack",
        "--strict",
        "--stateless-rpc",
        *options,
        str(folder),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**git_environment(), "GIT_PROTOCOL": protocol},
    )
    if process.stdin is None or process.stdout is None or process.stderr is None:
        return
    feeding = asyncio.create_task(_feed(process.stdin, body))
    complaining = asyncio.create_task(process.stderr.read())
    silent, told = True, False
    try:
        while piece := await process.stdout.read(_CHUNK):
            silent = False
            yield piece
        told = True
        if silent and await process.wait():
            complaint = (await complaining).decode(errors="replace").strip()
            raise UploadPackError(f"git upload-pack failed on {folder.name}: {complaint}")
    finally:
        feeding.cancel()
        complaining.cancel()
        # One that has told all ends by itself. Killing it would look after it first, and take its exit from asyncio,
        # which complains of a child that it does not know.
        if process.returncode is None and not told:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.wait()


async def _feed(stream: asyncio.StreamWriter, body: bytes) -> None:
    try:
        stream.write(body)
        await stream.drain()
        stream.close()
    except (BrokenPipeError, ConnectionResetError):
        return
