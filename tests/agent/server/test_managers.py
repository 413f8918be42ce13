"""Two managers that choose the same match id."""

from agent.server.managers import MAX_IDS, MAX_REFUSED, Managers


def test_a_refused_manager_stays_refused_until_it_starts_a_match_of_this_id():
    managers = Managers()
    managers.started("m", "1.1.1.1")
    assert managers.refuses("m", "2.2.2.2")
    assert [managers.refuse("m", "2.2.2.2") for _ in range(2)] == [True, False]
    managers.ended("m")
    managers.started("m", "1.1.1.1")
    assert managers.refused("m", "2.2.2.2")
    managers.ended("m")
    managers.started("m", "2.2.2.2")
    assert not managers.refused("m", "2.2.2.2")


def test_only_so_many_refused_managers_are_remembered():
    managers = Managers()
    new = [managers.refuse("m", f"2.2.{number // 256}.{number % 256}") for number in range(MAX_REFUSED + 1)]
    assert new == [True] * MAX_REFUSED + [False]
    for number in range(MAX_IDS):
        managers.refuse(f"m{number}", "2.2.2.2")
    assert not managers.refused("m", "2.2.0.0")
    assert managers.refused("m0", "2.2.2.2")
