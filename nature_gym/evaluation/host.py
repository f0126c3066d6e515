"""Runs inside the evaluator's sandbox: loads a package's evaluator once, forks for each answer. Needs Python 3.9 alone.

    python host.py serve EVALUATOR SOCKET SCRATCH [--process]     answers requests on a Unix socket, one at a time
    python host.py once EVALUATOR WAIT TELL                       scores one answer when told so on one descriptor, and
                                                                  tells what came on the other

The idea: what an evaluator loads is learned, not guessed. A fork starts with the evaluator imported; when it ends it
tells which modules it imported and which files beside the evaluator it loaded, and how; the parent then imports and
loads the same, so that the next fork finds them in its memory. The parent itself never runs ``run_evaluation``
and never sees an answer. A loaded value is handed out once in a fork, so what a fork changes in it nobody else sees.

The next fork is made when an answer is scored, before anyone asks for it, and what the last one leaves is cleared away
after its result was told: so an answer waits for its scoring alone.

A fork cannot have state from the one before: it gets a scratch folder of its own, and what it leaves running is killed.
Where forking is unsafe (threads alive, a GPU opened) each answer gets a new interpreter, and ``hello`` says why.
"""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import functools
import gc
import importlib
import importlib.util
import io
import json
import math
import numbers
import os
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any, NoReturn

MOST_RESULT = 8 << 20
MOST_OUTPUT = 16 << 10
MOST_KEPT = 256
MOST_KEPT_BYTES = 4 << 30
FILE_BYTES = 256 << 20
"""Most that an evaluator may write to one file."""
WARM_UP_SECONDS = 600.0
LOADERS = {
    "numpy": ("load", "loadtxt", "genfromtxt", "fromfile"),
    "pandas": ("read_csv", "read_table", "read_parquet", "read_json", "read_pickle", "read_feather", "read_excel"),
    "json": ("load",),
    "pickle": ("load",),
    "joblib": ("load",),
    "scipy.sparse": ("load_npz",),
}
"""Functions whose first argument is a file (or one that was just opened) and whose value depends on that alone."""
PLAIN_VALUES = ("builtins.", "numpy.", "pandas.", "scipy.sparse.")
"""Values that hold no open file and no handle: what may be kept."""

Json = dict[str, Any]


class Loads:
    """What was loaded from beside the evaluator, by how it was asked for."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root) + os.sep
        self.kept: dict[str, tuple[tuple[int, int], Any]] = {}
        self.bytes = 0
        self.in_fork = False
        self.handed: set[str] = set()
        self.learned: list[str] = []
        self._originals: dict[tuple[str, str], Callable[..., Any]] = {}

    def wrap(self, evaluator: ModuleType | None) -> None:
        """Put memory before each loader of the modules imported so far, also where the evaluator took it by name."""
        for module, names in LOADERS.items():
            for name in names:
                loaded = sys.modules.get(module)
                original = getattr(loaded, name, None)
                if original is None or (module, name) in self._originals:
                    continue
                self._originals[module, name] = original
                wrapped = self._wrapped(module, name, original)
                setattr(loaded, name, wrapped)
                for known, value in list(vars(evaluator).items()) if evaluator else ():
                    if value is original:
                        setattr(evaluator, known, wrapped)

    def _wrapped(self, module: str, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def load(*arguments: Any, **options: Any) -> Any:
            key = self._key(module, name, arguments, options) if self.in_fork else None
            if key is None or key in self.handed:
                return original(*arguments, **options)
            self.handed.add(key)
            if key in self.kept and self.kept[key][0] == self._mark(key):
                return self.kept[key][1]  # and stays here: freeing it would copy the pages that it lies in
            self.learned.append(key)
            return original(*arguments, **options)

        return load

    def _key(self, module: str, name: str, arguments: tuple[Any, ...], options: Json) -> str | None:
        """How something was asked for, as text; None for what is not kept."""
        if not arguments or options.get("mmap_mode"):
            return None
        first, rest = arguments[0], list(arguments[1:])
        opened = ""
        try:
            if isinstance(first, io.IOBase):
                if first.tell() != 0:
                    return None
                opened, first = "t" if isinstance(first, io.TextIOBase) else "b", getattr(first, "name", None)
            path = os.path.realpath(os.fspath(first))
            if not path.startswith(self.root) or not os.path.isfile(path):
                return None
            return json.dumps([module, name, path[len(self.root) :], opened, written(rest), written(options)])
        except (TypeError, ValueError, OSError):
            return None

    def _mark(self, key: str) -> tuple[int, int]:
        status = os.stat(self.root + json.loads(key)[2])
        return status.st_size, status.st_mtime_ns

    def load(self, key: str) -> None:
        """Load, in the parent, what a fork loaded. What cannot be kept is loaded anew by each fork."""
        try:
            module, name, file, opened, rest, options = json.loads(key)
            path = os.path.realpath(self.root + file)
            mark = self._mark(key)
            small = len(self.kept) < MOST_KEPT and self.bytes + mark[0] <= MOST_KEPT_BYTES
            if not path.startswith(self.root) or key in self.kept or not small:
                return
            original = self._originals[module, name]
            arguments, named = [read(one) for one in rest[1]], {one: read(value) for one, value in options[1].items()}
            if opened or path.endswith(".npz"):
                with open(path, "rb") as file_itself:
                    content = io.BytesIO(file_itself.read())
                source: Any = io.TextIOWrapper(content) if opened == "t" else content
            else:
                source = path
            value = original(source, *arguments, **named)
        except Exception:  # noqa: BLE001 -- the fork will meet it again, and then it is told
            return
        kind = f"{type(value).__module__}.{type(value).__qualname__}"
        if kind.startswith(PLAIN_VALUES) and "memmap" not in kind and not hasattr(value, "__next__"):
            self.kept[key] = (mark, value)
            self.bytes += mark[0]


def written(value: Any) -> Any:
    """A plain argument as JSON that tells its type. Raises TypeError for any other."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [written(one) for one in value]]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return ["dict", {key: written(one) for key, one in value.items()}]
    if value in (bool, int, float, str):
        return ["type", value.__name__]
    raise TypeError


def read(value: Any) -> Any:
    """What :func:`written` wrote."""
    if not isinstance(value, list):
        return value
    kind, content = value
    if kind == "dict":
        return {key: read(one) for key, one in content.items()}
    if kind == "type":
        return getattr(builtins, content)
    inner = [read(one) for one in content]
    return tuple(inner) if kind == "tuple" else inner


def import_evaluator(path: str) -> ModuleType:
    """The evaluator as a module; what lies beside it can be imported, too."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(os.path.realpath(path)))
    sys.argv = [path]
    spec = importlib.util.spec_from_file_location("evaluator", path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["evaluator"] = module
    spec.loader.exec_module(module)
    if not callable(getattr(module, "run_evaluation", None)):
        raise ImportError("the evaluator has no function run_evaluation")  # noqa: TRY004 -- told as an import's
    return module


def plain(value: Any, where: str = "the result") -> Any:
    """A result as JSON has it. Raises ValueError for whatever is neither mapping, text, finite number nor null."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, dict):
        return {str(key): plain(one, f"{where}[{str(key)[:60]!r}]") for key, one in value.items()}
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        number = float(value)
        if not math.isfinite(number):
            raise ValueError(f"{where} is {number}, which is not finite")
        return number
    raise ValueError(f"{where} is a {type(value).__name__}")


def score(evaluator: Callable[[], ModuleType]) -> Json:
    """Run the evaluator on what lies in OUTPUT_DIR: its result, or how it failed."""
    try:
        result = evaluator().run_evaluation()
        sys.stdout.flush()
        sys.stderr.flush()
    except MemoryError:
        return {"fault": "memory", "detail": "MemoryError"}
    except SystemExit as ended:
        return {"fault": "no_result", "detail": f"it called exit({ended.code!r})"}
    except BaseException:  # noqa: BLE001 -- whatever it is, it is the evaluator's
        return {"fault": "crash", "detail": traceback.format_exc()[-MOST_OUTPUT:]}
    try:
        return {"result": plain(result)}
    except (ValueError, RecursionError) as error:
        return {"fault": "result", "detail": str(error)}


def limit(seconds: float, memory: int) -> None:
    """Bound this process; ``memory`` comes on top of what it has."""
    with open("/proc/self/statm", encoding="ascii") as file:
        has = int(file.read().split()[0]) * resource.getpagesize()
    bounds = {
        resource.RLIMIT_AS: has + memory,
        resource.RLIMIT_FSIZE: FILE_BYTES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: int(seconds * 16) + 1,
        resource.RLIMIT_NPROC: 256,
        resource.RLIMIT_NOFILE: 1024,
    }
    for which, bound in bounds.items():
        hard = resource.getrlimit(which)[1]
        allowed = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(which, (allowed, allowed))


def send(descriptor: int, value: Json) -> None:
    """Write a value whole."""
    content = json.dumps(value).encode()
    if len(content) > MOST_RESULT:
        content = json.dumps({"fault": "result", "detail": f"a result of {len(content)} bytes"}).encode()
    content += b"\n"
    while content:
        content = content[os.write(descriptor, content) :]


class Ends:
    """The first and the last bytes of what an evaluator prints, however much it is."""

    def __init__(self) -> None:
        self.first, self.last, self.total = b"", b"", 0

    def add(self, piece: bytes) -> None:
        """Take in a piece."""
        self.total += len(piece)
        room = MOST_OUTPUT // 2 - len(self.first)
        self.first += piece[:room]
        self.last = (self.last + piece[room:])[-MOST_OUTPUT // 2 :]

    def text(self) -> str:
        """What was kept."""
        left_out = self.total - len(self.first) - len(self.last)
        middle = f"\n... {left_out} bytes left out ...\n".encode() if left_out else b""
        return (self.first + middle + self.last).decode("utf-8", "replace")


class Child:
    """One answer's process: it waits for its go, scores, tells, and is ended."""

    def __init__(self, pid: int, result: int, output: int, go: int, scratch: str) -> None:
        self.pid, self.result, self.output, self.go, self.scratch = pid, result, output, go, scratch

    def close(self) -> None:
        """Forget it, and remove what it wrote."""
        for descriptor in (self.result, self.output, self.go):
            os.close(descriptor)
        shutil.rmtree(self.scratch, ignore_errors=True)


class Host:
    """The parent: the evaluator imported, nothing scored."""

    def __init__(self, path: str, scratch: str, as_processes: bool) -> None:
        self.path, self.scratch = path, scratch
        self.loads = Loads(os.path.dirname(path))
        self.module: ModuleType | None = None
        self.reason = "asked for" if as_processes else ""
        self.learned: Json = {}
        """What the last fork told of its imports and loads."""
        self.closed: list[int] = []
        """Descriptors that no fork shall have."""
        self.child: Child | None = None
        self.ready: Child | None = None
        if not as_processes:
            try:
                self.module = import_evaluator(path)
            except BaseException:  # noqa: BLE001 -- it may want an answer to be there; each process says for itself
                self.reason = "the evaluator cannot be imported without an answer"
            self.loads.wrap(self.module)
            self._look()
        self.known = processes()

    def _look(self) -> None:
        """Whether forking is safe, as far as can be seen."""
        threads = len(os.listdir("/proc/self/task"))
        if not self.reason and threads > 1:
            self.reason = f"{threads - 1} threads are alive once the evaluator is imported"
        for descriptor in os.listdir("/proc/self/fd"):
            with contextlib.suppress(OSError):
                if not self.reason and os.readlink(f"/proc/self/fd/{descriptor}").startswith(
                    ("/dev/nvidia", "/dev/kfd")
                ):
                    self.reason = "the evaluator opened a GPU while it was imported"

    def hello(self) -> Json:
        """How it works, and why so."""
        return {"mode": "process" if self.reason else "fork", "reason": self.reason, "kept": len(self.loads.kept)}

    def answer(self, seconds: float, memory: int, hung_up: Callable[[], bool] = lambda: False) -> Json:
        """Score what lies in OUTPUT_DIR. :meth:`tidy` has to follow before the next one."""
        began = time.monotonic()
        child = self.child = self._ready()
        with contextlib.suppress(BrokenPipeError):  # it died while it waited, which its status tells
            os.write(child.go, json.dumps([seconds, memory]).encode() + b"\n")
        content, output, status = self._wait(child, began + seconds, hung_up)
        alone = self._is_alone(child) or self._end(child)
        reply = self._reply(content, status)
        reply.update(output=output.text(), seconds=round(time.monotonic() - began, 6), **self.hello())
        if not alone:  # the sandbox ends what this process cannot, once it is gone
            reply["leave"] = True
        return reply

    def tidy(self) -> None:
        """What need not keep an answer waiting: the last child goes, what it learned stays, the next one is made."""
        if self.child is not None:
            self._end(self.child)
            self.child.close()
            self.child = None
        self._learn(self.learned)
        self.learned = {}
        if not self.reason and self.ready is None:
            self.ready = self._child()

    def _ready(self) -> Child:
        """The child that was made before it was needed, if it still waits."""
        child, self.ready = self.ready, None
        if child is not None:
            if not os.waitpid(child.pid, os.WNOHANG)[0]:
                return child
            child.close()
        return self._child()

    def _is_alone(self, child: Child) -> bool:
        """Whether nothing runs here that did not when the evaluator was imported, but the child that is at its end."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)
        return processes() <= self.known | {str(child.pid)}

    def _end(self, child: Child) -> bool:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        return end_descendants()

    def _learn(self, told: Json) -> None:
        """Import and load what the last fork did."""
        if self.reason or not (told.get("modules") or told.get("loads")):
            return
        for name in told.get("modules", ())[:2000]:
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        self.loads.wrap(self.module)
        for key in told.get("loads", ())[:MOST_KEPT]:
            self.loads.load(key)
        if told.get("modules"):
            self._look()
        gc.collect()
        gc.freeze()

    def _reply(self, content: bytes, status: int | None) -> Json:
        told: Json = {}
        with contextlib.suppress(ValueError, TypeError):
            told = dict(json.loads(content))
        self.learned = told.pop("learned", {})
        if status is None:
            return {"fault": "timeout", "detail": "it ran on until its time was up"}
        if "result" in told or "fault" in told:
            return told
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            kind = "timeout" if number == signal.SIGXCPU else "crash"
            return {"fault": kind, "detail": f"ended by {signal.Signals(number).name}"}
        return {"fault": "no_result", "detail": f"ended with {os.WEXITSTATUS(status)}, and gave no result"}

    def _child(self) -> Child:
        """A process that waits for its go, with pipes for what it prints and for its result."""
        scratch = tempfile.mkdtemp(prefix="scoring-", dir=self.scratch)
        (result, tell), (output, said), (wait, go) = os.pipe(), os.pipe(), os.pipe()
        if self.reason:
            argv = [sys.executable, "-B", os.path.realpath(__file__), "once", self.path, str(wait), str(tell)]
            process = subprocess.Popen(
                argv, pass_fds=[wait, tell], stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd=scratch,
                env={**os.environ, "HOME": scratch, "TMPDIR": scratch}, start_new_session=True,
            )  # fmt: skip
            process.returncode = 0  # it is waited for here, and not by its object
            pid = process.pid
        else:
            pid = os.fork()
            if not pid:
                self._fork(scratch, [result, output, go, *self.closed], wait, said, tell)
        for descriptor in (tell, said, wait):
            os.close(descriptor)
        return Child(pid, result, output, go, scratch)

    def _fork(self, scratch: str, others: list[int], wait: int, said: int, tell: int) -> NoReturn:
        """What a fork does."""
        try:
            for descriptor in others:
                os.close(descriptor)
            before = set(sys.modules)
            self.loads.in_fork = True
            settle(scratch, said)
            work(wait, tell, lambda: self.module, lambda: {
                "modules": [name for name in sys.modules if name not in before], "loads": self.loads.learned,
            })  # fmt: skip
        finally:
            os._exit(0)

    def _wait(self, child: Child, until: float, hung_up: Callable[[], bool]) -> tuple[bytes, Ends, int | None]:
        """What came on both pipes, and the child's status (0 once its result is there); None where its time was up."""
        content, printed = bytearray(), Ends()
        poll = select.poll()
        for descriptor in (child.result, child.output):
            os.set_blocking(descriptor, False)
            poll.register(descriptor, select.POLLIN)
        status: int | None = None
        while status is None:
            ended, code = os.waitpid(child.pid, os.WNOHANG)
            for descriptor, _ in poll.poll(0 if ended else 20):
                try:
                    piece = os.read(descriptor, 1 << 16)
                except BlockingIOError:
                    continue
                if not piece:
                    poll.unregister(descriptor)
                elif descriptor == child.output:
                    printed.add(piece)
                elif len(content) <= MOST_RESULT:
                    content += piece
            if ended or content.endswith(b"\n"):
                status = code if ended else 0
            elif time.monotonic() > until or hung_up():
                return b"", printed, None
        self._drain(child.result, child.output, content, printed)
        return bytes(content), printed, status

    @staticmethod
    def _drain(result: int, output: int, content: bytearray, printed: Ends) -> None:
        """What is in the pipes still, and no more: what the child left running may print for ever."""
        for descriptor in (result, output):
            for _ in range(MOST_RESULT >> 16):
                try:
                    piece = os.read(descriptor, 1 << 16)
                except BlockingIOError:
                    break
                if not piece:
                    break
                if descriptor == result:
                    content += piece
                else:
                    printed.add(piece)


def settle(scratch: str, said: int) -> None:
    """A fork's surroundings: its own session, folder and streams."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(said, 1)
    os.dup2(said, 2)
    os.chdir(scratch)
    os.environ.update(HOME=scratch, TMPDIR=scratch)
    tempfile.tempdir = None


def work(wait: int, tell: int, evaluator: Callable[[], Any], learned: Callable[[], Json] = dict) -> None:
    """Wait for the go (time and memory), score, and tell; nothing where the parent is gone."""
    with os.fdopen(wait, "rb") as file:
        asked = file.readline()
    if asked:
        limit(*json.loads(asked))
        told = score(evaluator)
        told["learned"] = learned()
        send(tell, told)


def processes() -> set[str]:
    """The numbers of all processes that can be seen here."""
    return {name for name in os.listdir("/proc") if name.isdigit()}


def children() -> list[int]:
    """Processes whose parent is this one."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError), open(f"/proc/{name}/stat", encoding="latin-1") as file:
                if int(file.read().rpartition(")")[2].split()[1]) == os.getpid():
                    found.append(int(name))
    return found


def end_descendants(seconds: float = 10.0) -> bool:
    """Kill what a child left running: its orphans come to this process. False where they are faster than it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        left = children()
        if not left:
            return True
        for one in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
    return False


def serve(path: str, address: str, scratch: str, as_processes: bool) -> NoReturn:
    """Answer requests, a line of JSON each, until the sandbox ends."""
    take_orphans()
    host = Host(path, scratch, as_processes)
    for _ in range(2):  # the first learns what is imported, the second what is loaded without an answer
        if not host.reason:
            host.answer(WARM_UP_SECONDS, 8 << 30)
            host.tidy()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(address)
    os.chmod(address, 0o666)  # noqa: S103 -- who serves is another user; the folder above is that one's alone
    listener.listen(4)
    while True:
        connection, _ = listener.accept()
        with connection:
            lines = connection.makefile("rwb")
            lines.write(json.dumps(host.hello()).encode() + b"\n")
            lines.flush()
            host.closed = [listener.fileno(), connection.fileno()]
            for line in lines:
                asked = json.loads(line)
                reply = host.answer(asked["seconds"], asked["memory"], functools.partial(is_gone, connection))
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    lines.write(json.dumps(reply).encode() + b"\n")
                    lines.flush()
                if reply.get("leave"):
                    os._exit(1)
                host.tidy()


def is_gone(connection: socket.socket) -> bool:
    """Whether the other side hung up: then nobody waits for the score."""
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def take_orphans() -> None:
    """Be the parent of what a child leaves running (PR_SET_CHILD_SUBREAPER)."""
    ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)


def once(path: str, wait: int, tell: int) -> NoReturn:
    """Score one answer in an interpreter of its own."""
    try:
        work(wait, tell, lambda: import_evaluator(path))
    finally:
        os._exit(0)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2], sys.argv[3], sys.argv[4], "--process" in sys.argv)
    else:
        once(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
