"""A command works although standard streams are closed."""

import subprocess
import sys

import pytest

PROGRAM = """
import os
import sys
from agent.cli.descriptors import open_standard_descriptors
open_standard_descriptors()
print("to nobody", flush=True)
print("to nobody", file=sys.stderr, flush=True)
sys.stdin.read()
file = os.open(os.devnull, os.O_RDONLY)
os._exit(0 if file > 2 else 1)
"""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_no_file_takes_the_number_of_a_closed_standard_stream(closed):
    command = ["sh", "-c", f'exec "$0" -c "$1" {closed}', sys.executable, PROGRAM]
    assert subprocess.run(command, check=False, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
