"""`ggp-agent check --config FILE`: what `serve` would say of a settings file, without serving."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from agent.errors import SettingsError
from agent.journal.folder import folder_of
from agent.players.spec import BUILT_IN, check_spec, player_factory
from agent.server.gate import networks
from agent.server.origins import Origins
from agent.settings import Settings, load_settings, to_dict


def differences(file: Path) -> Iterator[str]:
    """What differs from the defaults, a line each, by the file or by the environment.

    Raises SettingsError or SpecError on the first thing that is wrong.
    """
    settings = load_settings(file)
    _try(settings)
    defaults = to_dict(load_settings(environment={}))
    for section, table in to_dict(settings).items():
        for key, value in table.items():
            if value != defaults[section][key]:
                yield f"{section}.{key} = {json.dumps(value, ensure_ascii=False)}"


def _try(settings: Settings) -> None:
    """Raise what only shows when the settings are used."""
    networks(settings.server.allow)
    Origins(settings)
    check_spec(settings.player.spec)
    if settings.player.spec.partition(":")[0] not in BUILT_IN:
        player_factory(settings.player.spec)()  # a class of one's own may fail when it is made
    folder = folder_of(settings.journal.folder, settings.server.port)
    if folder is not None and not _may_be_written(folder):
        raise SettingsError(f"journal.folder: {folder} cannot be made or written; name another folder, or off")
    if settings.page.enabled and settings.page.port == settings.server.port != 0:
        raise SettingsError("page.port is server.port; leave it 0 to have the page on the managers' port")
    if settings.worker.hang <= settings.worker.evaluation:
        raise SettingsError("worker.hang must be more than worker.evaluation, or patient processes are ended")


def _may_be_written(folder: Path) -> bool:
    """Whether a folder, or the nearest that exists above it, may be written to."""
    existing = next((path for path in (folder, *folder.absolute().parents) if path.exists()), folder)
    return existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)
