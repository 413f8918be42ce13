"""A new user's first minutes with the wheel of `make dist`, by each way of installing it: pip, pipx and uvx.

Each way has a new environment in a home folder of its own, which is empty at first, and nothing of the checkout.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.agent.page.browser import browsing, need_chromium, play_first_move

ROOT = Path(__file__).resolve().parents[1]
WHEELS = [*(ROOT / "dist").glob("*.whl")] if "INSTALLED" in os.environ else []

pytestmark = [
    pytest.mark.long,  # installs from a package index, compiles all kernels, and starts browsers
    pytest.mark.skipif(not WHEELS, reason="installs from a package index, minutes: `make dist` runs it"),
    pytest.mark.timeout(1800),
]

HIDDEN = re.compile(r"GGP_AGENT_|NUMBA_|XDG_|PYTHON|VIRTUAL_ENV|PIPX_|UV_")
"""Variables of whoever runs the tests that a new user has not."""


class Home:
    """A home folder, and commands that run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {name: value for name, value in os.environ.items() if not HIDDEN.match(name)}
        self.environment["HOME"] = str(folder)

    def run(self, *command: str | Path) -> str:
        """What the command prints."""
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    @contextmanager
    def playing(self, *command: str | Path) -> Iterator[str]:
        """The address that `play` prints; it ends well by Ctrl-C, which a terminal sends to all that it has started."""
        play = [*command, "play", "connectFour", "--no-browser"]
        told = {"cwd": self.folder, "env": self.environment, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen(play, start_new_session=True, **told) as process:
            try:
                lines = (re.match(r"open (\S+#\S+) in a browser", line) for line in process.stdout)
                found = next(filter(None, lines), None)
                assert found, "`ggp-agent play` ended without an address"
                yield found[1]
                os.killpg(process.pid, signal.SIGINT)
                # uvx passes the signal on, so that the agent gets it twice and may end at once
                assert process.wait() in ((0, 130) if command[0] == "uvx" else (0,))
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)


def by_pip(home: Home, wheel: str) -> list[str]:
    home.run(sys.executable, "-m", "venv", "environment")
    programs = home.folder / "environment" / "bin"
    home.environment["PATH"] = f"{programs}{os.pathsep}{home.environment['PATH']}"  # as `activate` does
    home.run("pip", "install", wheel)
    return ["ggp-agent"]


def by_pipx(home: Home, wheel: str) -> list[str]:
    home.run("pipx", "install", "--python", sys.executable, wheel)
    return [str(home.folder / ".local" / "bin" / "ggp-agent")]


def by_uvx(_: Home, wheel: str) -> list[str]:
    return ["uvx", "--python", sys.executable, "--from", wheel, "ggp-agent"]


WAYS = {"pip": by_pip, "pipx": by_pipx, "uvx": by_uvx}


def need(tool: str) -> None:
    if not shutil.which(tool):
        pytest.skip(f"no {tool} here; `pip install {tool}` gives one".replace("install uvx", "install uv"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The home folder of all ways, so that only the first compiles kernels."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module", params=WAYS)
def installed(request, folder):
    """The home folder, and the command that is installed there."""
    need(request.param)
    home = Home(folder)
    return home, WAYS[request.param](home, str(WHEELS[0]))


def test_the_first_move_is_played_in_the_browser_after_one_command(installed, tmp_path):
    need_chromium()
    home, command = installed
    with home.playing(*command) as address, browsing(tmp_path / "profile") as context:
        play_first_move(context.new_page(), address)


def test_the_command_that_doctor_prints_adds_an_extra(installed):
    """No index has this version; so uvx, which installs all anew, is given the wheel instead of the name."""
    home, command = installed

    def add(*with_command: str) -> str:
        found = {each["name"]: each["fix"] for each in json.loads(home.run(*with_command, "doctor", "--json"))}
        return found["extra gymnasium"]

    words = shlex.split(add(*command))
    assert "ggp-agent[gymnasium]" in words
    if words[0] == "uvx":
        command = [word.replace("ggp-agent[", f"{WHEELS[0]}[") for word in words]
    else:
        home.run(*words)
    assert add(*command) == ""


def test_all_extras_can_be_installed_together(folder):
    """Each package exists in a version that fits the others; nothing is downloaded."""
    need("uv")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    (folder / "wanted.txt").write_text(f"ggp-agent[{','.join(extras)}] @ {WHEELS[0].as_uri()}\n", encoding="utf-8")
    found = Home(folder).run("uv", "pip", "compile", "--python", sys.executable, "wanted.txt")
    assert {"ray", "torch", "ipywidgets"} <= set(re.findall(r"^([\w-]+)==", found, re.MULTILINE))
