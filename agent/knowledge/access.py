"""Whether the folder of studied games can be read; without loading kernels."""

from __future__ import annotations

import os
from pathlib import Path

import structlog

from agent.errors import SettingsError, reason_of
from agent.resources import knowledge_folder
from agent.settings import KnowledgeSettings


def check_folder(settings: KnowledgeSettings) -> None:
    """Raise SettingsError if matches are to use studied games and the folder cannot be read; it need not exist."""
    if not settings.use:
        return
    folder = Path(knowledge_folder(settings.folder))
    try:
        os.scandir(folder).close()
    except FileNotFoundError:
        return
    except OSError as error:
        raise SettingsError(
            f"knowledge.folder {folder}: {reason_of(error)}; give another folder, or knowledge.use = false"
        ) from None


def check_folder_at_start(settings: KnowledgeSettings) -> None:
    """Raise the error of `check_folder` if the user named the folder; log it for the automatic one."""
    try:
        check_folder(settings)
    except SettingsError as error:
        if settings.folder != "auto":
            raise
        structlog.get_logger().warning("studied games are not used", reason=str(error))
