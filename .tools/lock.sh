#!/bin/sh
# Locks the requirements, with hashes and without the name of any host; arguments go to uv (for
# example --upgrade, or --upgrade-package prefect). Two files: what the program needs, and what
# tests, lint and documentation need on top, at the same versions.
set -eu
cd "$(dirname "$0")/.."
lock() {
    .venv/bin/uv pip compile --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-annotate --no-header --quiet "$@" > /dev/null
}
lock pyproject.toml -o requirements/runtime.txt "$@"
lock pyproject.toml --extra postgres --extra dask --group dev --group docs \
    -c requirements/runtime.txt -o requirements/dev.txt "$@"
git --no-pager diff --stat -- requirements
