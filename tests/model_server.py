"""A local service that speaks the protocols of language models over real HTTP, and answers as a test tells it.

It knows OpenAI's chat completions and Anthropic's messages. What it answers is a function of what it was asked; what it
answers badly (codes, cut bodies, wrong types, silence) is told by :class:`Bad`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Asked:
    """One request, whichever protocol it came by."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def text(self) -> str:
        """All that the model is shown, instructions first."""
        parts = [self.body.get("system", "")] + [message["content"] for message in self.body["messages"]]
        return "\n".join(_text(part) for part in parts)

    @property
    def tool(self) -> dict[str, Any]:
        """The schema of the answer."""
        tool = self.body["tools"][0]
        schema: dict[str, Any] = tool["input_schema"] if "input_schema" in tool else tool["function"]["parameters"]
        return schema


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_text(part.get("text", part.get("content", ""))) for part in content)
    return ""


@dataclass(frozen=True)
class Bad:
    """An answer that is none. ``hang`` says nothing until the test ends; ``cut`` promises more than it sends."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    cut: bool = False


@dataclass(frozen=True)
class Said:
    """A whole message that is no answer by the tool: plain text, a refusal, or one cut off by the limit."""

    text: str = ""
    stop: str = ""
    """``refusal`` or ``length``."""
    arguments: str | None = None
    """The arguments of the tool as they are, perhaps no JSON."""


Reply = dict[str, Any] | Bad | Said


class ModelServer:
    """Answers with what ``answer`` makes of each request; keeps what was asked."""

    def __init__(self, answer: Callable[[Asked], Reply]) -> None:
        self.answer = answer
        self.asked: list[Asked] = []
        self.tokens = (1000, 100)
        self.at_once = 0
        self.most_at_once = 0
        self.gate: threading.Barrier | None = None
        self.ended = threading.Event()
        self.lock = threading.Lock()
        self.address = ""

    def url(self, provider: str) -> str:
        """The base address for a client of ``provider``."""
        return self.address + ("/v1" if provider == "openai" else "")


@contextmanager
def model_server(answer: Callable[[Asked], Reply]) -> Iterator[ModelServer]:
    """A server on loopback, for as long as the block."""
    state = ModelServer(answer)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Tests want no log."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(self.path, body, {name.lower(): value for name, value in self.headers.items()})
            with state.lock:
                state.asked.append(asked)
                state.at_once += 1
                state.most_at_once = max(state.most_at_once, state.at_once)
            try:
                reply = state.answer(asked)
            finally:
                with state.lock:
                    state.at_once -= 1
            if isinstance(reply, Bad):
                self._send_bad(reply)
                return
            speak = _anthropic if self.path.endswith("/messages") else _openai
            self._send(200, json.dumps(speak(asked, reply, state.tokens)).encode(), {})

        def _send_bad(self, bad: Bad) -> None:
            if bad.hang:
                state.ended.wait(60)
                self.close_connection = True
                return
            self._send(bad.status, bad.body, bad.headers, more=100 if bad.cut else 0)
            if bad.cut:
                self.close_connection = True

        def _send(self, status: int, body: bytes, headers: dict[str, str], more: int = 0) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body) + more))
            self.end_headers()
            self.wfile.write(body)

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client that went away is what some tests are about."""

    server = Server(("127.0.0.1", 0), Handler)
    state.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield state
    finally:
        state.ended.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _openai(asked: Asked, reply: dict[str, Any] | Said, tokens: tuple[int, int]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None}
    finish = "stop"
    if isinstance(reply, Said) and reply.arguments is None:
        message |= {"refusal": reply.text} if reply.stop == "refusal" else {"content": reply.text}
        finish = {"length": "length", "refusal": "stop"}.get(reply.stop, "stop")
    else:
        arguments = reply.arguments if isinstance(reply, Said) else json.dumps(reply)
        name = asked.body["tools"][0]["function"]["name"]
        message["tool_calls"] = [
            {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
        ]
        finish = "length" if isinstance(reply, Said) and reply.stop == "length" else "tool_calls"
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": asked.body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)},
    }


def _anthropic(asked: Asked, reply: dict[str, Any] | Said, tokens: tuple[int, int]) -> dict[str, Any]:
    content: list[dict[str, Any]]
    if isinstance(reply, Said):
        stop = {"length": "max_tokens", "refusal": "refusal"}.get(reply.stop, "end_turn")
        content = [{"type": "text", "text": reply.text}] if reply.text else []
        if reply.arguments is not None:
            name = asked.body["tools"][0]["name"]
            content.append({"type": "tool_use", "id": "toolu_1", "name": name, "input": {"cut": reply.arguments}})
    else:
        stop = "tool_use"
        name = asked.body["tools"][0]["name"]
        content = [{"type": "tool_use", "id": "toolu_1", "name": name, "input": reply}]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked.body["model"],
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]},
    }
