"""huggingface.co: the API of datasets and models, files, large files behind a CDN, gated ones.

A deposit is a dataset, unless its number begins with ``models/``.
"""

from __future__ import annotations

import hashlib
import html
import re
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from nature_gym.demo.miniweb.answers import Asked, html_answer, json_answer, redirect
from nature_gym.demo.miniweb.hosts.deposits import DepositStore
from nature_gym.demo.model import Deposit, DepositFile

HOST = "huggingface.co"
CDN = "cdn-lfs.huggingface.co"
LARGE = 10 << 20
_BINARY = re.compile(
    r"\.(7z|arrow|bin|bz2|ckpt|gz|h5|joblib|msgpack|npy|npz|onnx|parquet|pb|pickle|pkl|pt|pth|rar|safetensors|tar|tgz|wasm"
    r"|xz|zip|zst|png|jpg|jpeg|tif|tiff|mp4|wav|flac)$",
    re.IGNORECASE,
)


def kind_and_id(deposit: Deposit) -> tuple[str, str]:
    """``("datasets", "owner/name")`` or ``("models", ...)``."""
    kind, slash, rest = deposit.number.partition("/")
    return (kind, rest) if slash and kind in {"models", "datasets"} else ("datasets", deposit.number)


class HuggingFace:
    """The hub and its CDN."""

    hosts = (HOST, "www.huggingface.co", "hf.co", CDN)

    def __init__(self, store: DepositStore) -> None:
        self._store = store
        self._known = {kind_and_id(deposit): deposit for deposit in store.of_host(HOST)}
        self._sent: dict[str, tuple[Deposit, DepositFile]] = {}

    async def answer(self, asked: Asked) -> Response:
        """Answer the API, for files and for pages."""
        if asked.host == CDN:
            found = self._sent.get(asked.segments[-1]) if asked.segments else None
            return await self._store.download(asked, *found) if found else Response(b"", 403)
        segments = asked.segments
        if segments[:1] == ["api"]:
            return await self._api(asked, segments[1:])
        kind = "datasets" if segments[:1] == ["datasets"] else "models"
        deposit, rest = self._find(kind, segments[1:] if kind == "datasets" else segments)
        if deposit is None or deposit.state == "gone":
            return html_answer("404", "<p>Sorry, we can't find the page you are looking for.</p>", 404)
        if rest[:1] in (["resolve"], ["raw"]) and len(rest) > 2:
            return await self._file(asked, deposit, "/".join(rest[2:]), raw=rest[0] == "raw")
        return html_answer(html.escape(deposit.title), f"<p>{html.escape(deposit.number)}</p>")

    def _find(self, kind: str, segments: list[str]) -> tuple[Deposit | None, list[str]]:
        """A deposit by the first one or two segments, and the segments behind them."""
        for length in (2, 1):
            if len(segments) >= length and (deposit := self._known.get((kind, "/".join(segments[:length])))):
                return deposit, segments[length:]
        return None, []

    async def _api(self, asked: Asked, segments: list[str]) -> Response:
        kind = segments[0] if segments else ""
        deposit, rest = self._find(kind, segments[1:])
        if deposit is None or deposit.state == "gone":
            return json_answer({"error": "Repository not found"}, 404, _error("RepoNotFound", "Repository not found"))
        blobs = asked.query.get("blobs", "").lower() in {"true", "1"}
        await self._store.known(deposit, "sha1", "sha256")
        if rest[:1] == ["tree"]:
            return json_answer([self._tree_entry(deposit, file) for file in deposit.files])
        if rest and rest[0] != "revision":
            return json_answer({"error": "Not Found"}, 404)
        return json_answer(self._about(deposit, kind, blobs=blobs))

    def _about(self, deposit: Deposit, kind: str, *, blobs: bool) -> dict[str, Any]:
        name = kind_and_id(deposit)[1]
        return {
            "_id": revision(deposit)[:24],
            "id": name,
            "modelId" if kind == "models" else "author": name if kind == "models" else name.split("/")[0],
            "sha": revision(deposit),
            "lastModified": f"{deposit.published.isoformat()}T10:00:00.000Z",
            "private": False,
            "gated": "manual" if deposit.state == "restricted" else False,
            "disabled": False,
            "downloads": 120,
            "tags": [f"license:{deposit.licence}"],
            "cardData": {"license": deposit.licence, "pretty_name": deposit.title},
            "siblings": [self._sibling(deposit, file, blobs=blobs) for file in deposit.files],
        }

    def _sibling(self, deposit: Deposit, file: DepositFile, *, blobs: bool) -> dict[str, Any]:
        told: dict[str, Any] = {"rfilename": file.name}
        if blobs:
            told["blobId"] = self._store.digest(deposit, file, "sha1")
            told["size"] = self._store.size(deposit, file)
            if self._is_large(deposit, file):
                told["lfs"] = {
                    "sha256": self._store.digest(deposit, file, "sha256"),
                    "size": told["size"],
                    "pointerSize": 134,
                }
        return told

    def _tree_entry(self, deposit: Deposit, file: DepositFile) -> dict[str, Any]:
        told = self._sibling(deposit, file, blobs=True)
        entry: dict[str, Any] = {"type": "file", "oid": told["blobId"], "size": told["size"], "path": file.name}
        if "lfs" in told:
            entry["lfs"] = {"oid": told["lfs"]["sha256"], "size": told["size"], "pointerSize": 134}
        return entry

    def _is_large(self, deposit: Deposit, file: DepositFile) -> bool:
        return bool(_BINARY.search(file.name)) or self._store.size(deposit, file) > LARGE

    async def _file(self, asked: Asked, deposit: Deposit, name: str, *, raw: bool) -> Response:
        if deposit.state == "restricted":
            message = (
                f"Access to dataset {kind_and_id(deposit)[1]} is restricted. "
                "You must have access to it and be authenticated to access it. Please log in."
            )
            return json_answer({"error": message}, 401, _error("GatedRepo", message))
        file = next((file for file in deposit.files if file.name == name), None)
        if file is None:
            return Response(b"Entry not found", 404, _error("EntryNotFound", "Entry not found"), "text/plain")
        await self._store.known(deposit, "sha1", "sha256")
        size = self._store.size(deposit, file)
        if not self._is_large(deposit, file):
            answer = await self._store.download(asked, deposit, file, "text/plain; charset=utf-8")
            answer.headers["x-repo-commit"] = revision(deposit)
            return answer
        sha256 = self._store.digest(deposit, file, "sha256")
        if raw:
            pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {size}\n"
            return Response(pointer.encode(), media_type="text/plain; charset=utf-8")
        self._sent[sha256] = (deposit, file)
        told = {"x-linked-size": str(size), "x-linked-etag": f'"{sha256}"', "x-repo-commit": revision(deposit)}
        return redirect(f"https://{CDN}/repos/{quote(kind_and_id(deposit)[1])}/{sha256}", 302, told)


def revision(deposit: Deposit) -> str:
    """The commit of a deposit: its number and version, hashed."""
    told = f"{deposit.number} {deposit.version} {[file.name for file in deposit.files]}".encode()
    return hashlib.sha1(told, usedforsecurity=False).hexdigest()


def _error(code: str, message: str) -> dict[str, str]:
    return {"x-error-code": code, "x-error-message": message}
