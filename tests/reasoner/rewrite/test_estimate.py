from reasoner.rewrite.estimate import Estimate
from reasoner.rules.read import read_program


def test_the_size_of_a_rule_of_many_variables_is_finite():
    """The product of 900 domains is no float; such a rule ended the build."""
    conditions = " ".join(f"(p ?x{i} ?y{i})" for i in range(450))
    rules = f"(role a) (legal a x) (goal a 100) (p 1 2) (p 2 3) (p 3 1) (<= wide {conditions}) (<= terminal wide)"
    program, _ = read_program(rules)
    estimate = Estimate.of(program)
    (rule,) = [rule for rule in program.rules if rule.head.relation == ("wide", 0)]
    assert 1 <= estimate.join(rule.body, estimate.variables(rule)) < float("inf")
    assert estimate.sizes["wide", 0] <= 1
