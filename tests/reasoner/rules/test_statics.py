from __future__ import annotations

from reasoner.rules.statics import static_relations
from tests.reasoner.rules.sheets import program


def test_what_depends_on_neither_true_nor_does_is_static():
    extra = """
    (succ 1 2) (one 1)
    (<= (two ?x) (not (one ?x)) (succ ?y ?x))
    (<= (moved ?r) (does ?r wait))
    (<= (b) (moved white) (squee))
    (<= (a) (not (b)))
    """
    static = {name for name, _ in static_relations(program(extra))}
    assert static == {"role", "init", "goal", "succ", "one", "two", "squee"}
