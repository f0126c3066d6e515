#!/bin/sh
# Locks the requirements, with hashes and without the name of any host; arguments go to uv (for
# example --upgrade, or --upgrade-package prefect). What the program needs; what tests, lint and
# documentation need on top, at the same versions; and for each extra what it alone adds.
set -eu
cd "$(dirname "$0")/.."
lock() {
    .venv/bin/uv pip compile --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-annotate --no-header --quiet pyproject.toml "$@" > /dev/null
}
lock -o requirements/runtime.txt "$@"
lock --extra postgres --extra dask --group dev --group docs \
    -c requirements/runtime.txt -o requirements/dev.txt "$@"
known=$(sed -n 's/^\([a-z0-9._-]*\)==.*/--no-emit-package \1/p' requirements/runtime.txt)
for extra in postgres dask ray; do
    # shellcheck disable=SC2086
    lock --extra $extra $known -c requirements/dev.txt -o requirements/$extra.txt "$@"
done
git --no-pager diff --stat -- requirements
