"""Check of roles that never have a choice, because a fact that gives them the turn never occurs.

(init (control white)) (<= (next (control ?p)) (true (control ?p)))  the turn never goes to black
(<= (legal ?p (mark ?x)) (true (control ?p)) (true (cell ?x b)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
"""

from __future__ import annotations

from collections.abc import Iterator

from reasoner.language.report import FaultReport
from reasoner.language.terms import Constant, Term, Variable, substitute
from reasoner.rules.domains import Domains, occurrences, variable_domains
from reasoner.rules.program import Rule, is_positive
from reasoner.rules.sheet import Sheet, located


def check_turns(sheet: Sheet, report: FaultReport, known: Domains) -> None:
    """Report each role with at most one legal move, if a rule for `legal` asks for a fact that never names it."""
    rules = [rule for rule in sheet.rules if rule.head.relation == ("legal", 2)]
    for role, place in sheet.roles.items():
        if any(not isinstance(move, Constant) for move in _moves(role, rules, known)):
            continue
        turns = (turn for rule in rules if (turn := _missing_turn(role, rule, sheet, known)))
        moves = sorted({str(move) for move in _moves(role, rules, known)})
        if len(moves) < 2 and (turn := next(turns, None)):
            report.warn(
                "never-moves",
                f"{role} never has a move{f' other than {moves[0]}' if moves else ''}: no state contains {turn}",
                f"Make this fact, by a rule for `next` or an effect, when the turn of {role} comes.",
                located(str(role), place.source),
            )


def _moves(role: Term, rules: list[Rule], known: Domains) -> Iterator[Term]:
    """Yield the move of each rule for `legal` that may apply to a role."""
    for rule in rules:
        who, move = rule.head.arguments
        domain = variable_domains(rule, known).get(who) if isinstance(who, Variable) else None
        if who == role or (isinstance(who, Variable) and (domain is None or domain.holds(role))):
            yield move


def _missing_turn(role: Term, rule: Rule, sheet: Sheet, known: Domains) -> Term | None:
    """Return a fact, such as ``(control black)``, that the rule needs for the role and that names only other roles."""
    who = rule.head.arguments[0]
    for condition in rule.body:
        if not isinstance(who, Variable) or not is_positive(condition) or condition.atom.name != "true":
            continue
        places = [domain for variable, domain in occurrences(condition.atom, known) if variable == who]
        if any(not place.holds(role) and any(map(place.holds, sheet.roles)) for place in places):
            return substitute(condition.atom.arguments[0], {who: role})
    return None
