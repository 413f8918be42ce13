"""What a command needs to start is all that it loads: compiled kernels take a second to load, and minutes at first."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agent.cli import COMMANDS
from agent.cli.bench import EMITTERS as OFFERED
from reasoner.lanes.emitters import EMITTERS

ROOT = Path(__file__).resolve().parents[3]

WITHOUT_KERNELS = (
    "--help",
    "--version",
    *(f"{command} --help" for command in COMMANDS),
    "games",
    "games --json",
    "check nim --no-play",
    "check nim ticTacToe --json --no-play",
    "check --config config/container.toml",
    "convert lanterns --to kif",
    *(f"show nim --stage {stage}" for stage in ("parsed", "rules", "strata")),
    "mtach nim",
    "match nim --player mcst --player random",
    "match nim --player mcts:simulatoins=100 --player random",
    "match nmi",
    "serve --player mcst",
    "bench nmi",
    "report nmi",
    "step nmi",
    "show nmi",
    "tournament no-such-plan.toml",
)

SCRIPT = """
import contextlib, io, json, sys
from agent.cli import main
first = {}
for line in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(SystemExit):
        main(line.split(), prog_name="ggp-agent")
    kernels = [name for name in sys.modules if name.split(".")[0] in ("numba", "llvmlite") or name == "reasoner.kernels"]
    if kernels:
        first = {"after": line, "loaded": sorted(kernels)[:3]}
        break
print(json.dumps(first))
"""  # noqa: E501 a program of its own


def test_no_command_loads_kernels_before_it_needs_them():
    """One process runs all of these in turn, and names the first that loads the compiler or a kernel."""
    command = [sys.executable, "-c", SCRIPT, json.dumps(WITHOUT_KERNELS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {}


INTERRUPTED = """
import os, signal, sys
wanted, sys.argv[1:] = sys.argv[1], ["games"]
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)  # the tests may run in the background
sys.meta_path.insert(0, Finder())
from agent.__main__ import main
main()
"""


@pytest.mark.parametrize(("imported", "code"), [("click", -signal.SIGINT), ("agent.cli.games", 130), ("rich.box", 130)])
def test_ctrl_c_while_a_command_is_imported_is_no_traceback(imported, code):
    command = [sys.executable, "-c", INTERRUPTED, imported]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (code, "", "")


@pytest.mark.parametrize("module", ["search", "agent.players.spec", "agent.gamemaster.series", "reasoner"])
def test_what_only_describes_a_search_or_a_player_comes_without_kernels(module):
    script = f"import sys, {module}; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize(("variable", "value"), [("NUMBA_NUM_THREADS", "0"), ("NUMBA_DISABLE_JIT", "1")])
def test_a_variable_with_which_numba_cannot_compile_is_one_message(variable, value):
    command = [sys.executable, "-m", "agent", "step", "nim"]
    environment = {**os.environ, variable: value}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT, env=environment)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: ")
    assert "Traceback" not in done.stderr
    assert variable in done.stderr or "NUMBA_*" in done.stderr


def test_the_emitters_that_bench_offers_are_those_that_there_are():
    assert OFFERED == EMITTERS
