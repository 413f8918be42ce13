"""The house: who may import whom, proved by walking the imports of every module."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from reasoner.rules.dependencies import components

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("reasoner", "search", "agent", "ggp_agent")
"""From the lowest to the highest: a package imports itself and those before it."""

ROOMS = {
    "reasoner": (
        "arrays",
        "background",
        "diagnostics",
        "errors",
        "platform_calls",
        "fork_server",
        "language",
        "rules",
        "machine",
        "jit_progress",
        "kernels",
        "identity",  # what a game is, whatever its words
        "relational",
        "verify",
        "frames",
        "rewrite",
        "sat",
        "ground",
        "circuit",
        "lanes",
        "batch",
        "compilation",
        "loading",
        "stages",
        "",  # reasoner/__init__.py
    ),
    "search": (
        "errors",
        "files",
        "clock",
        "game",
        "batch",  # one search a game, many games in lockstep
        "options",
        "report",
        "root",  # what is made of the statistics of a root
        "plain",  # the search in Python
        "network",  # what study learns
        "native",  # the search in kernels
        "minimax",  # the search by an evaluation learned in the start clock
        "features",  # generated from the rules
        "factoring",
        "solver",  # exact values of games of two roles
        "subgames",
        "puzzle",
        "belief",
        "information",
        "study",  # self-play, training, the gate
        "search",  # puts them together
        "solve",  # exact values
        "exercises",  # positions with one best move
        "warm",
        "",  # search/__init__.py
    ),
    "agent": (
        "",  # agent/__init__.py, by which the bundled rulesheets are found
        "errors",
        "resources",
        "message_lines",  # messages between processes
        "progress",
        "settings",
        "queued_output",
        "logs",
        "protocol",
        "journal",  # what a match has been told, on disk
        "knowledge",  # the folder of studied games
        "players",
        "remote",  # searches on other machines
        "worker",  # the process of one match
        "server",  # the endpoint of managers, which knows nothing of the page
        "gamemaster",
        "boards",  # found in facts, and drawn
        "page",
        "environments",  # of Gymnasium, PettingZoo and OpenSpiel, each an extra
        "serve",  # puts an agent's parts together
        "measure",
        "tournament",
        "study",
        "report",  # measures of a rulesheet
        "cluster",  # many machines, by Ray, an extra
        "health",
        "cli",
        "__main__",
    ),
    "ggp_agent": (  # the public names
        "loading",
        "environments",
        "learning",
        "boards",
        "records",
        "",
    ),
}
"""The rooms of each package, its files and folders: a room imports itself and those before it."""

HOMES = {
    "lark": "reasoner.language",
    "clingo": "reasoner.ground reasoner.sat",  # the grounder, and the solver
    "aiohttp": "agent",
    "click": "agent",
    "msgspec": "agent search",
    "gymnasium": "agent.environments",
    "open_spiel": "agent.environments",
    "pettingzoo": "agent.environments",
    "pyspiel": "agent.environments",
    "ray": "agent.cluster",
    "PIL": "agent.page",
    "prometheus_client": "agent",
    "rich": "agent",
    "structlog": "agent",
    "uvloop": "agent",
    "tomllib": "agent",
    "torch": "search.study",  # `layers` and `training`
}
"""Libraries that only one place knows, or two."""

NOT_EVERYWHERE = (
    *("fcntl", "resource", "prctl", "mallopt", "pidfd_open", "CLOCK_BOOTTIME", "SOCK_SEQPACKET"),
    *("sched_getaffinity", "sched_setaffinity", "process_cpu_count", "kqueue", "epoll", "memfd_create"),
)
"""Modules and functions that some systems lack, or have in another form."""

CALLS_OF_SYSTEMS = (
    "reasoner/platform_calls.py",
    "reasoner/lanes/native/",  # asks for the processor, too
    "bench/processes.py",  # looks at other processes, for benches and tests
    "bench/strength/pinned.py",  # starts other versions of the project, and imports nothing
    "tests/test_architecture.py",
    "tests/reasoner/test_platform_calls.py",
    "tests/reasoner/lanes/",
    "tests/reasoner/compilation/test_heap.py",  # counts what the allocator of Linux does
    "tests/agent/server/test_hardships.py",  # sets limits that Linux keeps
    "tests/agent/players/test_puzzles.py",
    *("tests/starter.py", "tests/started.py"),  # fork what is tested faster, on Linux only
)
"""Where they may stand."""


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {_module(path): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}


def _imported(module: str) -> Iterator[str]:
    """What a module imports anywhere in it, as full names of modules; imports for types only are left out."""
    tree = ast.parse(FILES[module].read_text(encoding="utf-8"))
    for node in _running(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            for alias in node.names:
                deeper = f"{node.module}.{alias.name}"
                yield deeper if deeper in FILES else str(node.module)


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """The statements in a module, at any depth, but those for types only; expressions hold none."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            continue
        if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            yield child
            yield from _running(child)


@cache
def _imports() -> dict[str, list[str]]:
    return {module: sorted(set(_imported(module))) for module in FILES}


def _edges() -> Iterator[tuple[str, str]]:
    return ((module, target) for module, targets in _imports().items() for target in targets)


def _room(module: str) -> str:
    return [*module.split("."), ""][1]


def test_packages_import_only_downward():
    own = [(m.split(".")[0], t.split(".")[0], m, t) for m, t in _edges() if t.split(".")[0] in PACKAGES]
    upward = [(m, t) for package, target, m, t in own if PACKAGES.index(target) > PACKAGES.index(package)]
    assert upward == []


@pytest.mark.parametrize("package", ROOMS)
def test_a_room_imports_only_earlier_ones(package: str):
    inside = [(m, t) for m, t in _edges() if m.split(".")[0] == t.split(".")[0] == package]
    rooms = ROOMS[package]
    assert {_room(m) for m in FILES if m.split(".")[0] == package} == set(rooms)
    assert [(m, t) for m, t in inside if rooms.index(_room(t)) > rooms.index(_room(m))] == []


@pytest.mark.parametrize("package", ROOMS)
def test_the_page_on_architecture_draws_the_rooms_in_this_order(package: str):
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    drawn = page.split("## The ladder of imports")[1].split("```")[1].replace("│", "")
    ladder = dict(re.findall(r"^ (\w+)((?:(?!^ \w).)*)", drawn, re.MULTILINE | re.DOTALL))
    rooms = [room for room in reversed(ROOMS[package]) if room not in ("", "__main__")]
    assert [room.strip() for room in ladder[package].split("→")] == rooms


def test_each_file_and_folder_is_named_by_the_init_file_of_its_room():
    """A newcomer finds there what each is for."""
    folders = {path.parent for path in FILES.values()}
    told = {folder: (folder / "__init__.py").read_text(encoding="utf-8") for folder in folders}
    parts = {*FILES.values(), *folders} - {ROOT / package for package in PACKAGES}
    named = [part for part in parts if "__" in part.stem or re.search(rf"[`.\"]{part.stem}\b", told[part.parent])]
    assert sorted(str(part.relative_to(ROOT)) for part in parts.difference(named)) == []


def test_no_modules_import_each_other_in_a_circle():
    graph = {module: [target for target in targets if target in FILES] for module, targets in _imports().items()}
    assert [sorted(members) for members in components(graph) if len(members) > 1] == []


def test_no_two_modules_import_each_other_not_even_for_types():
    """What two files need of each other belongs in a third."""
    named: dict[str, set[str]] = {}
    for module, path in FILES.items():
        froms = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.ImportFrom)]
        pairs = [(str(node.module), f"{node.module}.{alias.name}") for node in froms for alias in node.names]
        named[module] = {deeper if deeper in FILES else whole for whole, deeper in pairs}
    assert [(one, other) for one in named for other in named if one in named[other] and other in named[one]] == []


@pytest.mark.parametrize(("library", "home"), HOMES.items())
def test_a_library_is_known_in_one_place_only(library: str, home: str):
    users = [module for module, target in _edges() if target.split(".")[0] == library]
    homes = tuple(f"{each}." for each in home.split())
    assert [module for module in users if not f"{module}.".startswith(homes)] == []


def _asks_for_the_system(node: ast.Attribute) -> bool:
    return ast.unparse(node) in ("sys.platform", "platform.system")


def _told_apart(path: Path) -> Iterator[str]:
    """The names in a file that only some systems know, and the paths that only Linux has."""
    text = path.read_text(encoding="utf-8")
    if not any(name in text for name in (*NOT_EVERYWHERE, "platform", "system", "/proc")):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            named = [getattr(node, "module", None), *(alias.name for alias in node.names)]
            yield from (name for name in named if name in NOT_EVERYWHERE)
        elif isinstance(node, ast.Attribute) and node.attr in ("platform", "system") and _asks_for_the_system(node):
            yield ast.unparse(node)
        elif isinstance(node, ast.Attribute | ast.Name):
            name = node.attr if isinstance(node, ast.Attribute) else node.id
            yield from [name] if name in NOT_EVERYWHERE else []
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("/proc"):
            yield node.value


def test_what_is_not_the_same_on_every_system_is_called_in_one_place():
    """So each such call has a fallback there, which a test has seen on this system."""
    folders = [ROOT / name for name in (*PACKAGES, "bench", "tests")]
    found = {str(path.relative_to(ROOT)): {*_told_apart(path)} for folder in folders for path in folder.rglob("*.py")}
    assert {name: calls for name, calls in found.items() if calls and not name.startswith(CALLS_OF_SYSTEMS)} == {}
    assert found["reasoner/platform_calls.py"] >= {"fcntl", "resource", "sched_getaffinity", "/proc/self/statm"}


def test_only_the_agent_reads_settings():
    below = [module for module in FILES if not module.startswith("agent")]
    assert [m for m in below for t in _imports()[m] if t.split(".")[0] == "config" or "settings" in t] == []
    marks = ("config/", "default.toml", "GGP_AGENT")
    found = [m for m in below if any(mark in FILES[m].read_text(encoding="utf-8") for mark in marks)]
    assert found == ["reasoner.kernels.checked"]  # kernels are compiled with or without checks as they are imported


def test_no_file_is_longer_than_400_lines_and_no_body_of_a_function_than_60():
    sources = {module: path.read_text(encoding="utf-8") for module, path in FILES.items()}
    assert [module for module, text in sources.items() if text.count("\n") > 400] == []
    functions = [
        (module, node.name, node.end_lineno - node.body[0].lineno)
        for module, text in sources.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno
    ]
    assert [found for found in functions if found[2] > 60] == []


def test_kernels_have_a_mirrored_test_file_or_a_docstring_that_says_how_they_are_tested():
    """Kernels are often tested through their callers; then the folder of the tests says so."""
    kernels = [FILES[module] for module in FILES if {"numba", "reasoner.kernels"} & {*_imports()[module]}]
    untold = set()
    for path in kernels:
        tests = ROOT / "tests" / path.parent.relative_to(ROOT)
        page = tests / "__init__.py"
        told = page.exists() and ast.get_docstring(ast.parse(page.read_text(encoding="utf-8")))
        if not told and not (tests / f"test_{path.stem}.py").exists():
            untold.add(str(path.relative_to(ROOT)))
    assert untold == set()


def test_the_process_that_answers_managers_loads_no_compiled_code():
    """Kernels take half a second and 70 MiB; its start would be late after a crash on a busy machine."""
    command = [sys.executable, "-c", "import sys, agent.serve; print({'numba', 'llvmlite'} & {*sys.modules})"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "set()\n"
