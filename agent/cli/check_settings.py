"""`ggp-agent check --config FILE`: the checks of a settings file that `serve` makes at startup."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from agent.cluster.connection import check_form
from agent.cluster.errors import ClusterError
from agent.errors import SettingsError
from agent.journal.folder import folder_of
from agent.knowledge.access import check_folder
from agent.page.games.opponent_list import opponents_of
from agent.players.spec import BUILT_IN, check_spec, player_factory
from agent.resources import writable
from agent.server.networks import networks
from agent.server.origins import Origins, sites
from agent.server.tls import tls
from agent.server.token import Token
from agent.server.workers import Workers
from agent.settings import Settings, load_settings, to_dict

ENOUGH_MIB = 1024
"""Value of `worker.memory_mib` from which on a worker always starts, so that none is started for the check."""
START_SECONDS = 300.0
"""Maximum seconds for that start, in which the kernels may have to be compiled."""


def differences(file: Path) -> Iterator[str]:
    """List the settings that the file or the environment changes from the defaults, one per line.

    Raises SettingsError or SpecError on the first error.
    """
    settings = load_settings(file)
    _try(settings)
    defaults = to_dict(load_settings(environment={}))
    for section, table in to_dict(settings).items():
        for key, value in table.items():
            if value != defaults[section][key]:
                yield f"{section}.{key} = {json.dumps(value, ensure_ascii=False)}"


def _try(settings: Settings) -> None:
    """Raise the errors that otherwise appear only when the settings are used."""
    networks(settings.server, "allow")
    networks(settings.server, "proxies")
    Origins(settings)
    sites("page.urls", settings.page.urls)
    opponents_of(settings.page.opponents)
    try:
        if settings.cluster.address:
            check_form(settings.cluster.address)
    except ClusterError as error:
        raise SettingsError(f"cluster.address: {error}") from None
    Token(settings.page.token)
    tls(settings.page)
    check_spec(settings.player.spec)
    if settings.player.spec.partition(":")[0] not in BUILT_IN:
        player_factory(settings.player.spec)()  # a custom class may fail in its constructor
    check_folder(settings.knowledge)
    folder = folder_of(settings.journal.folder, settings.server.port)
    if folder is not None and not writable(folder):
        raise SettingsError(f"journal.folder: cannot write {folder}; give another folder, or off")
    if settings.page.enabled and settings.page.port == settings.server.port != 0:
        raise SettingsError("page.port equals server.port; set it to 0 to serve the page on the managers' port")
    if settings.worker.memory_mib < ENOUGH_MIB:
        asyncio.run(_start_worker(settings))


async def _start_worker(settings: Settings) -> None:
    """Start the processes of matches as `serve` does. Raises SpecError if they cannot play with these settings."""
    workers = Workers(replace(settings, log=replace(settings.log, level="error")))
    try:
        async with asyncio.timeout(START_SECONDS):
            await workers.wait_warm()
    except TimeoutError:
        raise SettingsError("the processes of matches do not start; see the messages above") from None
    finally:
        await workers.close()
