# Every command of the project. `make install` first happens by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: install play serve test lint bench agree ci clean

$(VENV)/.installed: pyproject.toml setup.py constraints.txt
	@echo 'installing into $(VENV); the first start afterwards compiles for one to three minutes more'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

install: $(VENV)/.installed  ## set everything up in .venv

play: install  ## two agents play Connect Four over HTTP
	$(BIN)/ggp-agent match connectFour --player mcts --player mcts --start-clock 5 --play-clock 1 --seed 1 --record matches

serve: install  ## the agent, on 127.0.0.1:9147
	$(BIN)/ggp-agent serve

test: install  ## all tests, on up to four processors; hundreds of processes start, and bytecode halves what that takes
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist worksteal

lint: install  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: install  ## speed of the engines on the bundled games
	$(BIN)/python -m bench

agree: install  ## every recorded game against every engine (long)
	$(BIN)/python -m tests.agree

ci: lint test  ## what .ci/run runs

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info
