"""Checks of names that are used but not defined, or defined but not used, and of the required relations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from itertools import islice

from reasoner.language.build import EMPTY, counted_arguments, has_name
from reasoner.language.keywords import ARITIES, ASKED, DERIVED, connective, keyword
from reasoner.language.report import MAX_OF_A_KIND, FaultReport
from reasoner.language.terms import CONSTANT, Compound, Shape, Term, shape_of
from reasoner.rules.checks.foreign_names import foreign_fix
from reasoner.rules.formulas import Sentence
from reasoner.rules.program import Relation, is_auxiliary
from reasoner.rules.sheet import Sheet, Use, located, word_of

_MAX_NAMES = 2_000  # maximum names compared
_MIN_LIKENESS = 0.75  # difflib ratio: `ture` is like `true`, `index` is not like a keyword


def check_relations(sheet: Sheet, report: FaultReport) -> None:
    """Check that each relation of a body has a rule or a fact, and that each defined relation is used."""
    used: dict[Relation, Use] = {}
    for use in sheet.uses:
        if has_name(use.sentence.source):
            used.setdefault(use.relation, use)
    undefined = (relation for relation in used if relation not in sheet.heads and not keyword(relation[0]))
    for name, count in islice(undefined, MAX_OF_A_KIND):
        message, fix = _in_operations(name, used, sheet) or (
            f"`{name}` with {counted_arguments(count)} has no fact and no rule: it is never true",
            _suggestion(used[name, count], sheet, operations=report.operations),
        )
        report.warn("undefined-relation", message, fix, word_of(used[name, count].sentence))
    for (name, count), statements in sheet.heads.items():
        if (name, count) not in used and not keyword(name) and not is_auxiliary((name, count)):
            message, fix = _in_operations(name, used, sheet) or (
                f"`{name}` with {counted_arguments(count)} is never used",
                _keyword(name, count, DERIVED) or _as_fact(name, count, sheet) or "Remove it, or use it.",
            )
            report.warn("unused-relation", message, fix, word_of(statements[0].head))


_ALLOWED = "action legal"  # the translation of the `legal` of operations, which has no role
_DO = "do "  # operations are translated to relations such as `do mark`, keywords used as relations to `true_`


def _in_operations(name: str, used: Collection[Relation], sheet: Sheet) -> tuple[str, str] | None:
    """Return message and fix for a name that the translation of operations made; None for all other names."""
    if name.startswith(_DO):
        operation = name.removeprefix(_DO)
        message = f"the operation `{operation}` is never performed: no `legal` allows it, and no effect names it"
        if not any(other == _ALLOWED for other, _ in sheet.heads):
            return message, f"Write `legal` with the move alone, without a role: (legal {operation})."
        return message, "Name it in the effect of another operation, or allow it as a move."
    word = name.rstrip("_")
    if word != name and keyword(word) and any(other.startswith(_DO) for other, _ in used):
        fix = "Write facts of the state alone, such as (cell 1 b); operations say what moves change."
        return f"`{word}` means nothing in a language with operations", fix
    return None


def _suggestion(asked: Use, sheet: Sheet, *, operations: bool) -> str:
    name, arity = asked.relation
    others = [count for other, count in sheet.heads if other == name]
    if others:
        return f"There is `{name}` with {counted_arguments(others[0])}."
    facts = sheet.terms("init", "next"), sheet.terms("legal")
    for words, known in zip(("(true", "(does ROLE"), facts, strict=True):
        if known & shapes_of((name, arity)):
            kind = "a fact of the state" if words == "(true" else "a move"
            return f"`{name}` is {kind}: write {words} {_shown_relation(name, arity)})."
    meant = foreign_fix(asked, operations=operations) or _keyword(name, arity, ASKED)
    alike = [one for one in sheet.heads if one[1] == arity and not keyword(one[0]) and not is_auxiliary(one)]
    return meant or _near(name, [one[0] for one in alike], "Define it, or remove it.")


def _as_fact(name: str, arity: int, sheet: Sheet) -> str | None:
    """Return the fix for an unused relation with the shape of a fact in a `true` literal; None for others."""
    shapes = shapes_of((name, arity))
    if not shapes & sheet.terms("true"):
        return None
    shown = _shown_relation(name, arity)
    if shapes & sheet.terms("init", "next"):
        return f"`{name}` is a fact of the state, too: write (next {shown}) or (init {shown}) for it."
    return "Remove the `true` around it in bodies."


def shapes_of(relation: Relation) -> frozenset[Shape]:
    """Return the shapes of the terms that are written like an atom of a relation."""
    name, count = relation
    return frozenset({(name, count), (name, CONSTANT)}) if count == 0 else frozenset({(name, count)})


def _shown_relation(name: str, count: int) -> str:
    return f"({name} …)" if count else name


def _keyword(name: str, arity: int, words: Mapping[str, int]) -> str | None:
    """Return the question whether a keyword is meant; None if no keyword is similar."""
    near = nearest(name, [word for word, count in words.items() if count == arity], _MIN_LIKENESS)
    return f"Did you mean `{near}`?" if near else None


def _near(name: str, known: Collection[str], otherwise: str) -> str:
    near = nearest(name, known)
    return f"Did you mean `{near}`?" if near else otherwise


def nearest(name: str, known: Collection[str], likeness: float = 0.6) -> str | None:
    """Return the known name most similar to `name`, with at least the difflib ratio `likeness`; None if none is."""
    return next(iter(get_close_matches(name, list(islice(known, _MAX_NAMES)), 1, likeness)), None)


def check_facts(sheet: Sheet, report: FaultReport) -> None:
    """Check that `init` or `next` can make each fact in `true`, and `legal` each move in `does`."""
    asked = [use.sentence for use in sheet.uses]
    made = [statement.head for statement in sheet.statements]
    _check_terms("true", ("init", "next"), _terms(asked, ("true",)), _terms(made, ("init", "next")), sheet, report)
    _check_terms("does", ("legal",), _terms(asked, ("does",)), _terms(made, ("legal",)), sheet, report)


def _terms(sentences: Iterable[Sentence], names: tuple[str, ...]) -> list[tuple[Term, Sentence]]:
    """Return the last arguments of the sentences with one of these names: their facts or moves."""
    found = ((s.atom.arguments[-1], s) for s in sentences if s.atom.name in names and s.atom.arguments)
    return [(term, sentence) for term, sentence in found if shape_of(term) != EMPTY]


def check_misspelled_facts(sheet: Sheet, report: FaultReport) -> None:
    """Report facts that no `true` uses, of two kinds.

    Only one of `init` and `next` makes the fact, and it resembles a fact that `true` uses and only the other keyword
    makes: it is probably misspelled. Or only `init` makes it: it has no effect on the game.
    """
    asked = {shape_of(term) for term, _ in _terms((use.sentence for use in sheet.uses), ("true",))}
    if None in asked:  # a variable may refer to anything
        return
    heads = [statement.head for statement in sheet.statements]
    made = {maker: {shape_of(term): s for term, s in _terms(heads, (maker,))} for maker in ("init", "next")}
    for maker, other in (("init", "next"), ("next", "init")):
        lacking = [shape for shape in asked if shape in made[other] and shape not in made[maker]]
        strangers = (
            (shape, s) for shape, s in made[maker].items() if shape and shape not in asked | made[other].keys()
        )
        for (functor, count), sentence in islice(strangers, MAX_OF_A_KIND):
            near = nearest(functor, [known[0] for known in lacking if known and known[1] == count])
            if near or maker == "init":
                lack = f"; no `{maker}` makes {_shown((near, count))}" if near else ""
                report.warn(
                    "never-asked",
                    f"`{maker}` makes {_shown((functor, count))}, which no `true` uses{lack}",
                    f"Did you mean `{near}`?" if near else "Correct its name, or remove it.",
                    located(functor, sentence.source),
                )


def check_moves(sheet: Sheet, report: FaultReport) -> None:
    """Report moves with arguments that no `does` asks for: the arguments can change nothing."""
    asked = {shape_of(term) for term, _ in _terms((use.sentence for use in sheet.uses), ("does",))}
    made = _terms((statement.head for statement in sheet.statements), ("legal",))
    if report.failed or None in asked:  # a variable may refer to any move
        return
    known = {shape[0] for shape in asked if shape}  # with another number of arguments: `never-does`
    unread: dict[Shape, Sentence] = {}
    for term, sentence in made:
        chosen = {*term.arguments}.difference(sentence.atom.arguments) if isinstance(term, Compound) else ()
        if chosen and (shape := shape_of(term)) and shape[0] not in known:  # `(pass ?r)` leaves a role no choice
            unread[shape] = sentence
    for shape, sentence in islice(unread.items(), MAX_OF_A_KIND):
        report.warn(
            "unread-move",
            f"`legal` makes the moves {_shown(shape)}, but no `does` asks for them: all have the same effect",
            f"Ask (does ROLE {_shown(shape)}) in a rule for `next`.",
            located(shape[0], sentence.source),
        )


def _shown(shape: Shape) -> str:
    functor, count = shape
    return functor if count == CONSTANT else f"({functor}{' …' if count else ''})"


def _check_terms(
    name: str,
    makers: tuple[str, ...],
    asked: list[tuple[Term, Sentence]],
    made: list[tuple[Term, Sentence]],
    sheet: Sheet,
    report: FaultReport,
) -> None:
    shapes = {shape_of(term) for term, _ in made}
    if None in shapes:  # a variable may make anything
        return
    known = {shape for shape in shapes if shape is not None}
    strangers: dict[Shape, Sentence] = {}
    for term, sentence in asked:
        shape = shape_of(term)
        if shape is not None and shape not in known and not connective(shape[0]):
            strangers.setdefault(shape, sentence)
    for (functor, count), sentence in islice(strangers.items(), MAX_OF_A_KIND):
        maker = " or ".join(f"`{maker}`" for maker in makers)
        report.warn(
            f"never-{name}",
            f"`{name}` asks for {_shown((functor, count))}, which no {maker} makes",
            _asked_otherwise(name, (functor, count), known, sheet) or _near(functor, [f for f, _ in known], _MAKE),
            located(functor, sentence.source),
        )


_MAKE = "Add a rule that makes it, or remove the literals that use it."


def _asked_otherwise(name: str, shape: Shape, known: set[Shape], sheet: Sheet) -> str | None:
    """Return the fix if a name is known with another number of arguments or another keyword; None otherwise."""
    functor, count = shape
    if name == "true" and (functor, max(count, 0)) in sheet.heads:
        return f"`{functor}` is a relation: drop `true`."
    if name == "true" and shape in sheet.terms("legal"):
        return f"`{functor}` is a move: ask (does ROLE {_shown(shape)})."
    others = [other for other_functor, other in known if other_functor == functor]
    if others:
        counted = "no parentheses" if others[0] == CONSTANT else counted_arguments(others[0])
        return f"`{functor}` has {counted} in `{'legal' if name == 'does' else 'init` and `next'}`."
    return None


_NEEDED = {
    "role": "there are no players",
    "legal": "no player can move",
    "terminal": "the game can never end",
    "goal": "no player gets a score",
}

_ADD = {name: f"Add a `{name}` fact or rule." for name in _NEEDED} | {"role": "Add a (role NAME) fact for each player."}


def check_presence(sheet: Sheet, report: FaultReport) -> None:
    """Check that `role`, `legal`, `terminal` and `goal` each have a rule or a fact."""
    present = {name for name, _ in sheet.heads}
    for name, consequence in _NEEDED.items():
        if name not in present:
            meant = _misspelled(name, sheet)
            report.error(
                f"missing-{name}",
                f"no `{name}` is stated or derived: {consequence}",
                f"Did you mean `{name}` by `{meant}`?" if meant else _ADD[name],
                word_of(sheet.heads[meant, ARITIES[name]][0].head) if meant else None,
            )


def _misspelled(name: str, sheet: Sheet) -> str | None:
    """Return a relation whose name is very likely a misspelling of `name`; None if there is none."""
    asked = {use.relation for use in sheet.uses}
    known = [(other, ARITIES[name]) for other, count in sheet.heads if count == ARITIES[name] and not keyword(other)]
    return nearest(name, [r[0] for r in known if r not in asked], 0.75) or nearest(name, [r[0] for r in known], 0.85)
