import errno
import os
import shutil

import pytest
from structlog.testing import capture_logs

from agent.errors import SettingsError
from agent.journal.boot import Boot
from agent.journal.folder import DAY, Journals, folder_of, open_journals
from agent.protocol.messages import Start
from agent.settings import JournalSettings

SETTINGS = JournalSettings(folder="", sync="background", keep_days=2.0, keep_mib=1.0)
START = Start("Match.1/../x", "a", "(role a)", 1.0, 2.0, 3, 4)


class Wall:
    time = 1_000_000.0

    def __call__(self):
        return self.time


@pytest.fixture
def wall():
    return Wall()


@pytest.fixture
def journals(tmp_path, wall):
    made = Journals(tmp_path / "j", SETTINGS, wall)
    yield made
    made.close()


def played(journals, *, over=True, size=0):
    journal = journals.begin(START)
    journal.add("play", n=1, moves=["go"], gap=False, filler="x" * size)
    if over:
        journal.add("end", reason="stopped", moves=None)
        journals.end(journal)
    return journal.path


@pytest.mark.parametrize("set_by", [-3600.0, 3600.0])
def test_the_age_of_a_message_does_not_depend_on_the_wall_clock(tmp_path, wall, set_by):
    """Only where the machine was started anew since, its clock must tell."""
    up = Wall()
    journals = Journals(tmp_path / "j", SETTINGS, wall, Boot("this", up))
    played(journals, over=False)
    journals.close()
    wall.time += set_by
    up.time += 5.0
    for boot, age in ((Boot("this", up), 5.0), (Boot("other", up), max(set_by, 0.0)), (Boot("", up), max(set_by, 0.0))):
        again = Journals(tmp_path / "j", SETTINGS, wall, boot)
        ((_, replayed),) = again.unfinished()
        assert again.age(replayed) == age
        again.close()


def test_what_only_bears_the_name_of_a_journal_stops_nothing(journals):
    (journals.folder / "x.journal").mkdir()
    (journals.folder / "y.journal").symlink_to(journals.folder / "nowhere")
    (journals.folder / "z.journal").symlink_to(journals.folder / "z.journal")
    os.mkfifo(journals.folder / "f.journal")
    path = played(journals)
    assert journals.files() == [path]
    assert journals.unfinished() == []
    assert [found for found, _ in journals.finished()] == [path]
    journals.prune()


def test_a_journal_that_cannot_be_read_is_left_alone_and_the_log_says_so(journals, monkeypatch):
    path = played(journals, over=False)

    def denied(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(type(path), "open", denied)
    with capture_logs() as logs:
        assert journals.unfinished() == []
    assert logs[0]["reason"] == "Permission denied"
    assert path.exists()


def test_a_folder_that_was_removed_is_made_again_and_still_belongs_to_one_agent(journals):
    """Matches after it would not be resumed after a restart."""
    journals.end(journals.begin(START))
    shutil.rmtree(journals.folder)
    assert journals.begin(START).path.is_file()
    with pytest.raises(BlockingIOError):
        Journals(journals.folder, SETTINGS)


def test_an_empty_journal_is_removed_without_a_word(journals):
    """A match that began on a full disk leaves one; it is not damaged."""
    path = journals.folder / "x.journal"
    path.touch()
    with capture_logs() as logs:
        assert journals.unfinished() == []
    assert (logs, path.exists()) == ([], False)


def test_the_match_id_of_a_stranger_names_no_other_folder(journals):
    path = played(journals)
    assert path.parent == journals.folder
    assert path.name.endswith("-Match_1____x.journal")


def test_matches_that_are_not_over_are_found_again_with_their_story(tmp_path, journals, wall):
    played(journals)
    path = played(journals, over=False)
    journals.close()
    again = Journals(tmp_path / "j", SETTINGS, wall)
    ((journal, replayed),) = again.unfinished()
    assert (journal.path, replayed.start, replayed.moves, replayed.number) == (path, START, ("go",), 1)
    again.end(journal)
    again.close()
    journals.__init__(tmp_path / "other", SETTINGS, wall)  # for the fixture to close


def test_a_file_that_is_no_journal_is_set_aside_with_a_line_in_the_log(journals):
    (journals.folder / "x.journal").write_bytes(b"\x00\xff")
    with capture_logs() as logs:
        assert journals.unfinished() == []
    assert [entry["event"] for entry in logs] == ["a file is not a valid journal; it is renamed"]
    assert journals.files() == []
    assert (journals.folder / "x.journal.bad").read_bytes() == b"\x00\xff"


def test_a_journal_whose_first_line_is_damaged_is_set_aside_whole(journals):
    """The lines after it may still tell somebody what was played."""
    path = played(journals, over=False)
    damaged = b"!" + path.read_bytes()[1:]
    path.write_bytes(damaged)
    assert journals.unfinished() == []
    assert path.with_name(path.name + ".bad").read_bytes() == damaged


def test_a_journal_with_a_damaged_line_is_resumed_and_keeps_its_other_lines(journals):
    path = played(journals, over=False)
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + b"!" + second + second)
    with capture_logs() as logs:
        ((journal, replayed),) = journals.unfinished()
    assert [entry["event"] for entry in logs] == ["a journal has damaged lines; its match is resumed without them"]
    assert replayed.moves == ("go",)
    journal.add("again")
    assert path.read_bytes().startswith(first + b"!" + second + second)


def test_what_was_set_aside_is_deleted_when_it_is_old(journals, wall):
    path = journals.folder / "x.journal"
    path.write_bytes(b"\x00")
    assert journals.unfinished() == []
    aside = path.with_name(path.name + ".bad")
    os.utime(aside, (wall.time, wall.time))
    journals.prune()
    assert aside.exists()
    wall.time += 2.5 * DAY
    journals.prune()
    assert not aside.exists()


def test_a_file_that_is_too_large_to_be_a_journal_is_never_read_whole(journals, monkeypatch):
    path = played(journals, over=False, size=2_000)
    monkeypatch.setattr("agent.journal.folder.MAX_JOURNAL_BYTES", 1_000)
    monkeypatch.setattr("agent.journal.folder.TAIL", 500)
    assert journals.unfinished() == []
    assert path.with_name(path.name + ".bad").exists()


def test_a_link_to_a_journal_is_none(journals):
    """Else one match would be gone on with twice, and one of the two would end the other's journal."""
    path = played(journals, over=False)
    (journals.folder / "z.journal").symlink_to(path)
    assert journals.files() == [path]
    assert [journal.path for journal, _ in journals.unfinished()] == [path]


def test_matches_with_one_id_that_begin_in_the_same_second_keep_their_order(journals):
    paths = [played(journals) for _ in range(3)]
    assert journals.files() == paths


def test_old_journals_are_deleted_and_the_oldest_beyond_the_size(journals, wall):
    old = played(journals)
    os.utime(old, (wall.time, wall.time))
    wall.time += 2.5 * DAY
    paths = []
    for _ in range(3):
        wall.time += 60
        paths.append(played(journals, size=400_000))
        os.utime(paths[-1], (wall.time, wall.time))
    wall.time += 60
    running = played(journals, over=False, size=900_000)
    journals.prune()
    assert not old.exists()
    assert [path.exists() for path in [*paths, running]] == [False, False, False, True]


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="file: it is a file; give another folder, or off"):
        open_journals(JournalSettings(str(tmp_path / "file"), "never", 1.0, 1.0), 9147)


def test_two_agents_do_not_share_a_folder(journals):
    with pytest.raises(BlockingIOError):
        Journals(journals.folder, SETTINGS)
    with pytest.raises(SettingsError, match="another agent uses it; give another folder, or off"):
        open_journals(JournalSettings(str(journals.folder), "never", 1.0, 1.0), 9147)


def test_an_agent_that_nobody_could_find_again_keeps_no_journal():
    assert open_journals(JournalSettings("auto", "never", 1.0, 1.0), 0) is None
    assert open_journals(JournalSettings("off", "never", 1.0, 1.0), 9147) is None


def test_a_home_that_cannot_be_written_costs_the_journal_only(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "file"))
    with capture_logs() as logs:
        assert open_journals(JournalSettings("auto", "never", 1.0, 1.0), 9147) is None
    assert [entry["event"] for entry in logs] == ["no journal is kept: a restart loses the matches"]


def test_of_several_folders_of_a_systemd_service_the_first_holds_the_journals(tmp_path, monkeypatch):
    monkeypatch.setenv("STATE_DIRECTORY", f"{tmp_path / 'first'}:{tmp_path / 'second'}")
    assert folder_of("auto", 9147) == tmp_path / "first" / "ggp-agent" / "journal-9147"


@pytest.mark.usefixtures("homeless")
def test_a_user_without_a_home_has_no_journal():
    with capture_logs() as logs:
        assert open_journals(JournalSettings("auto", "never", 1.0, 1.0), 9147) is None
    assert [entry["event"] for entry in logs] == ["no journal is kept: a restart loses the matches"]


@pytest.mark.parametrize(("folder", "said"), [("", "is empty"), ("~nobody-has-this-name/j", "give a full path")])
def test_a_folder_that_no_path_is_known_for_is_one_clear_message(folder, said):
    """In place of journals in the current folder."""
    with pytest.raises(SettingsError, match=rf"journal\.folder.*{said}"):
        open_journals(JournalSettings(folder, "never", 1.0, 1.0), 9147)


def test_a_tilde_is_the_home_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folder_of("~/journals", 9147) == tmp_path / "journals"
