"""Jobs of self-play follow how fast positions come."""

from __future__ import annotations

import pytest

from search.study.jobs import JOB_SECONDS, MIN_SIMULATIONS, TARGET_POSITIONS, Jobs
from search.study.options import StudyOptions
from search.study.probe import Probe

PROBE = Probe(steps=20.0, longest=30, choosers=1.0)


def jobs(seconds: float = 1800.0) -> Jobs:
    return Jobs("", StudyOptions(seconds=seconds), PROBE)


@pytest.mark.parametrize("width", [1, 4])
def test_a_job_takes_an_actor_its_seconds(width: int):
    own = jobs()
    assert own.job(1, None).games == 1
    own.note(100, 40 * width, 10.0, width)
    assert own.job(2, None).games == 4 * JOB_SECONDS


def test_games_that_come_home_when_all_actors_are_gone_count_as_one_actor_s():
    own = jobs()
    own.note(100, 40, 10.0, 0)
    assert own.job(1, None).games == 4 * JOB_SECONDS


@pytest.mark.parametrize(("a_second", "wanted"), [(1_000, 128), (75, 96), (1, MIN_SIMULATIONS)])
def test_moves_get_fewer_simulations_where_a_study_would_see_too_few_positions(a_second: int, wanted: int):
    own = jobs(seconds=TARGET_POSITIONS / 100)
    own.note(0, 1, 5.0, 1)  # processes have started
    own.note(10 * a_second, 2, 15.0, 1)
    assert own.simulations == wanted
