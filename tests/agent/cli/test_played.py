"""What `ggp-agent check` finds by playing."""

import json
import re
from itertools import count

import pytest
from click.testing import CliRunner

from agent.cli import main
from agent.cli.played import ALL_SECONDS, MEANINGS, Play
from agent.gamemaster.games import BUNDLED
from reasoner.rules.read import STANDARD
from reasoner.verify import FIXES

TURNS = """
(role white) (role black) (init (control white)) (init (left 3)) (less 3 2) (less 2 1) (less 1 0)
(<= (legal ?r take) (true (control ?r)))
(<= (next (left ?m)) (true (left ?n)) (less ?n ?m))
(<= (next (control white)) (true (control black))) (<= (next (control black)) (true (control white)))
(<= terminal (true (left 0)))
(<= (goal ?r 50) (role ?r))
"""
NOOP = "(<= (legal black noop) (true (control white))) (<= (legal white noop) (true (control black)))"


def checked(folder, rules, *options):
    (folder / "x.kif").write_text(rules)
    return CliRunner().invoke(main, ["check", str(folder / "x.kif"), *options])


def found(folder, rules):
    result = checked(folder, rules, "--json")
    return result.exit_code, [(fault["code"], fault["line"], fault["fix"]) for fault in json.loads(result.stdout)]


def test_a_role_without_a_move_gets_the_missing_rule(tmp_path):
    """The fix names the fact that gives the other role the turn, and with it the game plays."""
    fix = "Add a rule: (<= (legal black noop) (true (control white)))."
    assert found(tmp_path, TURNS) == (0, [("no-legal-move", 3, fix)])


def test_a_game_that_is_over_before_the_first_move_is_reported(tmp_path):
    """A fact or an `init` too many ends a game that its author meant to be played."""
    fix = "Check the rules of `terminal` and the `init` facts."
    rules = "(role a) (init p)\n(legal a go) (goal a 50)\n(<= terminal (true p))"
    assert found(tmp_path, rules) == (0, [("terminal-at-start", 3, fix)])

    half = TURNS + "(<= (legal black noop) (true (control white)))"
    other = "Add a rule: (<= (legal white noop) (true (control black)))."
    assert [fix for _, _, fix in found(tmp_path, half)[1]] == [other]
    assert found(tmp_path, TURNS + NOOP) == (0, [])


def test_a_state_that_can_never_change_again_is_reported(tmp_path):
    """The turn goes to nobody, so that all roles wait forever."""
    other = "(<= (next (control white)) (true (control black)))"
    idle = "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))"
    rules = TURNS.replace(other, "").replace("(init (left 3))", "(init (left 9))") + idle
    ((_, line, fix),) = [fault for fault in found(tmp_path, rules)[1] if fault[0] == "stuck-play"]
    assert (line, fix) == (6, FIXES["stuck-play"])


TOWERS = """
(role ann) (role bob) (init (control ann)) (init (tower ann 0)) (init (tower bob 0)) (up 0 1) (up 1 2)
(<= (legal ?r build) (true (control ?r))) (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (tower ?r ?m)) (does ?r build) (true (tower ?r ?n)) (up ?n ?m))
(<= (next (control bob)) (true (control ann))) (<= (next (control ann)) (true (control bob)))
(<= terminal (true (tower ?r 2))) (<= terminal (not (true (tower bob 0))) (not (true (tower bob 1))))
(<= (goal ?r 50) (role ?r))
"""


def test_a_forgotten_frame_rule_is_reported(tmp_path):
    """Nothing keeps the tower of the other role, so that it is gone after each move."""
    fix = "(<= (next (tower …)) (true (tower …)) …)."
    assert [(code, line) for code, line, said in found(tmp_path, TOWERS)[1] if said.endswith(fix)] == [
        ("lost-facts", 4)
    ]
    frame = "(<= (next (tower ?r ?n)) (does ?r noop) (true (tower ?r ?n)))"
    assert found(tmp_path, TOWERS + frame) == (0, [])
    kept = "(<= (stays ?r ?n) (does ?r noop) (true (tower ?r ?n))) (<= (next (tower ?r ?n)) (stays ?r ?n))"
    assert found(tmp_path, TOWERS + kept) == (0, [])


MARKS = """
(role ann) (role bob) (init (control ann)) (init (cell 1 b)) (init (cell 2 b)) (init (cell 3 b)) (init (cell 4 b))
(<= (legal ?r (mark ?c)) (true (control ?r)) (true (cell ?c b)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (cell ?c ?r)) (does ?r (mark ?c)))
(<= (next (cell ?c b)) (true (cell ?c b)) (not (marked ?c))) (<= (marked ?c) (does ?r (mark ?c)))
(<= (next (control bob)) (true (control ann))) (<= (next (control ann)) (true (control bob)))
(<= open (true (cell ?c b))) (<= terminal (not open)) (<= (goal ?r 50) (role ?r))
"""


@pytest.mark.parametrize(("frame", "mark"), [("", "ann"), ("(<= (next (cell ?c ann)) (true (cell ?c ann)))", "bob")])
def test_a_forgotten_frame_rule_of_some_facts_is_reported(tmp_path, frame, mark):
    """The empty cells stay, and marks of both roles, or of one, are gone in the step after."""
    assert [fault[:2] for fault in found(tmp_path, MARKS + frame)[1]] == [("lost-facts", 5)]
    assert re.search(
        rf"the state after \(mark .* no rule keeps \(cell \d {mark}\)", checked(tmp_path, MARKS + frame).output
    )
    assert found(tmp_path, MARKS + "(<= (next (cell ?c ?x)) (true (cell ?c ?x)) (role ?x))") == (0, [])


STONES = """
(role ann) (role bob) (init (control ann)) (init (stone 1 1)) (init (stone 1 2)) (init (stone 2 1))
(<= (legal ?r (take ?x ?y)) (true (control ?r)) (true (stone ?x ?y)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (stays ?y ?x) (true (stone ?x ?y)) (not (taken ?x ?y))) (<= (taken ?x ?y) (does ?r (take ?x ?y)))
(<= (next (stone ?x ?y)) (stays ?y ?x))
(<= (next (control bob)) (true (control ann))) (<= (next (control ann)) (true (control bob)))
(<= some (true (stone ?x ?y))) (<= terminal (not some)) (<= (goal ?r 50) (role ?r))
"""
TIMERS = """
(role ann) (init (timer red 3)) (init (timer blue 1)) (less 3 2) (less 2 1)
(<= (legal ann (stop ?c)) (true (timer ?c ?n)))
(<= (next (timer ?c ?m)) (true (timer ?c ?n)) (less ?n ?m) (not (does ann (stop ?c))))
(<= some (true (timer ?c ?n))) (<= terminal (not some)) (goal ann 50)
"""


@pytest.mark.parametrize("rules", [STONES, TIMERS])
def test_facts_that_become_fewer_by_intention_are_not_lost(tmp_path, rules):
    """A relation keeps them with their arguments in another order, or each is counted down until it ends."""
    assert found(tmp_path, rules) == (0, [])


@pytest.mark.parametrize("code", MEANINGS)
def test_a_fault_found_by_playing_is_explained(code):
    result = CliRunner().invoke(main, ["check", "--explain", code])
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{code} (found by playing): {MEANINGS[code]}.\n  fix: ")


def test_in_infix_the_rule_is_written_in_infix(tmp_path):
    rules = (
        "role(a) role(b) init(turn(a)) legal(a,go) next(turn(b)) :- true(turn(a)) terminal :- true(turn(b)) goal(a,1)"
    )
    assert [fix for _, _, fix in found(tmp_path, rules)[1]] == ["Add a rule: legal(b,noop) :- true(turn(a))."]


@pytest.mark.parametrize(
    ("extra", "code", "said"),
    [
        ("(<= (goal black 60) (true (left 0)))", "several-goals", "black has 50, 60 after"),
        ("(base (left 3)) (base (left 2))", "undeclared-fact", "(control white) in the initial state"),
        ("(<= (input ?r noop) (role ?r))", "undeclared-move", "take of white in the initial state"),
    ],
)
def test_other_faults_of_play_are_warnings_with_their_place(tmp_path, extra, code, said):
    result = checked(tmp_path, TURNS + NOOP + extra)
    assert result.exit_code == 0
    assert said in result.output
    assert f"[{code}]" in result.output
    assert "fix: " in result.output


def test_a_term_past_the_limit_is_a_warning_at_the_rules_of_next(tmp_path):
    """The rest of a match would be played blind, and a game that reaches the limit was left out in silence."""
    rules = """(role a) (init (tree leaf)) (legal a go)
    (<= (next (tree (t ?x ?x))) (true (tree ?x)))
    (<= terminal (true (tree ?x)) (stop ?x)) (stop end) (goal a 50)"""
    assert found(tmp_path, rules) == (0, [("term-too-large", 2, FIXES["term-too-large"])])


def test_nothing_is_played_where_that_is_not_wanted_or_the_rules_are_in_error(tmp_path):
    assert "0 warnings" in checked(tmp_path, TURNS, "--no-play").output
    assert "no-legal-move" not in checked(tmp_path, TURNS + "(goal black 101)").output


def test_a_game_that_continues_is_no_fault_and_time_is_bounded():
    """A rulesheet is played for two seconds, all of a command for twenty; what is left out is named."""
    endless = (
        "(role r) (init p) (legal r go) (legal r on) (<= (next ?f) (true ?f)) (<= terminal (not (true p))) (goal r 1)"
    )
    clock = count()
    play = Play(lambda: float(next(clock)))
    for number in range(int(ALL_SECONDS) + 1):
        assert play.warnings(f"game {number}", endless, STANDARD) == ()
    assert play.left_out
    assert play.left_out[-1] == f"game {int(ALL_SECONDS)}"


def test_only_a_few_of_many_rulesheets_without_a_finished_game_are_named(tmp_path, monkeypatch):
    """The rest would be a line of thousands of characters; there is another way to play them."""
    monkeypatch.setattr("agent.cli.played.ALL_SECONDS", 0.0)
    files = [tmp_path / f"{number}.kif" for number in range(5)]
    for file in files:
        file.write_text(TURNS)
    runs = [CliRunner().invoke(main, ["check", *map(str, files[:some])]) for some in (3, 5)]
    told = [run.stderr.splitlines()[-1] for run in runs]
    assert told[0] == f"random games not finished: {', '.join(map(str, files[:3]))}"
    assert told[1].startswith(f"random games not finished in 5 files ({files[0]}, {files[1]}, {files[2]}, …)")
    assert "--simulate" in told[1]


@pytest.mark.parametrize("name", ["nim", "ticTacToe", "lanterns"])
def test_bundled_games_have_no_fault_that_play_shows(name):
    (path,) = BUNDLED.glob(f"{name}.*[fl]")
    assert CliRunner().invoke(main, ["check", str(path)]).output == "1 file: 0 errors, 0 warnings\n"
