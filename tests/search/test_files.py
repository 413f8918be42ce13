"""Files that are replaced as a whole, or not at all."""

import os
from pathlib import Path

import pytest

from search.errors import StorageError
from search.files import is_stored, read_given, read_stored, replacing, write_atomically


def test_an_error_in_the_middle_leaves_the_old_file_and_no_draft(tmp_path: Path):
    file = tmp_path / "report.html"
    file.write_text("old")

    def interrupted() -> None:
        with replacing(file) as draft:
            draft.write_text("new, but not all")
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        interrupted()
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_and_the_file_keeps_its_mode(tmp_path: Path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o600)
    link.symlink_to(file)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("new", 0o600)


def test_a_pipe_is_written_and_stays_a_pipe(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, b"text")
        assert os.read(reader, 10) == b"text"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["n" * 250, "\u20ac" * 80, "-x", " ", ".hidden"])
def test_any_name_of_a_file_will_do(tmp_path: Path, name: str):
    write_atomically(tmp_path / name, b"text")
    assert (tmp_path / name).read_bytes() == b"text"


@pytest.mark.timeout(60)
def test_a_pipe_is_read_where_the_user_names_it_and_refused_in_place_of_a_stored_file(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for look in (is_stored, lambda path: read_stored(path, 10)):
        with pytest.raises(StorageError, match="pipe is not a regular file: remove it"):
            look(pipe)
    end = os.open(pipe, os.O_RDWR)
    try:
        os.write(end, b"text and more")
        assert read_given(pipe, 3) == b"text"
    finally:
        os.close(end)


def test_a_link_to_a_file_is_stored_and_one_to_nothing_is_not(tmp_path: Path):
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    assert not is_stored(link)
    file.write_bytes(b"text")
    assert is_stored(link)
    assert read_stored(link, 10) == b"text"
