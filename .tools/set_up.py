"""Set up the project's own environment in ``.venv``: ``set_up.py runtime``, ``set_up.py dev``, or an extra.

The one idea: an environment counts only while it carries a stamp that says what it was made from. The stamp
is taken away before the first change and written after the last one, so whatever stopped a set-up on the way
(a lost network, a full disk, kill -9), the next one sees no stamp and starts afresh. It is not written on
pip's word alone: the packages are looked for where they have to be. Needs nothing but Python and git:
Debian's Python comes without pip and ensurepip, so pip is run from the wheel beside the locks.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - whoever has an older one shall read a sentence, not a traceback
    sys.exit("NatureGym needs Python 3.11 or newer; this one is older. Say which to take: make demo PYTHON=python3.12")

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "set-up.json"
LOG = VENV / "set-up.log"
EXTRAS = ("postgres", "dask", "ray")
LOCKS = {purpose: ROOT / f"requirements/{purpose}.txt" for purpose in ("runtime", "dev", *EXTRAS)}
PIP = ROOT / "requirements/bootstrap/pip-26.3-py3-none-any.whl"
PIP_SHA256 = "f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13"
FORMAT = 2  # Raise it when what is written below changes, so that older environments are made anew.

# What pip may be told from outside: where packages come from and how to get there. Where they go and which they
# are is our business: PIP_TARGET, a prefix or dry-run in a pip.conf, another --python would leave nothing in .venv.
PIP_SETTINGS = {
    "index-url", "pypi-url", "extra-index-url", "no-index", "find-links", "trusted-host", "cert", "client-cert",
    "proxy", "no-proxy-env", "timeout", "default-timeout", "retries", "resume-retries", "cache-dir", "no-cache-dir",
    "keyring-provider", "use-feature", "use-deprecated",
}  # fmt: skip

# Run by the environment's Python: which of the locked packages are not in it, as one line each.
MISSING = """
import sys
from importlib.metadata import distributions
sys.path.insert(0, sys.argv[1])
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name, canonicalize_version
home = [path for path in sys.path if path.startswith(sys.prefix) and path.endswith("site-packages")]
there = {canonicalize_name(package.name): canonicalize_version(package.version) for package in distributions(path=home)}
for line in sys.stdin:
    wanted = Requirement(line.strip())
    version = str(wanted.specifier).removeprefix("==")
    if wanted.marker is None or wanted.marker.evaluate():
        if there.get(canonicalize_name(wanted.name)) != canonicalize_version(version):
            print(wanted.name, version)
"""

# What pip says when it fails, and what a person needs to hear then. The first that matches wins.
TROUBLES = {
    r"DO NOT MATCH THE HASHES": "A package that came is not the one that was locked. Nothing of it was used. "
    "A mirror or a damaged download cache may be to blame: empty pip's cache, or ask a different mirror.",
    r"No space left on device|Errno 28": "The disk is full: the set-up needs about 1 GB in this folder. Make room.",
    r"Temporary failure in name resolution|Name or service not known|NewConnectionError|Connection refused|"
    r"Network is unreachable|ProxyError|Connection broken|ReadTimeout|timed out|NameResolutionError":
    "The package index cannot be reached. Look at the network, the proxy and pip's configuration.",
    r"CERTIFICATE_VERIFY_FAILED|SSLError": "The package index's certificate is not trusted here. "
    "Install ca-certificates, or name your own bundle in PIP_CERT.",
    r"\(from versions: none\)": "The package index offers nothing under this name: it is not a whole index, or "
    "does not let this machine in, or has no ready-made build for this Python (3.11 to 3.13 have one) and processor.",
    r"No matching distribution found": "A locked package has no ready-made build for this Python and this processor. "
    "Try another Python (3.11 to 3.13): make clean, then make demo PYTHON=python3.12",
    r"Permission denied|Errno 13": "This folder cannot be written. Give yourself the right to, or clone elsewhere.",
}  # fmt: skip


def main(purpose: str) -> None:
    """Bring ``.venv`` to where ``purpose`` needs it; at once where it is there already."""
    if is_ready(purpose):
        return
    if not shutil.which("git"):
        stop("git is missing, and NatureGym works with repositories.", "Install it (Debian: apt-get install git).")
    descriptor = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Another set-up is at work in this folder; waiting for it.")
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    if is_ready(purpose):
        return
    started = time.monotonic()
    try:
        if not is_ready("runtime"):
            make_environment()
        done = json.loads(STAMP.read_text())["done"] if STAMP.exists() else {}
        STAMP.unlink(missing_ok=True)
        install(purpose, descriptor)
        check(purpose)
        compile_ours()
        done |= {step: digest(step) for step in ("runtime", purpose)}
        draft = STAMP.with_suffix(".new")
        draft.write_text(json.dumps({"python": os.path.realpath(VENV / "bin/python"), "done": done}))
        draft.replace(STAMP)
    except OSError as error:
        stop(f"The set-up cannot write: {error}.", "Make room or give yourself the right to, then run it again.")
    say(f"Set up in {time.monotonic() - started:.0f} s.")


def digest(purpose: str) -> str:
    """What the environment for ``purpose`` is made from, in one word; the place counts, scripts name it."""
    made_from = [str(FORMAT).encode(), str(ROOT).encode(), PIP_SHA256.encode(), LOCKS["runtime"].read_bytes()]
    if purpose != "runtime":
        made_from.append(LOCKS[purpose].read_bytes())
    return hashlib.sha256(b"\0".join(made_from)).hexdigest()


def is_ready(purpose: str) -> bool:
    """Tell whether the environment is whole, of these locks, in this place, and its Python still there."""
    try:
        stamp = json.loads(STAMP.read_text())
        python = os.path.realpath(VENV / "bin/python")
        return bool(
            stamp["done"].get(purpose) == digest(purpose)
            and stamp["python"] == python
            and os.access(python, os.X_OK)
            and os.access(VENV / "bin/naturegym", os.X_OK)
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def make_environment() -> None:
    """An empty environment that finds the project's packages in this checkout and has its command."""
    try:
        import venv
    except ImportError:
        stop("This Python has no venv module.", "Install the whole of it (Debian: apt-get install python3).")
    say(f"Setting up {VENV.name} with Python {sys.version.split()[0]}; this is done once, and takes a minute or two.")
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    elif VENV.exists():
        STAMP.unlink(missing_ok=True)
        shutil.rmtree(VENV)
    venv.EnvBuilder(with_pip=False, symlinks=True).create(VENV)
    packages = next((VENV / "lib").glob("python3*/site-packages"))
    (packages / "naturegym.pth").write_text(f"{ROOT}\n")
    command = VENV / "bin/naturegym"
    # A path in a #! line may hold no blanks and be no longer than 127 bytes; this form takes any.
    command.write_text(
        f"#!/bin/sh\n'''exec' {shlex.quote(str(VENV / 'bin/python'))} \"$0\" \"$@\"\n' '''\n"
        "import sys\n\nfrom nature_gym.cli.main import main\n\n"
        'if __name__ == "__main__":  # the processes of Dask import this file\n    sys.exit(main())\n'
    )
    command.chmod(0o755)


def locks(purpose: str) -> list[Path]:
    """The files that say what to install: an extra's holds what it adds to the program, a developer's all."""
    return [LOCKS["runtime"], LOCKS[purpose]] if purpose in EXTRAS else [LOCKS[purpose]]


def pins(purpose: str) -> list[str]:
    """Each locked package as ``name==version ; for which Python and platform``."""
    text = "".join(lock.read_text() for lock in locks(purpose))
    return re.findall(r"^[\w.-]+==[^\\\n]+", text, flags=re.MULTILINE)


def pip_environment() -> dict[str, str]:
    """Our environment with those of pip's settings that it may have, whether from its files or from variables."""
    sys.path.insert(0, str(PIP))
    from pip._internal.configuration import Configuration  # type: ignore[import-not-found,unused-ignore]
    from pip._internal.exceptions import PipError  # type: ignore[import-not-found,unused-ignore]

    configuration = Configuration(isolated=False)
    try:
        configuration.load()
    except PipError as error:
        stop(f"pip's configuration cannot be read: {error}", "Mend it, then run the same command again.")
    finally:
        sys.path.remove(str(PIP))
    said = [(*key.split(".", 1), value) for _, values in configuration.items() for key, value in values.items()]
    settings = {
        key: value
        for section in ("global", "install", ":env:")
        for where, key, value in said
        if where == section and key in PIP_SETTINGS and value
    }
    if settings.get("retries") == "0":
        settings["retries"] = "1"  # Else pip keeps to itself that it reached nobody, and says: no such package.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    environment |= {f"PIP_{key.upper().replace('-', '_')}": value for key, value in settings.items()}
    return environment | {"PIP_CONFIG_FILE": os.devnull, "PIP_USER": "0", "PYTHONUNBUFFERED": "1", "LC_ALL": "C.UTF-8"}


def install(purpose: str, lock_descriptor: int) -> None:
    """Install the locked packages with pip. It inherits the lock: should we be killed, it still holds others off."""
    if not PIP.exists() or hashlib.sha256(PIP.read_bytes()).hexdigest() != PIP_SHA256:
        stop(f"{PIP.relative_to(ROOT)} is damaged.", "Bring it back with: git checkout -- requirements/bootstrap")
    total = len(pins(purpose))
    command: list[str | Path] = [
               VENV / "bin/python", "-I", PIP / "pip", "install", "--require-hashes", "--only-binary=:all:",
               "--no-deps", "--no-input", "--progress-bar=off", "--disable-pip-version-check"]  # fmt: skip
    for lock in locks(purpose):
        command += ["-r", lock]
    environment = pip_environment()
    fetched = 0
    with LOG.open("w") as log, subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", errors="replace", pass_fds=[lock_descriptor],
    ) as pip:  # fmt: skip
        for line in pip.stdout or ():
            log.write(line)
            if line.startswith(("Collecting ", "Requirement already satisfied")):
                fetched += 1
                progress(f"fetching {min(fetched, total)} of {total} packages")
            elif line.startswith("Installing collected packages"):
                progress("installing them", last=True)
    if pip.returncode:
        said = LOG.read_text(errors="replace")
        told = next((text for pattern, text in TROUBLES.items() if re.search(pattern, said)), "")
        last = "\n".join(f"    {line}" for line in said.splitlines()[-4:])
        stop(f"pip could not install the locked packages (all it said: {LOG.relative_to(ROOT)}):\n{last}",
             (told or "Its last words are above.") + " Then run the same command again.")  # fmt: skip


def check(purpose: str) -> None:
    """Look for the packages in the environment itself, whatever pip said."""
    looked = subprocess.run(
        [VENV / "bin/python", "-I", "-c", MISSING, PIP],
        input="\n".join(pins(purpose)), capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    with LOG.open("a") as log:
        log.write(looked.stdout + looked.stderr)
    missing = looked.stdout.splitlines() if looked.returncode == 0 else [looked.stderr.strip() or "all of them"]
    if missing:
        stop(f"pip reported success, but {len(missing)} of the locked packages are not in {VENV.name}: "
             f"{', '.join(missing[:3])}{', ...' if missing[3:] else ''}.",
             "Something sends them elsewhere or took them away; look at pip's and Python's own settings "
             f"(all that pip said: {LOG.relative_to(ROOT)}). Then run the same command again.")  # fmt: skip


def compile_ours() -> None:
    """Compile our own modules ahead: commands start faster, also where Python is told to write no bytecode itself."""
    folders = [ROOT / name for name in ("nature_gym", "checks", "flows", "db") if (ROOT / name).is_dir()]
    # The demo's repositories are data, some of it for Python 2. What cannot be compiled shows when it is used.
    command: list[str | Path] = [
        VENV / "bin/python", "-I", "-m", "compileall", "-q", "-q", "-j", "0", "-x", "demo/studies/",
    ]  # fmt: skip
    subprocess.run([*command, *folders], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)


def progress(what: str, *, last: bool = False) -> None:
    """One line that is written over on a terminal; in a log, only its last state."""
    if sys.stderr.isatty():
        print(f"\r\033[K  {what}", end="\n" if last else "", file=sys.stderr, flush=True)
    elif last:
        say(f"  {what}")


def say(what: str) -> None:
    """Talk on standard error: standard output belongs to the command that follows."""
    print(what, file=sys.stderr, flush=True)


def stop(what: str, hint: str) -> None:
    """End with what happened and what to do."""
    sys.exit(f"{what}\n{hint}")


if __name__ == "__main__":
    purpose, *check_only = sys.argv[1:] or [""]
    if purpose not in LOCKS or check_only not in ([], ["--check"]):
        sys.exit(f"usage: set_up.py {'|'.join(LOCKS)} [--check]")
    if check_only:
        sys.exit(0 if is_ready(purpose) else 1)
    try:
        main(purpose)
    except KeyboardInterrupt:
        sys.exit("\nStopped. The next run starts the set-up afresh.")
