"""`ggp-agent doctor`: what this machine can run, and how to get what is missing."""

from __future__ import annotations

import json
import os
import platform
import sys
import webbrowser
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

import click

from agent.cli.installed import install_command
from agent.cli.paths import FILE
from agent.errors import reason_of
from agent.resources import PACKAGE, own_version, writable
from agent.settings import DEFAULT_FILE, Settings, load_settings

EXTRAS = {
    "study": ("torch", "trains networks: ggp-agent study"),
    "cluster": ("ray", "many machines: --cluster"),
    "gymnasium": ("gymnasium", "environments of Gymnasium"),
    "pettingzoo": ("pettingzoo", "environments of PettingZoo"),
    "openspiel": ("pyspiel", "games of OpenSpiel"),
    "notebook": ("ipywidgets", "progress bars in notebooks"),
}
"""By extra: a module that is importable if the extra is installed, and the purpose of the extra."""
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    name: str
    found: str
    fix: str = ""  # what the user should do; empty if nothing is missing
    error: bool = False  # whether this finding prevents the agent from working


@click.command()
@click.option("--config", type=FILE, help="A settings file (TOML).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.pass_context
def doctor(ctx: click.Context, config: Path | None, as_json: bool) -> None:
    """Report what this machine can run: Python, processor, memory, caches, browser, extras.

    Exits with 1 if something prevents the agent from working.
    """
    findings = list(_findings(load_settings(config)))
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], indent=1))
    else:
        width = max(len(finding.name) for finding in findings)
        for finding in findings:
            click.echo(f"{finding.name:{width}}  {finding.found}")
            if finding.fix:
                click.echo(f"{'':{width}}  {'error' if finding.error else 'note'}: {finding.fix}")
    ctx.exit(1 if any(finding.error for finding in findings) else 0)


def _findings(settings: Settings) -> Iterator[Finding]:
    yield Finding("ggp-agent", f"{own_version()} in {PACKAGE.parent}")
    yield Finding("Python", f"{platform.python_version()} ({sys.executable}), {platform.platform()}")
    yield _emitter(settings.build.emitter)
    yield from _memory(settings)
    yield _kernels()
    yield from _folders(settings)
    yield _browser()
    yield _plugins()
    yield Finding("settings", f"defaults in {DEFAULT_FILE}; `ggp-agent serve --print-settings` prints them")
    for extra, (module, purpose) in EXTRAS.items():
        missing = install_command(f"ggp-agent[{extra}]") if find_spec(module) is None else ""
        yield Finding(f"extra {extra}", f"{'not installed' if missing else 'installed'} ({purpose})", missing)


def _emitter(wanted: str) -> Finding:
    """Report the code emitter for circuits."""
    from reasoner.lanes import emitters  # late import: it loads compiled kernels

    name = emitters.best() if wanted == "auto" else wanted
    if reason := emitters.why_not(name):
        fix = f"this machine cannot run build.emitter = {wanted}: {reason}; set it to auto"
        return Finding("emitter", name, fix, error=True)
    slow = emitters.why_portable() if wanted == "auto" else None
    return Finding("emitter", name, f"several times slower than native code, because {slow}" if slow else "")


def _memory(settings: Settings) -> Iterator[Finding]:
    from reasoner.platform_calls import machine_memory, usable_processors

    yield Finding("processors", f"{usable_processors()} of {os.cpu_count() or 1}")
    memory, worker, build = machine_memory(), settings.worker.memory_mib, settings.build.memory_mib
    needed = settings.server.matches * worker + build
    small = memory and memory < needed * MIB
    fix = f"a match and a build may need {needed:,} MiB: lower worker.memory_mib or build.memory_mib" if small else ""
    limits = f"at most {worker:,} MiB for a match, {build:,} MiB for a build"
    yield Finding("memory", f"{f'{memory // MIB:,} MiB' if memory else 'unknown'}; {limits}", fix)


def _kernels() -> Finding:
    """Report the cache of compiled kernels."""
    from reasoner.kernels.cache import cache_root
    from search.warm import rest_kept

    try:
        root = cache_root()
    except RuntimeError:  # no home folder
        root = Path("(no home folder)")
    if not writable(root):
        fix = f"{root} cannot be written, so each start compiles all kernels: set XDG_CACHE_HOME to a writable folder"
        return Finding("kernels", str(root), fix, error=True)
    complete = rest_kept()
    fix = "" if complete else "the next start of `ggp-agent serve` or `play` compiles the rest (about 40 seconds)"
    return Finding("kernels", f"{root}: {'complete' if complete else 'incomplete'}", fix)


def _folders(settings: Settings) -> Iterator[Finding]:
    from agent.journal.folder import folder_of
    from agent.knowledge.file_names import key_of, stored_files
    from agent.resources import knowledge_folder

    folder = knowledge_folder(settings.knowledge.folder)
    try:
        count = len({key_of(path.name) for path in stored_files(folder)})
    except OSError as error:
        fix = f"{folder} cannot be read ({reason_of(error)}): set knowledge.folder to another folder"
        yield Finding("knowledge", str(folder), fix, error=True)
    else:
        yield Finding("knowledge", f"{folder}: {count} studied games")
    journal = folder_of(settings.journal.folder, settings.server.port)
    if journal is None:
        yield Finding("journal", "off")
    else:
        fix = "" if writable(journal) else f"{journal} cannot be written: set journal.folder to a writable folder"
        yield Finding("journal", str(journal), fix, error=bool(fix))


def _plugins() -> Finding:
    from agent.players.plugins import OPPONENTS, PLAYERS, installed  # late import: it loads the rules' parser

    names = [*installed(PLAYERS), *(f"{name} (opponent)" for name in installed(OPPONENTS))]
    return Finding("plugins", ", ".join(names) or "none")


def _browser() -> Finding:
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return Finding("browser", "none found", "open the address that `ggp-agent play --no-browser` prints")
    return Finding("browser", getattr(browser, "name", "") or type(browser).__name__)
