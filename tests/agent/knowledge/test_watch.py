"""A folder of studied games that goes away while the agent serves: told once, and results are stored again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from agent.knowledge import watch
from agent.knowledge.folder import Knowledge
from agent.knowledge.watch import FolderWatch
from agent.settings import KnowledgeSettings
from tests.agent.knowledge.test_folder import studied
from tests.agent.server.client import agent
from tests.waiting import until

REMOVED, REPLACED = "the folder of studied games was removed", "the folder of studied games was replaced"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "kept"
    Knowledge(folder).keep(studied())
    return folder


def looks(watching: FolderWatch, count: int = 2) -> list[str]:
    with capture_logs() as logs:
        for _ in range(count):
            watching.look()
    return [entry["event"] for entry in logs]


def test_a_removed_folder_is_told_once_and_what_is_stored_next_creates_it(folder: Path):
    watching = FolderWatch(KnowledgeSettings(use=True, folder=str(folder)))
    assert looks(watching) == []
    shutil.rmtree(folder)
    assert looks(watching) == [REMOVED]
    Knowledge(folder).keep(studied())
    assert looks(watching) == []
    assert [kept.name for kept in Knowledge(folder).all()] == ["ticTacToe"]
    shutil.rmtree(folder)
    assert looks(watching) == [REMOVED]


def test_a_replaced_folder_is_told_once(folder: Path, tmp_path: Path):
    watching = FolderWatch(KnowledgeSettings(use=True, folder=str(folder)))
    (tmp_path / "other").mkdir()
    folder.rename(tmp_path / "before")
    (tmp_path / "other").rename(folder)
    assert looks(watching) == [REPLACED]


def test_a_file_in_place_of_the_folder_is_told_once_with_the_reason(folder: Path, tmp_path: Path):
    watching = FolderWatch(KnowledgeSettings(use=True, folder=str(folder)))
    folder.rename(tmp_path / "before")
    folder.write_text("")
    assert looks(watching) == ["studied games are not used"]
    folder.unlink()
    (tmp_path / "before").rename(folder)
    assert looks(watching) == []


async def test_an_agent_that_serves_tells_it(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.01)
    with capture_logs() as logs:
        async with agent(knowledge__folder=str(folder)):
            shutil.rmtree(folder)
            await until(lambda: any(entry["event"] == REMOVED for entry in logs))
