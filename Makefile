# make demo: the main job, end to end, with no key.   make test: the whole suite.   make check: what every commit passes.
# make score CORPUS=folder SCORER=program: how right it is on real pages (docs/measure.md).
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test check format lint types layers locks wheel score sample clean

demo: $(VENV)/.run
	$(BIN)/crawloop demo

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto

check: format lint types layers test

format: $(VENV)/.dev
	$(BIN)/ruff format --check .

lint: $(VENV)/.dev
	$(BIN)/ruff check .

types: $(VENV)/.dev
	$(BIN)/mypy

layers: $(VENV)/.dev
	$(BIN)/lint-imports

wheel: $(VENV)/.dev
	$(BIN)/python -m build --wheel

score: $(VENV)/.dev
	$(BIN)/python benchmarks/score.py "$(CORPUS)" "$(SCORER)"

sample: $(VENV)/.dev
	$(BIN)/python benchmarks/score.py "$(CORPUS)" "$(SCORER)" --sample

# The locks hold hashes and name no index: whichever index pip is set up for must serve these very files.
locks: $(VENV)/.dev
	$(BIN)/pip install "pip-tools>=7.4,<8"
	$(BIN)/pip-compile -q $(LOCK) -o requirements/run.txt pyproject.toml
	$(BIN)/pip-compile -q $(LOCK) --extra dev --extra llm --extra parquet -o requirements/dev.txt pyproject.toml

LOCK := --generate-hashes --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --strip-extras --allow-unsafe

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("crawloop needs Python 3.11 or newer, this is " + sys.version.split()[0] + ": make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements/run.txt pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

$(VENV)/.dev: requirements/dev.txt pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $(VENV)/.run $@

clean:
	rm -rf $(VENV) build dist *.egg-info
