from agent.page.history import MatchLog, Moment
from agent.page.story import story
from agent.worker.worker_messages import Position


def log(**given):
    return MatchLog("m", "game", 1000.0, 5.0, 2.0, ("a", "b"), 0, **given)


def played(one, *joints, choices=()):
    """The log after these joint moves, two seconds each."""
    for turn, joint in enumerate(((), *joints)):
        moment = Moment(joint, (f"(n {turn})",), 1000.0 + 2 * turn)
        moment.choices = choices[turn] if choices else ()
        one.reach(turn, moment)
        one.moments[turn].choices = moment.choices
    return one


def test_the_value_of_one_of_two_opposed_roles_tells_that_of_the_other():
    one = played(log(opposed=True), ("x", "noop"))
    one.think(0, {"value": 70.2}, 1001.0)
    assert story(one)["values"] == [(70, 30), (None, None)]
    other = played(log(), ("x", "noop"))
    other.think(0, {"value": 70.2}, 1001.0)
    assert story(other)["values"][0] == (70, None)


def test_values_of_several_roles_of_one_table_are_kept_apart():
    one = played(log())
    one.think(0, {"value": 10}, 1001.0, role=1)
    one.think(0, {"value": 60}, 1001.0, role=0)
    assert story(one)["values"] == [(60, 10)]


def test_the_goals_are_the_values_of_the_end():
    one = played(log(terminal=True, goals=(0, 100)), ("x", "noop"))
    one.think(1, {"value": 50}, 1001.0)
    assert story(one)["values"][1] == (0, 100)


def test_goals_above_100_are_shares_of_the_highest_that_the_rules_may_give():
    """As the values before are; where that is not known, no more than 100."""
    for points, shown in ((170, (65, 100)), (100, (100, 100))):
        one = played(log(points=points), ("x", "noop"))
        one.terminal, one.goals = True, (110, 170)
        assert story(one)["values"][-1] == shown


def test_a_blunder_is_a_move_of_ones_own_that_costs_more_than_a_third():
    one = played(log(opposed=True), ("x", "noop"), ("noop", "y"), ("x", "noop"))
    for turn, value in enumerate((60, 20, 70, 36)):
        one.think(turn, {"value": value}, 1001.0)
    told = story(one)
    assert told["blunders"] == [[], [0], [1], [0]]
    assert told["choosers"] == [[], [0], [1], [0]]
    one.think(3, {"value": 37}, 1001.0)
    assert story(one)["blunders"][3] == []  # 33 is no third


def test_choosers_come_from_the_legal_moves_and_without_a_choice_there_is_no_blunder():
    one = log(opposed=True)
    one.take(Position(0, [], ["(n 0)"], False, None, [["wait"], ["x", "y"]]), 1000.0)
    one.take(Position(1, ["wait", "x"], ["(n 1)"], False, None, [["x", "y"], ["wait"]]), 1002.0)
    for turn, value in enumerate((90, 10)):
        one.think(turn, {"value": value}, 1001.0)
    told = story(one)
    assert told["choosers"] == [[], [1]]
    assert told["blunders"] == [[], []]
    assert told["seconds"] == [None, 2.0]


def test_what_a_player_tells_of_values_is_taken_only_where_it_is_one():
    one = played(log())
    for value in ("high", -1, 101, None, float("nan")):
        one.think(0, {"value": value}, 1001.0)
        assert story(one)["values"] == [(None, None)]


def test_of_a_long_match_under_way_the_last_steps_are_reported():
    one = played(log(opposed=True), *[("x", "noop"), ("noop", "y")] * 10)
    one.think(10, {"value": 90}, 1001.0)
    one.think(11, {"value": 10}, 1001.0)
    told = story(one, 10)
    assert told["first"] == 11
    assert len(told["joints"]) == len(told["values"]) == len(told["blunders"]) == 10
    assert story(one, 11)["blunders"][1] == [0]
