"""The page's modules without a browser: their tests are in scripts/, for the test runner of Node."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

NODE = shutil.which("node")
SCRIPTS = Path(__file__).with_name("scripts")


def _reads_modules() -> bool:
    """Whether this Node takes a .js file with imports for a module, as it does since 20.19."""
    version = subprocess.run([NODE or "", "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(map(int, re.findall(r"\d+", version)[:2])) >= (20, 19)


@pytest.mark.skipif(NODE is None or not _reads_modules(), reason="needs Node 20.19 or newer")
def test_the_modules_of_the_page_pass_their_own_tests():
    """Links, records, drafts, branches and tournament files; a failed test is shown as Node reports it."""
    files = sorted(SCRIPTS.glob("*.test.mjs"))
    done = subprocess.run([NODE or "", "--test", *files], capture_output=True, text=True, check=False)
    assert files
    assert done.returncode == 0, done.stdout
