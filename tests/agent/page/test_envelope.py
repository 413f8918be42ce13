import pytest

from agent.errors import ProtocolError
from agent.page.envelope import NIL, kif, read_envelope, rules_of
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from tests.agent.page.gamemaster import RULES


def test_a_message_is_cut_at_its_outer_commas_and_answered_with_its_id():
    one = read_envelope("message(17,manager,me,start(x,rulesheet(role(x),p(X) :- q(X,Y) & r(Y)),10,5))")
    assert (one.number, one.sender, one.receiver, one.verb) == ("17", "manager", "me", "start")
    assert one.arguments == ("x", "rulesheet(role(x),p(X) :- q(X,Y) & r(Y))", "10", "5")
    assert one.answered("ready") == "message(17,me,manager,ready)"


@pytest.mark.parametrize("content", ["ping", "ping()", "PING()"])
def test_a_word_may_have_empty_parentheses(content):
    one = read_envelope(f"message(1, manager, me, {content})")
    assert (one.verb, one.arguments) == ("ping", ())


@pytest.mark.parametrize("form", ["rulesheet({})", "[rulesheet,{}]"])
@pytest.mark.parametrize("rule", ["{}", "({})"])
def test_rules_come_as_one_term_whose_first_element_is_a_tag(form, rule):
    sheet = form.format(",".join(rule.format(one) if ":-" in one else one for one in RULES))
    program, _ = read_program(rules_of(sheet))
    machine = RelationalMachine(program)
    assert machine.roles == ("left", "right")
    assert [len(moves) for moves in machine.legal(machine.initial())] == [4, 1]


def test_a_move_becomes_kif():
    assert [kif(move) for move in ("claim(1,2)", " nil ", "move(at(1,2),b)")] == [
        "(claim 1 2)",
        "nil",
        "(move (at 1 2) b)",
    ]


@pytest.mark.parametrize("nothing", ["nil", "NIL", "[]", " [ ] "])
def test_all_spellings_of_nil_mean_no_move_yet(nothing):
    """The public pages' printer writes nil as the empty list."""
    assert kif(nothing).lower() == NIL
    assert read_envelope(f"message(3,manager,me,play({nothing}))").arguments == (nothing.strip(),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "message(1,manager,me)",
        "message(1,manager,me,play(a,",
        "message(1,man ager,me,ping)",
        "message(1,manager,me,play(a)) more",
        "message(1,manager,me," + "f(" * 20_000,
    ],
)
def test_what_is_no_message_is_refused_with_a_reason(text):
    with pytest.raises(ProtocolError):
        read_envelope(text)


@pytest.mark.parametrize("rules", ["", " ", "a,b", "a", "1"])
def test_rules_that_are_no_list_are_refused_with_a_reason(rules):
    with pytest.raises(ProtocolError, match="rules"):
        rules_of(rules)
