"""`python docs/build_site.py`: build the documentation's site into build/site; a dead link or anchor is an error.

The pages are staged as they lie in the checkout, so that their links work there and on the site. Pages about settings,
endpoints and the command are written from the source.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STAGE = ROOT / "build" / "site-source"
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "tests/README.md", "docs", "research")
QUIET = {"NO_MKDOCS_2_WARNING": "1"}
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
PATTERN = re.compile(r"\{(\w+):(?:[^{}]|\{[^{}]*\})*\}")  # of a part of an address: {step:[0-9]{1,5}}
ROUTE_METHODS = {"add_get": "GET", "add_post": "POST", "add_options": "OPTIONS"}


def stage() -> None:
    """Copy the pages, and each file that one of them links to."""
    shutil.rmtree(STAGE, ignore_errors=True)
    for name in PAGES:
        source, target = ROOT / name, STAGE / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.py", "__pycache__", "*.yml"))
        else:
            shutil.copy(source, target)
    for page in list(STAGE.rglob("*.md")):
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            _copy_linked((page.parent / link).resolve())


def _copy_linked(target: Path) -> None:
    source = ROOT / target.relative_to(STAGE)
    if source.is_file() and not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def settings_page() -> str:
    """Every setting with its default and its comment, from config/default.toml."""
    lines = ["# Settings", "", "Written from `config/default.toml`. The environment overrides a setting as"]
    lines += ["`GGP_AGENT_SECTION_KEY`, a file by `--config FILE`.", ""]
    comment: list[str] = []
    for line in (ROOT / "config" / "default.toml").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            comment.append(line.lstrip("# "))
        elif line.startswith("["):
            lines += ["", f"## {line.strip('[]')}", "", "| setting | default | meaning |", "|---|---|---|"]
            comment = []
        elif "=" in line:
            key, _, value = line.partition("=")
            text = " ".join(comment).replace("|", "\\|")
            lines.append(f"| `{key.strip()}` | `{value.strip()}` | {text} |")
            comment = []
    return "\n".join(lines) + "\n"


def endpoints_page() -> str:
    """Each HTTP route with the docstring of its handler."""
    rows = [
        "# Endpoints",
        "",
        "Written from the handlers. [The API](page-api.md) explains bodies and answers.",
        "",
    ]
    rows += ["| address | answer |", "|---|---|"]
    for file in [ROOT / "agent/server/app.py", *sorted((ROOT / "agent/page").glob("*.py"))]:
        rows += [
            f"| `{method} {path}` | {text} |" for method, path, text in _routes(ast.parse(file.read_text("utf-8")))
        ]
    return "\n".join(rows) + "\n"


def _routes(module: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Method, path and documentation of each route that a module adds."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    documented = {node.name: ast.get_docstring(node) or "" for node in ast.walk(module) if isinstance(node, functions)}
    for call in (node for node in ast.walk(module) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Attribute) and call.func.attr in ROUTE_METHODS:
            method, path, handler = ROUTE_METHODS[call.func.attr], call.args[0], call.args[-1]
        elif isinstance(call.func, ast.Name) and call.func.id == "Endpoint":
            method, path, handler = str(ast.literal_eval(call.args[0])), call.args[1], call.args[2]
        else:
            continue
        names = [node.attr for node in ast.walk(handler) if isinstance(node, ast.Attribute)]
        names += [node.id for node in ast.walk(handler) if isinstance(node, ast.Name)]
        text = next((documented[name] for name in names if documented.get(name)), "")
        if isinstance(path, ast.Constant):
            shown = PATTERN.sub(r"{\1}", str(path.value))
            yield method, shown, text.split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


COMMAND_PAGE = """# The command

::: mkdocs-click
    :module: agent.cli
    :command: main
    :prog_name: ggp-agent
    :style: table
    :depth: 1
"""


def api_details() -> str:
    """The docstring of every class and function of the public interface, after the page itself."""
    import ggp_agent

    described = [name for name in ggp_agent.__all__ if callable(getattr(ggp_agent, name))]
    homes = {name: module for module, names in ggp_agent.HOMES.items() for name in names}
    return "\n## Details\n" + "".join(f"\n### {name}\n\n::: {homes[name]}.{name}\n" for name in described)


def main() -> int:
    """Stage, write, build; the exit code of mkdocs."""
    stage()
    reference = STAGE / "docs" / "reference"
    written = {"settings": settings_page(), "endpoints": endpoints_page(), "command": COMMAND_PAGE}
    for name, text in written.items():
        (reference / f"{name}.md").write_text(text, encoding="utf-8")
    with (reference / "api.md").open("a", encoding="utf-8") as page:
        page.write(api_details())
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(ROOT / "docs" / "mkdocs.yml")]
    return subprocess.run(command, cwd=ROOT, env=os.environ | QUIET, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
