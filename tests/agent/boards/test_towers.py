"""Things that stand on each other."""

from agent.boards.board import picture
from agent.boards.look import look_of

FIRST = ["(on disc1 disc2)", "(on disc2 disc3)", "(on disc3 left)", "(clear disc1)"]
NEXT = ["(on disc1 middle)", "(on disc2 disc3)", "(on disc3 left)", "(clear disc1)"]


def test_chains_of_names_are_towers_on_bases_that_were_seen_once_also_where_they_are_empty():
    look = look_of((), FIRST, ("me",), [((), FIRST), (["(move disc1 middle)"], NEXT)])
    shown = picture(FIRST, look)
    assert shown["towers"] == [
        {
            "title": "on",
            "towers": [{"base": "left", "things": ["disc3", "disc2", "disc1"]}, {"base": "middle", "things": []}],
        }
    ]
    assert list(shown["others"]) == ["clear"]


def test_cycles_branches_and_unsupported_things_are_no_towers():
    for facts in (
        ["(on a b)", "(on b c)", "(on c a)"],
        ["(on a b)", "(on c b)", "(on b d)"],
        ["(owner a x)", "(owner b y)", "(owner c z)"],
    ):
        assert look_of((), facts, ("me",), []).towers == {}


def test_blocks_on_a_table_are_towers_whichever_argument_is_above():
    blocks = [("table", "d"), ("d", "b"), ("b", "g"), ("table", "f"), ("f", "c"), ("table", "a")]
    want = [{"base": "", "things": things} for things in (["a"], ["d", "b", "g"], ["f", "c"])]
    for facts in ([f"(on {x} {y})" for x, y in blocks], [f"(on {y} {x})" for x, y in blocks]):
        shown = picture(facts, look_of((), facts, ("me",), []))
        assert shown["towers"] == [{"title": "on", "towers": want}]
