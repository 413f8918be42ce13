"""The pages say what is true: their commands run, their Python answers what stands there, their links lead somewhere.

A comment on the line before a fenced block tells what to do with it:

    <!-- file: NAME -->        the block is a file, written before the commands after it are run
    <!-- not run: REASON -->   commands that a test cannot run
    <!-- exit code: N -->      commands that end with N, not 0
    <!-- output -->            lines that the commands before it print, in this order; … stands for anything

The blocks of one page run in one folder, where `games` is the folder of bundled games. Where a page changes the project
itself, by a block of `diff` or a file in a folder, that is a copy of the checkout.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.starter import Starter

ROOT = Path(__file__).resolve().parents[1]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
RESEARCH = sorted((ROOT / "research").rglob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *DOCS, *RESEARCH]
ARCHITECTURE = ROOT / "docs" / "explanation" / "architecture.md"
SECONDS = 120.0

BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")
ANCHOR = re.compile(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    mark: str  # the comment before it, or nothing
    language: str
    text: str

    def marked(self, name: str) -> str:
        """What the mark `name` says, or nothing."""
        head, _, tail = self.mark.partition(": ")
        return tail if head == name else ""


def blocks(page: Path) -> list[Block]:
    found = BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(match["mark"] or "", match["language"], match["text"]) for match in found]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def with_blocks(language: str) -> list[Path]:
    return [page for page in PAGES if any(block.language == language for block in blocks(page))]


COPIED = ("agent", "ggp_agent", "reasoner", "search", "config", "docs", "games", "tests", "pyproject.toml")


def changes_the_project(page: Path) -> bool:
    return any(block.language == "diff" or "/" in block.marked("file") for block in blocks(page))


def copy_checkout(folder: Path) -> None:
    (folder / "games").unlink()
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)


def apply(diff: str) -> None:
    """Change the copy; the context finds the place, wherever it has moved."""
    command = ["git", "apply", "--recount", "-C1", "-"]
    done = subprocess.run(command, input=diff, capture_output=True, text=True, check=False)
    assert done.returncode == 0, diff + done.stderr


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder with the bundled games in it, to be in."""
    (tmp_path / "games").symlink_to(ROOT / "games")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shell(commands: str, starter: Starter | None) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GGP_AGENT_")}
    environment["GGP_AGENT_WORKER_ENGINE"] = "relational"  # no page is about speed, and agents begin in seconds
    environment["XDG_STATE_HOME"] = str(Path.cwd() / "state")  # where an agent would keep journals
    environment["XDG_DATA_HOME"] = str(Path.cwd() / "data")  # where values of solved games are kept
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    if starter is not None:
        environment |= starter.environment | {"PATH": f"{starter.programs}{os.pathsep}{environment['PATH']}"}
    process = subprocess.Popen(
        # should this process be killed, `timeout` still ends what the commands have left in the background
        ["timeout", "--signal=KILL", f"{SECONDS + 10:g}", "bash", "-euo", "pipefail", "-c", commands],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, errors = process.communicate(timeout=SECONDS)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # an agent left in the background would keep its port
        process.wait()
    return subprocess.CompletedProcess(commands, process.returncode, out, errors)


def assert_printed(shown: str, printed: str) -> None:
    """Each line that is shown was printed, in this order."""
    lines = iter(printed.splitlines())
    for line in filter(lambda line: line.strip() not in ("", "…"), shown.splitlines()):
        pattern = re.compile(".*".join(re.escape(part) for part in line.rstrip().split("…")))
        assert any(pattern.fullmatch(other.rstrip()) for other in lines), f"{line!r} is not in\n{printed}"


@pytest.mark.long  # hundreds of commands
@pytest.mark.parametrize("page", with_blocks("sh"), ids=name)
def test_the_commands_of_a_page_run_and_print_what_it_shows(page, folder, starter):
    """Those of README.md by real starts, and those of a changed project; the others by forks (`tests/starter.py`)."""
    printed = ""
    if page.name == "README.md":
        starter = None
    if changes_the_project(page):
        copy_checkout(folder)
        starter = None
    for block in blocks(page):
        if block.language == "diff":
            apply(block.text)
        elif file := block.marked("file"):
            (folder / file).write_text(block.text, encoding="utf-8")
        elif block.language == "sh" and not block.marked("not run"):
            done = shell(block.text, starter)
            assert done.returncode == int(block.marked("exit code") or 0), block.text + done.stdout + done.stderr
            printed = done.stdout
        elif block.mark == "output":
            assert_printed(block.text, printed)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", with_blocks("python"), ids=name)
def test_the_python_of_a_page_answers_what_stands_there(page):
    sessions = [b.text for b in blocks(page) if b.language == "python" and b.text.startswith(">>>")]
    test = doctest.DocTestParser().get_doctest("\n".join(sessions), {}, name(page), str(page), 0)
    complaints: list[str] = []
    doctest.DocTestRunner().run(test, out=complaints.append)
    assert not complaints, "".join(complaints)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_marks_of_a_page_are_known_and_what_is_not_run_has_a_reason(page):
    known = re.compile(r"file: \S+|not run: \w.+|exit code: \d+|output|")
    assert [block.mark for block in blocks(page) if not known.fullmatch(block.mark)] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_within_the_project_lead_somewhere(page):
    assert [link for link in LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()] == []


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings make, as GitHub and mkdocs write them."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    titles = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower() for title in HEADING.findall(text))
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_anchors_within_the_project_name_a_heading(page):
    """A link to `page.md#part` leads to a heading of that page."""
    found = ANCHOR.findall(page.read_text(encoding="utf-8"))
    targets = [((page.parent / file) if file else page, anchor) for file, anchor in found]
    assert [f"{file.name}#{anchor}" for file, anchor in targets if anchor not in anchors(file)] == []


def test_every_page_can_be_reached_from_the_readme():
    seen: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in seen and page.suffix == ".md":
            seen.add(page)
            waiting += [(page.parent / link).resolve() for link in LINK.findall(page.read_text(encoding="utf-8"))]
    assert set(PAGES) <= seen


def test_the_architecture_names_every_room():
    page = ARCHITECTURE.read_text(encoding="utf-8")
    rooms = [path.parent.name for package in ("agent", "reasoner") for path in (ROOT / package).glob("*/__init__.py")]
    assert [room for room in rooms if not re.search(rf"\b{room}\b", page)] == []


def test_paths_that_the_architecture_names_exist():
    page = ARCHITECTURE.read_text(encoding="utf-8")
    paths = re.findall(r"`([a-z]+/[\w/.]*)`", page)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
