"""Checks of names: spelling, numbers of arguments, and keywords in positions where they have no meaning."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from reasoner.language.expressions import Expression, Group, Word
from reasoner.language.keywords import connective, keyword
from reasoner.language.report import FaultReport
from reasoner.rules.checks.foreign_names import ARITHMETIC_SIGNS
from reasoner.rules.formulas import Statement, occurring
from reasoner.rules.percepts import SEES
from reasoner.rules.sheet import Sheet, located

Places = dict[str, dict[int, Word]]
"""For each name and number of arguments, the first word in the text."""


@dataclass(slots=True)
class Vocabulary:
    """Names by use. Keywords used as relations are not among the `relations`."""

    relations: Places = field(default_factory=dict)
    functions: Places = field(default_factory=dict)
    constants: dict[str, Word] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)  # number of all occurrences of each name

    def add_statement(self, expression: Expression) -> None:
        """Add the names of one fact or rule, or of a part of a body."""
        if isinstance(expression, Group) and expression.items and isinstance(expression.items[0], Word):
            name = expression.items[0]
            word = connective(name.text)
            if word == "distinct":
                self._add_terms(expression.items[1:])
            elif word:
                for item in expression.items[1:]:
                    self.add_statement(item)
            else:
                self._add(self.relations, name, len(expression.items) - 1)
                self._add_terms(expression.items[1:])
        elif isinstance(expression, Word) and not expression.text.startswith("?"):
            self._add(self.relations, expression, 0)

    def _add_terms(self, items: Iterable[Expression]) -> None:
        for item in items:
            if isinstance(item, Group):
                if item.items and isinstance(item.items[0], Word):
                    self._add(self.functions, item.items[0], len(item.items) - 1)
                self._add_terms(item.items[1:])
            elif not item.text.startswith("?"):
                self.constants.setdefault(item.text, item)
                self.counts[item.text] = self.counts.get(item.text, 0) + 1

    def _add(self, places: Places, word: Word, count: int) -> None:
        if word.text.startswith("?"):  # an error, reported where the word is read
            return
        places.setdefault(word.text, {}).setdefault(count, word)
        self.counts[word.text] = self.counts.get(word.text, 0) + 1

    def first(self) -> Iterator[tuple[str, Word]]:
        """Yield every name once, with a word that has this name."""
        found = dict(self.constants)
        for places in (self.functions, self.relations):
            for name, by_count in places.items():
                found.setdefault(name, next(iter(by_count.values())))
        yield from found.items()


def vocabulary(statements: Iterable[Statement]) -> Vocabulary:
    """The names of all statements."""
    found = Vocabulary()
    for statement in statements:
        found.add_statement(statement.source)
    return found


_USUAL = re.compile(r"[A-Za-z0-9_-]+")
_MAX_CHARACTERS = 5  # maximum characters named in one message
_DECLARING = frozenset({"base", "input", "sees"})


def check_names(sheet: Sheet, report: FaultReport) -> None:
    """Run all checks of single names."""
    names = vocabulary(sheet.statements)
    _check_counts("relation", names.relations, report)
    _check_counts("function", names.functions, report)
    _check_bare_functions(names, report)
    _check_keywords(names, _DECLARING | _perceived(sheet, names) if SEES in sheet.heads else _DECLARING, report)
    _check_characters(names, sheet, report)
    _check_arithmetic(names, report)
    _check_spellings(names, report)


def _check_counts(kind: str, places: Places, report: FaultReport) -> None:
    for name, by_count in places.items():
        if len(by_count) > 1 and not (kind == "relation" and keyword(name)):
            counts = sorted(by_count)
            report.warn(
                "several-arities",
                f"the {kind} `{name}` is used with {' and '.join(map(str, counts))} arguments:"
                f" these are different {kind}s",
                f"Use the {kind} with one number of arguments, or give the {kind}s two names.",
                max(by_count.values(), key=lambda word: word.offset),
            )


def _check_bare_functions(names: Vocabulary, report: FaultReport) -> None:
    for name, by_count in names.functions.items():
        if 0 in by_count and name in names.constants:
            report.warn(
                "constant-and-function",
                f"the terms `({name})` and `{name}` are different",
                f"Write `{name}` without parentheses everywhere.",
                by_count[0],
            )


def _check_keywords(names: Vocabulary, harmless: frozenset[str], report: FaultReport) -> None:
    for name, by_count in names.functions.items():
        word = next(iter(by_count.values()))
        if keyword(name) in harmless:
            report.warn("keyword-as-function", f"`{name}` is a keyword, here used as a function", _RENAME, word)
        elif keyword(name):
            report.error(
                "keyword-in-term",
                f"`{name}` is a keyword and cannot be inside a term",
                f"Check the parentheses before it; if a function is meant, {_RENAME.lower()}",
                word,
            )
    for name, word in names.constants.items():
        if keyword(name):
            report.warn("keyword-as-constant", f"`{name}` is a keyword, here used as a constant", _RENAME, word)


_RENAME = "Give it another name."


def _perceived(sheet: Sheet, names: Vocabulary) -> frozenset[str]:
    """Return `does`, and the keywords used only as names of percepts, as in ``(sees ?r (legal ?q ?m))``."""
    elsewhere = vocabulary(s for s in sheet.statements if s.head.atom.relation != SEES)
    for statement in sheet.heads[SEES]:
        for formula in statement.source.items[2:] if statement.arrow and isinstance(statement.source, Group) else ():
            elsewhere.add_statement(formula)
    others = {keyword(name) for name in elsewhere.functions}
    return frozenset({"does", *(word for name in names.functions if (word := keyword(name)) and word not in others)})


def _check_characters(names: Vocabulary, sheet: Sheet, report: FaultReport) -> None:
    reported = {use.relation[0] for use in sheet.uses if use.relation not in sheet.heads}
    reported |= {name for name in ARITHMETIC_SIGNS if 2 in names.functions.get(name, {})}
    reported |= {name for name, counts in names.relations.items() if 0 in counts and not any(map(str.isalnum, name))}
    for name, word in names.first():
        made = " " in name  # an auxiliary name
        if not made and name not in reported and not _USUAL.fullmatch(name):
            capital = report.source.infix and not name[0].isascii() and name[0].isupper()
            _warn_characters(name, word, " A variable begins with A to Z or `_`." if capital else "", report)


def _warn_characters(name: str, word: Expression, more: str, report: FaultReport) -> None:
    odd = islice(dict.fromkeys(character for character in name if not character.isascii()), _MAX_CHARACTERS)
    named = " and ".join(f"U+{ord(each):04X} {unicodedata.name(each, 'without a name')}" for each in odd)
    plain = unicodedata.normalize("NFKC", name)
    meant = f"Type `{plain}`." if plain != name and plain.isascii() else "Use letters, digits, `_` and `-`."
    report.warn(
        "unusual-character",
        f"`{name}` contains {f'{named}, which' if named else 'characters that'} other players may be unable to read",
        f"{meant}{more}",
        word,
    )


def _check_arithmetic(names: Vocabulary, report: FaultReport) -> None:
    for name, by_count in names.functions.items():
        if name in ARITHMETIC_SIGNS and 2 in by_count:
            report.warn(
                "arithmetic-term",
                f"`({name} …)` is an ordinary term: GDL has no arithmetic",
                "Write a table of facts, such as (succ 1 2), and use the table in the body.",
                by_count[2],
            )


def _check_spellings(names: Vocabulary, report: FaultReport) -> None:
    by_lower: dict[str, list[Word]] = {}
    for name, word in names.first():
        if not (name in names.relations and keyword(name)):
            by_lower.setdefault(name.lower(), []).append(word)
    for words in by_lower.values():
        words.sort(key=lambda word: (-names.counts[word.text], word.offset))
        for other in words[1:]:
            report.warn(
                "two-spellings",
                f"`{other.text}` and `{words[0].text}` differ only in capital letters, and are different names",
                "Use the same spelling if they mean the same.",
                other,
            )


def check_variables(sheet: Sheet, report: FaultReport) -> None:
    """Check that no two variables of one rule differ only in capital letters, and that all are of ASCII."""
    for statement in sheet.statements:
        used = dict.fromkeys(statement.head.atom.variables())
        for part in statement.body:
            used.update(dict.fromkeys(occurring(part)))
        first: dict[str, str] = {}
        for variable in map(str, used):
            if not variable.isascii():
                _warn_characters(variable, located(variable, statement.source), "", report)
            other = first.setdefault(variable.lower(), variable)
            if other != variable:
                report.warn(
                    "two-variables",
                    f"{other} and {variable} differ only in capital letters, and are different variables",
                    "Use the same spelling if they mean the same.",
                    located(variable, statement.source),
                )
