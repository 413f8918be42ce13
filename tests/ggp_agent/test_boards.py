"""A state or a record is one SVG image for notebooks: all of the board, no script, nothing from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ggp_agent

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(__file__).resolve().parents[2]


def test_a_state_is_drawn_with_its_pieces_and_without_script():
    machine = ggp_agent.load("ticTacToe", "relational")
    state = machine.next(machine.initial(), ["(mark 2 2)", "noop"])
    board = ggp_agent.draw(machine, state)
    image = ElementTree.fromstring(board._repr_html_())
    parts = [element.tag.removeprefix(SVG) for element in image.iter()]
    assert parts.count("rect") == 1 + 9  # the ground and the cells
    assert parts.count("path") == 1  # the cross
    assert {"script", "style", "image", "a"}.isdisjoint(parts)
    assert "(cell 2 2 x)" in board.facts
    assert str(board).count("\n") == len(board.facts) - 1


def test_the_end_of_a_game_shows_its_goals(tmp_path):
    machine = ggp_agent.load(ROOT / "games" / "nim.kif", "relational")
    facts = ["(stones left 0)", "(stones middle 0)", "(stones right 0)", "(control first)"]
    board = ggp_agent.draw(machine, machine.state(facts))
    assert "goals: first 0, second 100" in board.svg
    board.save(tmp_path / "nim.svg")
    assert (tmp_path / "nim.svg").read_text(encoding="utf-8") == board.svg


def test_a_machine_of_unknown_rules_is_refused():
    import reasoner

    machine = reasoner.load("ticTacToe", "relational")
    with pytest.raises(ValueError, match=r"load it with ggp_agent\.load"):
        ggp_agent.draw(machine, machine.initial())


def record(**changes):
    rules = (ROOT / "games" / "ticTacToe.kif").read_text(encoding="utf-8")
    machine = ggp_agent.load(rules, "relational")
    first = machine.initial()
    second = machine.next(first, ["(mark 2 2)", "noop"])
    states = [f"( {' '.join(sorted(map(str, machine.facts(state))))} )" for state in (first, second)]
    body = {"matchId": "m.1", "gameName": "<b>", "roleNames": ["cross", "nought"], "states": states}
    body |= {"moves": [["( mark 2 2 )", "noop"]], "playerNamesFromHost": ["one", "two"], "rulesheet": rules}
    return body | changes


def test_a_record_shows_its_last_position_its_players_and_its_moves(tmp_path):
    file = tmp_path / "m.1.json"
    file.write_text(json.dumps(record()), encoding="utf-8")
    read = ggp_agent.Record.read(file)
    assert read.moves == (("(mark 2 2)", "noop"),)
    file.write_text(json.dumps(record()), encoding="utf-8-sig")  # as editors of Windows save it
    assert ggp_agent.Record.read(file).moves == read.moves
    assert "(cell 2 2 x)" in read.states[1]
    shown = read._repr_html_()
    for part in ("<svg", "cross (one)", "<td>(mark 2 2)</td>", "&lt;b&gt;"):
        assert part in shown
    assert "<script" not in shown
    assert read.board(0).facts == read.states[0]


@pytest.mark.parametrize("text", ["", "[]", "[" * 100_000, "{}", '{"matchId": 1, "states": 3, "moves": []}'])
def test_a_file_that_is_no_record_is_refused_with_a_remedy(text, tmp_path):
    file = tmp_path / "x.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"x\.json is not a match record: `ggp-agent match GAME --record DIR`"):
        ggp_agent.Record.read(file)


@pytest.mark.parametrize("wrong", [{"states": []}, {"moves": [["(" * 200]]}, {"states": ["(a (b)"]}])
def test_a_record_whose_positions_or_moves_cannot_be_read_is_none(wrong):
    with pytest.raises(ValueError, match="is not a match record"):
        ggp_agent.Record.from_json(record(**wrong))


def test_a_record_with_faulty_rules_is_shown_without_a_picture():
    shown = ggp_agent.Record.from_json(record(rulesheet="(role <b>"))._repr_html_()
    assert "no picture: line 1" in shown
    assert "<td>(mark 2 2)</td>" in shown
    assert "<b>" not in shown


def test_a_record_whose_first_state_cannot_be_evaluated_is_shown_without_a_picture():
    """The rules of another program may need more than the limits allow: a number without end."""
    endless = (
        "(role me) (legal me go) (goal me 0) (p 0) (<= (p (s ?x)) (p ?x)) (<= (init ?x) (p ?x)) (<= terminal (p 1))"
    )
    shown = ggp_agent.Record.from_json(record(rulesheet=endless))._repr_html_()
    assert "no picture: relation p/1" in shown
    assert "<td>(mark 2 2)</td>" in shown


def test_check_returns_all_faults_and_raises_none():
    faults = ggp_agent.check("(role me) (<= (legal me ?x) (not (true ?x)))")
    assert [fault.code for fault in faults][:2] == ["unsafe-variable", "unsafe-variable"]
    assert ggp_agent.check("nim") == ()


def test_a_made_environment_is_gymnasiums():
    env = ggp_agent.make("ticTacToe", role="cross", wrong="raise")
    observation, info = env.reset(seed=1)
    assert observation.shape == (29,)
    assert env.step(int(info["action_mask"].argmax()))[1] in (0.0, 0.5, 1.0)


@pytest.mark.parametrize("name", ["board.jpg", "board.PNG", "a.svg.pdf"])
def test_a_board_is_not_saved_under_the_name_of_another_format(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    machine = ggp_agent.load("nim", "relational")
    board = ggp_agent.draw(machine, machine.initial())
    with pytest.raises(ValueError, match=rf"{name} does not name an SVG file, the only format of a board: \S+\.svg"):
        board.save(name)
    assert list(tmp_path.iterdir()) == []
    board.save("board.SVG")
    assert (tmp_path / "board.SVG").read_text().startswith("<svg")


def search_of(role):
    machine = ggp_agent.load("ticTacToe", "relational")
    return ggp_agent.Search(machine, role, machine.initial(), ggp_agent.SearchOptions(), ggp_agent.MonotonicClock())


WRONG_TYPES = {
    "load": (lambda: ggp_agent.load(5), TypeError, "rules are a text, a bundled game's name or a Path, not 5"),
    "check": (lambda: ggp_agent.check(None), TypeError, "rules are a text, a bundled game's name or a Path, not None"),
    "read_term": (lambda: ggp_agent.read_term(None), TypeError, "a term is read from a text, not None"),
    "solve": (lambda: ggp_agent.solve("nim"), TypeError, "solve takes a machine, as load returns it, not 'nim'"),
    "seconds": (
        lambda: ggp_agent.solve(ggp_agent.load("nim", "relational"), seconds=float("nan")),
        ValueError,
        "seconds is not a number",
    ),
    "draw": (lambda: ggp_agent.draw("nim", b""), ValueError, "load it with ggp_agent.load"),
    "options": (
        lambda: ggp_agent.SearchOptions(simulations="10"),
        ggp_agent.OptionsError,
        "search setting simulations = '10' is not an integer",
    ),
    "share": (
        lambda: ggp_agent.SearchOptions(fpu_value=None),
        ggp_agent.OptionsError,
        "search setting fpu_value = None is not a number",
    ),
    "role": (
        lambda: search_of("cross"),
        ggp_agent.SearchError,
        "role 'cross' does not exist: this game has roles 0 to 1",
    ),
    "batch": (lambda: ggp_agent.Batch(ggp_agent.load("nim"), "2"), TypeError, "games='2', threads=1: both must be"),
    "make": (lambda: ggp_agent.make([]), ggp_agent.AgentError, r"\[\]"),
    "make_vec": (lambda: ggp_agent.make_vec("nim", None), TypeError, "games=None, threads=1: both must be integers"),
}


@pytest.mark.parametrize(("call", "error", "message"), WRONG_TYPES.values(), ids=WRONG_TYPES)
def test_a_value_of_a_wrong_type_gets_one_message(call, error, message):
    with pytest.raises(error, match=message):
        call()
