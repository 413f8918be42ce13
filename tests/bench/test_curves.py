"""Learning curves are told from the records that studies leave."""

from __future__ import annotations

from xml.etree import ElementTree

from click.testing import CliRunner

from bench.curves import main
from search.study.folder import Record, StudyFolder


def moment(number: int) -> dict[str, object]:
    losses = {"held_value": 0.7 - number / 100, "held_policy": 2.5 - number / 10, "r2": number / 100}
    return {"seconds": 60.0 * number, "games": 100 * number, "positions": 2000 * number, **losses}


def studied(path, moments=8):
    match = {"seconds": 250.0, "elo": 120.4, "low": 30.0, "high": 210.0}
    folder = StudyFolder(path)
    folder.begin()
    record = Record(history=[moment(number) for number in range(1, moments + 1)], matches=[match] * bool(moments))
    folder.save_record(record)
    return path


def test_a_study_becomes_rows_of_a_table_with_its_rating_after_its_matches(tmp_path):
    done = CliRunner().invoke(main, [str(studied(tmp_path / "nim.study")), "--moments", "4"])
    rows = [line for line in done.output.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 4
    assert "| nim | 2.0 | 200 | 4,000 | 0.680 | 2.300 | 0.02 |  |" in rows
    assert [("120 (30 .. 210)" in row) for row in rows[2:]] == [False, False, True, False]
    assert "nim: no matches against the search without a network" in done.output


def test_a_picture_of_several_studies_stands_by_itself(tmp_path):
    file = tmp_path / "curves.svg"
    folders = [str(studied(tmp_path / name)) for name in ("a.study", "b.study")]
    assert CliRunner().invoke(main, [*folders, "--picture", str(file)]).exit_code == 0
    drawn = ElementTree.parse(file).getroot()
    assert len(drawn.findall(".//{*}polyline")) == 3 * 2


def test_a_folder_without_networks_or_without_a_study_is_told_of(tmp_path):
    assert CliRunner().invoke(main, [str(studied(tmp_path / "a", 0))]).exit_code == 0
    done = CliRunner().invoke(main, [str(tmp_path / "none")])
    assert (done.exit_code, "holds no study" in done.output) == (1, True)
