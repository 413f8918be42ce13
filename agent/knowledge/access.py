"""Whether the folder of studied games and its files can be read; without loading kernels."""

from __future__ import annotations

import os
from pathlib import Path

import structlog

from agent.errors import KnowledgeError, SettingsError, reason_of
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


def is_stored(path: Path) -> bool:
    """Whether there is a file; raise KnowledgeError if it is no regular file, since a pipe may never be read."""
    if path.exists() and not path.is_file():
        raise KnowledgeError(f"{path} is not a regular file: remove it.")
    return path.is_file()


def check_folder_at_start(settings: KnowledgeSettings) -> None:
    """Raise the error of `check_folder` if the user named the folder; log it for the automatic one."""
    try:
        check_folder(settings)
    except SettingsError as error:
        if settings.folder != "auto":
            raise
        structlog.get_logger().warning("studied games are not used", reason=str(error))
