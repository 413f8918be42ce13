"""Keys are the same for all spellings of a game, and for no two games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, permutations, product

import pytest

from agent.gamemaster.games import bundled, find_game
from reasoner.errors import LimitError
from reasoner.identity import Identity, Translation, identify
from reasoner.language.parse import read_term
from reasoner.language.terms import Term
from reasoner.rules.convert import convert
from reasoner.rules.program import Program
from reasoner.rules.read import read_program
from tests.reasoner.identity.spellings import numbers_too, scrambled, shuffled


def initial_facts(program: Program) -> set[Term]:
    return {rule.head.arguments[0] for rule in program.rules if rule.head.name == "init" and not rule.body}


def between(source: Identity, target: Identity) -> Translation:
    found = Translation.between(source.symbols, target.symbols)
    assert found is not None
    return found


@pytest.mark.parametrize("name", bundled())
def test_a_bundled_game_keeps_its_key_under_other_names_orders_and_notation(name: str):
    text = convert(find_game(name).text, "kif").text
    program = read_program(text)[0]
    identity = identify(program)
    assert identity.complete
    other, _ = scrambled(text, 7)
    assert identify(other).key == identity.key
    renamed = between(identity, identify(other))
    assert {renamed.term(fact) for fact in initial_facts(program)} == initial_facts(other)
    assert identify(read_program(convert(text, "infix").text)[0]).key == identity.key


def test_symmetric_roles_have_one_key_and_the_translation_maps_the_first_player():
    text = """(role x) (role o) (init (control x)) (<= (next (control ?r)) (role ?r) (not (true (control ?r))))
      (<= (legal ?r go) (true (control ?r))) (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
      (<= terminal (true gone)) (<= (next gone) (does ?r go)) (<= (goal ?r 100) (true (control ?r)))
      (<= (goal ?r 0) (role ?r) (not (true (control ?r))))"""
    first = identify(read_program(text)[0])
    second = identify(read_program(text.replace("(control x)", "(control o)"))[0])
    assert first.key == second.key
    assert str(between(first, second).term(read_term("(control x)"))) == "(control o)"


def test_numbers_are_names_except_goal_values():
    game = find_game("connectFour")
    plain = identify(read_program(game.text)[0])
    renamed = numbers_too(game.text, {"0", "50", "100"}, 5).rules(game.text)
    assert "1" not in renamed.split()
    assert identify(read_program(renamed)[0]).key == plain.key
    assert identify(read_program(game.text.replace(" 50)", " 60)"))[0]).key != plain.key


def test_arguments_in_another_order_are_another_spelling():
    text = find_game("ticTacToe").text
    program = read_program(text)[0]
    turned = read_program(_with_cells_turned(text))[0]
    names = between(identify(program), identify(turned))
    assert identify(program).key == identify(turned).key
    assert {names.term(fact) for fact in initial_facts(program)} == initial_facts(turned)


def _with_cells_turned(text: str) -> str:
    import re

    turned, count = re.subn(r"\(cell (\S+) (\S+) ([^\s()]+)\)", r"(cell \3 \2 \1)", text)
    assert count > 5
    return turned


def test_random_and_keywords_have_their_meaning():
    text = "(role random) (role x) (init a) (<= (legal ?r go) (role ?r)) (goal x 100) (<= terminal (true a))"
    keys = {identify(read_program(text.replace("random", name))[0]).key for name in ("random", "RANDOM", "chance")}
    assert len(keys) == 2


def test_a_function_without_arguments_is_not_the_constant_of_its_name():
    text = "(role x) (init {}) (legal x go) (goal x 100) (<= terminal (true {}))"
    assert len({identify(read_program(text.format(t, t))[0]).key for t in ("a", "(a)", "b")}) == 2


def test_rules_with_one_or_two_cycles_of_variables_have_different_keys():
    """Colours alone do not tell them apart (Weisfeiler and Leman)."""
    head = "(role x) (init a) (e a b) (e b a) (legal x go) (goal x 100) "
    one = "(e ?a ?b) (e ?b ?c) (e ?c ?d) (e ?d ?f) (e ?f ?g) (e ?g ?a)"
    two = "(e ?a ?b) (e ?b ?c) (e ?c ?a) (e ?d ?f) (e ?f ?g) (e ?g ?d)"
    programs = [read_program(f"{head}(<= terminal {body})")[0] for body in (one, two)]
    assert identify(programs[0]).key != identify(programs[1]).key
    for program in programs:
        assert identify(shuffled(program, 8)).key == identify(program).key


def test_facts_that_form_one_or_two_cycles_have_different_keys():
    def circles(*sizes: int) -> Program:
        facts = [f"(e {s}n{n} {s}n{(n + 1) % size})" for s, size in enumerate(sizes) for n in range(size)]
        return read_program(f"(role x) (init a) (legal x go) (goal x 100) (<= terminal (e ?a ?b)) {' '.join(facts)}")[0]

    keys = [identify(circles(*sizes)).key for sizes in ((6,), (3, 3), (8,), (4, 4), (5, 3))]
    assert len(set(keys)) == 5
    assert identify(shuffled(circles(4, 4), 3)).key == keys[3]


def test_a_key_past_the_search_limit_is_marked_incomplete():
    program = read_program(find_game("ticTacToe").text)[0]
    found = identify(program, search_work=10)
    assert not found.complete
    assert found == identify(program, search_work=10)
    with pytest.raises(LimitError, match="too large"):
        identify(program, first_work=10)


def test_symbols_that_do_not_fit_give_no_translation():
    one = identify(read_program(find_game("ticTacToe").text)[0]).symbols
    assert Translation.between(one, one[1:]) is None
    assert Translation.between(one, (*one[:-1], read_term("(f 0)"))) is None
    assert between_terms(one).term(read_term("(unheard 1)")) is None


def between_terms(symbols: tuple[Term, ...]) -> Translation:
    found = Translation.between(symbols, symbols)
    assert found is not None
    return found


HEAD = "(role x) (init a) (legal x go) (goal x 100) (<= terminal (e ?a ?b)) "
MANY = {
    "constants": HEAD + " ".join(f"(p c{n})" for n in range(300)),
    "circles": HEAD + " ".join(f"(e s{s}n{n} s{s}n{(n + 1) % 5})" for s in range(60) for n in range(5)),
    "variables": f"{HEAD} (e a b) (<= q {' '.join(f'(e ?v{n} ?v{n // 3 * 3 + (n + 1) % 3})' for n in range(300))})",
    "free variables": f"{HEAD} (e a b) (<= q {' '.join(f'(e ?v{n} a)' for n in range(600))})",
}


@pytest.mark.parametrize("name", MANY)
def test_very_symmetric_rules_are_identified_within_the_work_limit(name: str):
    program = read_program(MANY[name])[0]
    work = 1_000_000
    identity = identify(program, search_work=work)
    assert identity.key == identify(program, search_work=work).key
    assert identity.complete == (name == "free variables")
    if identity.complete:
        assert identify(shuffled(program, 6), search_work=work).key == identity.key


def test_keys_are_equal_exactly_if_some_renaming_makes_the_facts_equal():
    """Held against all renamings of four constants, and of two relations with turned arguments."""
    rng = random.Random(4)
    sheets = [frozenset(_random_facts(rng)) for _ in range(60)]
    keys = [identify(_program_of_facts(facts)).key for facts in sheets]
    same = 0
    for (one, first), (other, second) in combinations(zip(sheets, keys, strict=True), 2):
        assert (first == second) == _renamable(one, other)
        same += first == second
    assert same > 20


Fact = tuple[str, str, str]


def _random_facts(rng: random.Random) -> Iterator[Fact]:
    for _ in range(rng.choice((2, 3, 4))):
        yield rng.choice("ef"), rng.choice("abcd"), rng.choice("abcd")


def _program_of_facts(facts: frozenset[Fact]) -> Program:
    every = "(p a) (p b) (p c) (p d) (<= q (e ?x ?y)) (<= q (f ?x ?y))"
    written = " ".join(f"({relation} {a} {b})" for relation, a, b in facts)
    return read_program(f"(role x) (init i) (legal x go) (goal x 100) (<= terminal (true i)) {every} {written}")[0]


def _renamable(one: frozenset[Fact], other: frozenset[Fact]) -> bool:
    if len(one) != len(other):
        return False
    for names in permutations("abcd"):
        constants = dict(zip("abcd", names, strict=True))
        for swap, turn_e, turn_f in product((False, True), repeat=3):
            relations = {"e": "fe"[not swap], "f": "ef"[not swap]}
            turned = {"e": turn_e, "f": turn_f}
            image = {
                (relations[r], *((constants[b], constants[a]) if turned[r] else (constants[a], constants[b])))
                for r, a, b in one
            }
            if image == other:
                return True
    return False


def _with_circle(names: str, steps: tuple[tuple[int, int], ...]) -> str:
    """A game whose rule for `good` has a graph on the torus of 4 by 4 as its conditions; its facts are another one."""
    cells = list(product(range(4), repeat=2))
    shrikhande = ((0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3))

    def edges(steps: tuple[tuple[int, int], ...], mark: str) -> str:
        ends = ((x, y, (x + dx) % 4, (y + dy) % 4) for x, y in cells for dx, dy in steps)
        return " ".join(f"(e {mark}{a}{b} {mark}{c}{d})" for a, b, c, d in ends)

    return f"""(role r) (init s) {edges(shrikhande, "c")} (<= good {edges(steps, names)}) (legal r a)
      (<= terminal (true s)) (<= (goal r 100) good) (<= (goal r 0) (not good))"""


def test_rules_with_many_interchangeable_variables_are_told_apart():
    rook = tuple((0, step) for step in (1, 2, 3)) + tuple((step, 0) for step in (1, 2, 3))
    shrikhande = ((0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3))
    one, two, other = (
        identify(read_program(_with_circle(names, steps))[0]).key
        for names, steps in (("?v", rook), ("?w", rook), ("?v", shrikhande))
    )
    assert one == two
    assert one != other


def test_a_number_too_long_for_a_goal_is_a_name():
    text = "(role r) (init s) (legal r a) (<= terminal (true s)) (g {}) (<= (goal r ?v) (g ?v) (true t)) (goal r 50)"
    one, other = (identify(read_program(text.format(number))[0]).key for number in ("1" * 5000, "2" * 12))
    assert one == other
