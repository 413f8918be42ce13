# Every command of the project. `make install` first happens by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: install dev play serve test test-long test-all lanes pythons lint docs dist bench agree ci clean

PROJECT := pyproject.toml setup.py constraints.txt
PIP := $(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt
# to bytecode on all processors, which pip does on one; some libraries hold files that are no Python
COMPILE := $(BIN)/python -m compileall -qq -j 0 $(VENV)/lib agent ggp_agent reasoner search
# in one process more than processors, four at most; hundreds of processes start, and bytecode halves what that takes
TESTS := PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist worksteal

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(PROJECT) | $(BIN)/python
	@echo 'installing into $(VENV), under a minute; the first start afterwards compiles for some 40 s on two processors, and shows how far it is'
	$(PIP) --no-compile -e .
	$(COMPILE) -x '/tests/|/pip/' || :
	@touch $@

$(VENV)/.dev: $(PROJECT) | $(BIN)/python
	$(PIP) --no-compile -e '.[dev]'
	$(COMPILE) || :
	@touch $@ $(VENV)/.installed

install: $(VENV)/.installed  ## set up in .venv what playing needs

dev: $(VENV)/.dev  ## and what tests and checks need

play: install  ## two agents play Connect Four over HTTP
	$(BIN)/ggp-agent match connectFour --player mcts --player mcts --start-clock 5 --play-clock 1 --seed 1 --record matches

serve: install  ## the agent, on 127.0.0.1:9147
	$(BIN)/ggp-agent serve

test: dev  ## all tests but the long ones
	$(TESTS) -m 'not long'

test-long: dev  ## those about the whole system, or a large size: real clusters, browsers and installations, studies, every public game
	$(TESTS) -m long

test-all: dev  ## both in one go, so that what starts many processes runs beside what starts none
	$(TESTS)

lanes: dev  ## what plays in lanes, in each kind that this machine runs but the best, as on machines without it
	for emitter in $$($(BIN)/python -c 'from reasoner.lanes.emitters import others; print(*others())'); do \
	    PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --emitter $$emitter --numprocesses auto --maxprocesses 4 tests/reasoner/lanes --ignore tests/reasoner/lanes/native tests/search/native tests/reasoner/batch tests/search/network || exit 1; done

pythons:  ## a short set of tests on the other Pythons that are installed
	.ci/pythons

dist: dev  ## build the wheel and the source distribution; try the wheel in fresh environments
	.ci/dist

lint: dev  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(VENV)/.docs: $(PROJECT) $(VENV)/.dev
	$(PIP) --no-compile -e '.[docs]'
	@touch $@

docs: $(VENV)/.docs  ## the documentation's site, in build/site; a dead link or anchor is an error
	$(BIN)/python docs/build_site.py

bench: dev  ## speed of the engines on the bundled games
	$(BIN)/python -m bench

agree: dev  ## every recorded game against every engine (long)
	$(BIN)/python -m tests.agree

ci: lint docs test-all lanes pythons dist  ## what .ci/run runs

clean:
	rm -rf $(VENV) .pythons .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
