# The commands of the project. Each target installs what it needs into .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: install dev play serve test test-long test-all lanes checked coverage lint docs dist bench agree ci clean

PROJECT := pyproject.toml setup.py constraints.txt
PIP := $(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt
# Compile to bytecode on all processors; pip uses only one. Some libraries contain .py files that are not valid Python.
COMPILE := $(BIN)/python -m compileall -qq -j 0 $(VENV)/lib agent ggp_agent reasoner search
# At most four processes. The tests start hundreds of processes; cached bytecode halves the time of these starts.
PARALLEL := --numprocesses auto --maxprocesses 4 --dist worksteal
TESTS := PYTHONDONTWRITEBYTECODE= $(BIN)/pytest $(PARALLEL)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(PROJECT) | $(BIN)/python
	@echo 'installing into $(VENV): takes less than a minute; the first start of the agent then compiles kernels for about 40 s and shows the progress'
	$(PIP) --no-compile -e .
	$(COMPILE) -x '/tests/|/pip/' || :
	@touch $@

$(VENV)/.dev: $(PROJECT) | $(BIN)/python
	$(PIP) --no-compile -e '.[dev]'
	$(COMPILE) || :
	@touch $@ $(VENV)/.installed

install: $(VENV)/.installed  ## install the agent into .venv

dev: $(VENV)/.dev  ## install the agent and the tools for tests and checks

play: install  ## play Connect Four between two agents over HTTP
	$(BIN)/ggp-agent match connectFour --player mcts --player mcts --start-clock 5 --play-clock 1 --seed 1 --record matches

serve: install  ## start the agent on 127.0.0.1:9147
	$(BIN)/ggp-agent serve

test: dev  ## run all tests except the long ones
	$(TESTS) -m 'not long'

test-long: dev  ## run the long tests: clusters, browsers, installations, studies, every public game
	$(TESTS) -m long

test-all: dev  ## run all tests, long ones included
	$(TESTS)

lanes: dev  ## run the tests of lanes with each emitter that this machine supports, except the best, which `make test` uses
	for emitter in $$($(BIN)/python -c 'from reasoner.lanes.emitters import others; print(*others())'); do \
	    PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --emitter $$emitter --numprocesses auto --maxprocesses 4 tests/reasoner/lanes --ignore tests/reasoner/lanes/native tests/search/native tests/reasoner/batch tests/search/network || exit 1; done

# A search by the clock, which is too slow with checks to visit every move.
TOO_SLOW := --deselect tests/search/native/test_search.py::test_moves_that_capture_are_tried_before_the_others_which_wait

checked: dev  ## run the tests of lanes, batches and the native search with bounds checks in every kernel, and check every circuit
	GGP_AGENT_CHECKED=1 $(TESTS) -m 'not long' $(TOO_SLOW) tests/reasoner/kernels tests/reasoner/lanes tests/reasoner/batch tests/search/native tests/search/network

coverage: dev  ## run the tests of `make test`, and list the lines that none of them runs, by file
	mkdir -p build/coverage
	$(BIN)/coverage erase
	PYTHONDONTWRITEBYTECODE= $(BIN)/coverage run -m pytest $(PARALLEL) -m 'not long'
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

dist: dev  ## build the wheel and the source distribution; test the wheel in new environments, on each installed Python
	.ci/dist

lint: dev  ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(VENV)/.docs: $(PROJECT) $(VENV)/.dev
	$(PIP) --no-compile -e '.[docs]'
	@touch $@

docs: $(VENV)/.docs  ## build the documentation site in build/site; a dead link or anchor is an error
	$(BIN)/python docs/build_site.py

bench: dev  ## measure the speed of random play of the bundled games
	$(BIN)/ggp-agent bench games/*.kif

agree: dev  ## replay every recorded game on every engine and compare the results (long)
	$(BIN)/python -m tests.agree

ci: lint docs test-all lanes checked  ## run all checks of the checkout, as .ci/run does; `make dist` checks the wheel

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
