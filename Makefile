# Two commands to know: `make demo` and `make test`. Both set up what they need, once, in .venv.
# `make` alone lists the others. Choose a Python with `make demo PYTHON=python3.12`.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
ARGS ?=

.PHONY: help demo test lint bench ui docs postgres dask ray lock hooks clean runtime dev

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

demo: runtime ## set up, then run the main job on the embedded demo corpus (offline, no Docker, no keys)
	@.venv/bin/naturegym demo $(ARGS)

test: dev ## set up, then run the tests; ARGS='-k name' and other pytest options are passed on
	@.venv/bin/pytest -n auto --dist loadgroup $(ARGS)

lint: dev ## style, formatting, types, and the direction of imports
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/lint-imports

bench: dev ## time what has a time limit, on this machine; ARGS=name runs benches/name.py alone
	@missed=; for bench in $(or $(ARGS:%=benches/%.py),$(sort $(wildcard benches/*.py))); do \
		echo "== $$bench"; PYTHONPATH=. .venv/bin/python "$$bench" || missed="$$missed $$bench"; done; \
	test -z "$$missed" || { echo "Failed, or missed a limit:$$missed" >&2; exit 1; }

ui: runtime ## start a local Prefect server, and a worker for what is scheduled; ARGS='--port 4300'
	@.venv/bin/naturegym ui $(ARGS)

docs: dev ## build the documentation into site/
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict --quiet
	@echo "Built: open site/index.html"

postgres: ## add PostgreSQL's driver to .venv, for NATUREGYM_DATABASE_URL=postgresql://...
dask: ## add Dask to .venv, for NATUREGYM_TASK_RUNNER=dask
ray: ## add Ray to .venv, for NATUREGYM_TASK_RUNNER=ray

lock: dev ## lock the requirements again after a change in pyproject.toml
	@.tools/lock.sh $(ARGS)

hooks: dev ## run the fast part of `make lint` before each commit
	@.venv/bin/pre-commit install

clean: ## remove .venv and whatever was built; the next command sets up afresh
	rm -rf .venv build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache *.egg-info
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

# At once where all is there; else with the first Python that will do.
runtime dev postgres dask ray:
	@.venv/bin/python -I .tools/set_up.py $@ --check 2>/dev/null || { \
		for python in $(if $(PYTHON),'$(PYTHON)',python3.13 python3.12 python3.11 python3); do \
			found=$$("$$python" -c 'import sys; print("Python %d.%d" % sys.version_info[:2], sys.version_info >= (3, 11))' \
				2>/dev/null </dev/null); \
			case "$$found" in "Python "*" True") exec "$$python" .tools/set_up.py $@;; esac; \
		done; \
		case "$(if $(PYTHON),$$found,Python none)" in "Python none") what=;; \
			"Python "*) what="'$$python' is $${found% False}. ";; *) what="'$$python' is no Python that runs here. ";; esac; \
		echo "$${what}NatureGym needs Python 3.11 or newer (Debian: apt-get install python3)." \
			"If yours has another name: make PYTHON=/path/to/python3" >&2; exit 1; }
