PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: check format lint types layers test
check: format lint types layers test
format:
	$(BIN)/ruff format --check .
lint:
	$(BIN)/ruff check .
types:
	$(BIN)/mypy
layers:
	$(BIN)/lint-imports
test:
	$(BIN)/python -m pytest
