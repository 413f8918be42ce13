from agent.page.terms import term_of


def test_text_that_is_no_fact_stays_one():
    assert str(term_of("()")) == "()"


def test_arguments_stay_text_however_deep_they_are():
    assert [str(argument) for argument in term_of("(at (pos 1 (x y)) queen)").arguments] == ["(pos 1 (x y))", "queen"]
