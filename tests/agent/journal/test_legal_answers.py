import pytest

from agent.journal.legal_answers import LegalAnswers


def after(*answers):
    made = LegalAnswers()
    for number, move in answers:
        made.note(number, move)
    return made


@pytest.mark.parametrize("number", range(3, 9))
def test_where_noops_alternate_with_moves_the_guess_is_the_one_of_this_turn(number):
    """Also after several guesses, which are not noted."""
    assert after((1, "(a)"), (2, "noop")).guess(number) == ("(a)" if number % 2 else "noop")
    assert after((1, "noop"), (2, "(a)")).guess(number) == ("noop" if number % 2 else "(a)")


def test_without_a_noop_the_guess_is_the_last_answer():
    assert after((1, "(a)"), (2, "(b)")).guess(3) == "(b)"
    assert after((2, "noop"), (3, "(a)"), (4, "(b)")).guess(5) == "(b)"


def test_the_first_guess_is_noop():
    assert after().guess(1) == "noop"
    assert after((1, "(a)")).guess(2) == "(a)"
