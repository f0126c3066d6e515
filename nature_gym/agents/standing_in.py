"""Stands in for the three providers' models: asks once for a command to be run, and then says that it is done.

The idea: an adapter is tried to its end (options, key, address, its stream, its tool for commands) with a model that
costs nothing and always says the same. It speaks just as much of each protocol as the programs need.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

Json = dict[str, Any]
DONE = "The answer is handed in."
USED = (120, 30)
"""Input and output tokens of every answer."""
_SHELLS = ("exec_command", "shell", "local_shell", "shell_command", "Bash", "run_shell_command")
_WEB = ("websearch", "webfetch", "web_search", "google_web_search", "web_fetch", "browser")


@dataclass(slots=True)
class StandIn:
    """The model. ``command`` is what it wants to be run; what it was asked is kept."""

    command: str
    asked: int = 0
    keys: set[str] = field(default_factory=set)
    web_tools: set[str] = field(default_factory=set)
    """Tools for the web that a program offered."""

    def app(self) -> Starlette:
        """The three protocols, each at its own path."""
        return Starlette(
            routes=[
                Route("/v1/messages", self._messages, methods=["POST"]),
                Route("/v1/responses", self._responses, methods=["POST"]),
                Route("/v1beta/models/{model:path}", self._generate, methods=["POST"]),
                Route("/{path:path}", _nothing, methods=["GET", "HEAD", "POST"]),
            ]
        )

    async def _asked(self, request: Request, key: str) -> Json:
        self.asked += 1
        self.keys.add(request.headers.get(key, "").removeprefix("Bearer "))
        body = json.loads(await request.body())
        for name in _tool_names(body):
            if name.lower().replace("-", "_") in _WEB:
                self.web_tools.add(name)
        return body if isinstance(body, dict) else {}

    async def _messages(self, request: Request) -> Response:
        body = await self._asked(request, "x-api-key")
        ran = any(
            isinstance(block, dict) and block.get("type") == "tool_result"
            for message in body.get("messages", [])
            for block in (message.get("content") if isinstance(message.get("content"), list) else [])
        )
        tool = _shell(body)
        block: Json = {"type": "text", "text": DONE}
        delta: Json = {"type": "text_delta", "text": DONE}
        if tool and not ran:
            block = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps({"command": self.command})}
        stop = "tool_use" if block["type"] == "tool_use" else "end_turn"
        message = {
            "id": f"msg_{self.asked}", "type": "message", "role": "assistant", "model": body.get("model"),
            "stop_sequence": None, "usage": {"input_tokens": USED[0], "output_tokens": USED[1]},
        }  # fmt: skip
        if not body.get("stream"):
            whole = {**block, "input": {"command": self.command}} if stop == "tool_use" else block
            return JSONResponse({**message, "content": [whole], "stop_reason": stop})
        start = {**block, "text": ""} if block["type"] == "text" else block
        return _events(
            [
                {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
                {"type": "content_block_start", "index": 0, "content_block": start},
                {"type": "content_block_delta", "index": 0, "delta": delta},
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None},
                 "usage": {"output_tokens": USED[1]}},
                {"type": "message_stop"},
            ]
        )  # fmt: skip

    async def _responses(self, request: Request) -> Response:
        body = await self._asked(request, "authorization")
        given = body.get("input")
        ran = any(isinstance(one, dict) and "output" in str(one.get("type")) for one in (given or []))
        tool = _shell(body)
        item: Json = {
            "type": "message", "role": "assistant", "id": f"m{self.asked}",
            "content": [{"type": "output_text", "text": DONE}],
        }  # fmt: skip
        if tool and not ran:
            call = {"cmd": self.command} if tool == "exec_command" else {"command": self.command}
            if tool in ("shell", "local_shell"):
                call = {"command": ["sh", "-c", self.command]}  # type: ignore[dict-item]
            item = {"type": "function_call", "id": "f1", "call_id": "c1", "name": tool, "arguments": json.dumps(call)}
        usage = {
            "input_tokens": USED[0], "input_tokens_details": None, "output_tokens": USED[1],
            "output_tokens_details": None, "total_tokens": sum(USED),
        }  # fmt: skip
        response = {"id": f"r{self.asked}"}
        return _events(
            [
                {"type": "response.created", "response": response},
                {"type": "response.output_item.done", "item": item},
                {"type": "response.completed", "response": {**response, "usage": usage}},
            ]
        )

    async def _generate(self, request: Request) -> Response:
        body = await self._asked(request, "x-goog-api-key")
        ran = any("functionResponse" in part for one in body.get("contents", []) for part in one.get("parts", []))
        part: Json = {"text": DONE}
        if _shell(body) and not ran:
            part = {"functionCall": {"name": _shell(body), "args": {"command": self.command}}}
        found = {
            "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {
                "promptTokenCount": USED[0], "candidatesTokenCount": USED[1], "totalTokenCount": sum(USED),
            },
        }  # fmt: skip
        if "stream" not in request.url.path:
            return JSONResponse(found)
        return Response(f"data: {json.dumps(found)}\n\n", media_type="text/event-stream")


async def _nothing(_: Request) -> Response:
    return JSONResponse({})


def _events(events: Iterable[Json]) -> Response:
    text = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
    return Response(text, media_type="text/event-stream")


def _tool_names(body: Any) -> list[str]:
    names = []
    for tool in body.get("tools") or [] if isinstance(body, dict) else []:
        names += [str(one.get("name")) for one in tool.get("functionDeclarations", [])]
        names.append(str(tool.get("name") or tool.get("type") or next(iter(tool), "")))
    return names


def _shell(body: Json) -> str:
    """The tool that runs commands, or ''."""
    offered = set(_tool_names(body))
    return next((one for one in _SHELLS if one in offered), "")
