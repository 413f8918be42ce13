"""Separators between the statements of an infix rulesheet: Stanford's texts use `,` or nothing, Prolog's use `.`.

    [role(a), p :- q & r, s]      a list: `s` is a fact
    role(a). p :- q, r.           Prolog: `r` belongs to the rule, the `,` is read as `&`

A `,` after a rule that may join literals is not taken for an end: it is refused if the rest of the text does not
decide. A literal that follows a rule without any sign gets a warning if a `&` may be missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reasoner.diagnostics import Diagnostic, Severity
from reasoner.errors import RulesError
from reasoner.language.infix import unwrapped
from reasoner.language.keywords import connective, keyword
from reasoner.language.outline import NECKS, Formula, outline, with_signs
from reasoner.language.source import Source

_MOST = 100  # faults of one kind
_ONLY_ASKED = frozenset({"true", "does"})
_INDENT = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Joined:
    """The text for the grammar, of the same length, and the diagnostics."""

    text: str
    remarks: tuple[Diagnostic, ...]


def with_joined_bodies(source: Source) -> Joined:
    """The text with `&` for each `,` that joins literals, and with signs for words. Raises RulesError."""
    joining = _Joining(source)
    joining.replace_words()
    joining.read()
    if joining.errors:
        raise RulesError([*joining.errors, *joining.remarks])
    return Joined("".join(joining.text), tuple(joining.remarks))


class _Habits:
    """How the text separates statements, counted over all of it."""

    def __init__(self, formulas: list[Formula], wrapped: bool) -> None:
        self.dots = sum(formula.before == "." for formula in formulas[1:])
        self.lists = int(wrapped)  # every `,` that can only
        self.facts = int(wrapped)  # those of them after a fact
        self.operations = any(formula.before in ("::", "==>") for formula in formulas)
        self.derived = {(f.name, f.count) for f, after in paired(formulas) if after in NECKS}
        in_rule = False
        for formula, after in paired(formulas):
            self.facts += formula.before == "," and not in_rule
            self.lists += formula.before == "," and (not in_rule or after in NECKS or formula.rule)
            in_rule = after in NECKS or formula.before in NECKS or (in_rule and formula.before in (",", "==>"))

    def has_rules(self, formula: Formula) -> bool:
        """Whether a formula uses a derived relation that is not a keyword stated beside rules, such as `goal`."""
        return (formula.name, formula.count) in self.derived and keyword(formula.name) in (None, "terminal")


def paired(formulas: list[Formula]) -> list[tuple[Formula, str]]:
    """Each formula with the separator after it."""
    return list(zip(formulas, [*(formula.before for formula in formulas[1:]), "."], strict=True))


class _Joining:
    def __init__(self, source: Source) -> None:
        self._source = source
        self.text = list(source.read)
        self.remarks: list[Diagnostic] = []
        self.errors: list[Diagnostic] = []
        self._counts: dict[str, int] = {}

    def replace_words(self) -> None:
        """Replace each `not`, `and`, `or` and `if` used as a sign by the sign."""
        for offset, word, sign in with_signs(self._source.read):
            self.text[offset : offset + len(word)] = sign.ljust(len(word))
            message = f"`{word}` is read as `{sign}`; other players do not"
            self.warn("word-for-sign", message, f"Write `{sign}`.", offset, len(word))

    def read(self) -> None:
        """Decide what each `,` and each missing sign after a rule means."""
        formulas = outline(unwrapped("".join(self.text)))
        self._habits = _Habits(formulas, wrapped=self._source.read[:1000].lstrip().startswith("["))
        rule: Formula | None = None  # the head of the rule that may go on
        for formula, after in paired(formulas):
            begins = after in NECKS or formula.rule
            if formula.before in NECKS or formula.before == "==>":
                continue
            if rule and formula.before == "," and not begins and self._joins(formula, after):
                continue
            if rule and formula.before == "," and begins and not self._habits.facts and self._habits.dots:
                message = "this `,` ends a rule, where other statements end with `.`"
                self.warn("comma-for-dot", message, "Write `.`.", formula.at)
            elif rule and formula.before in ("", ".") and not begins:
                self._check_alone(formula, rule)
            rule = formula if after in NECKS else None

    def _joins(self, formula: Formula, after: str) -> bool:
        """Whether a formula after the `,` of a rule belongs to its body."""
        habits = self._habits
        literal = after == "==>" or formula.compound or formula.variable or formula.name in _ONLY_ASKED
        literal = literal or connective(formula.name) is not None
        if habits.lists > habits.dots and (literal or not habits.facts):
            self._refuse_comma(formula, literal)
            return True
        if habits.lists > habits.dots:
            if habits.has_rules(formula):
                self._note_alone(formula)
            return False
        self.text[formula.at] = "&"
        message = "this `,` is read as `&`, which joins the conditions of a rule; other players do not read it so"
        self.warn("comma-in-body", message, "Write `&`.", formula.at)
        return True

    def _refuse_comma(self, formula: Formula, literal: bool) -> None:
        shown = self._shown(formula)
        if literal:
            message = f"`,` separates statements in this text, and {shown} cannot be one"
        else:
            message = f"it is unclear whether this `,` ends the rule or joins {shown} to it: the text does both"
        fix = "Write `&` between the conditions of a rule, and `.` after a statement."
        self.error("unclear-comma", message, fix, formula.at)

    def _check_alone(self, formula: Formula, rule: Formula) -> None:
        """Check a formula that follows a rule without a sign, or on a further line after its `.`."""
        habits = self._habits
        no_fact = formula.compound or formula.name in _ONLY_ASKED or connective(formula.name) is not None
        if formula.before == "" and no_fact and not habits.operations:
            message = f"{self._shown(formula)} follows a rule without a sign, and cannot be a statement"
            fix = "Write `&` before it, or the head of its rule."
            self.error("literal-alone", message, fix, formula.start, formula.end - formula.start)
        elif no_fact:
            return
        elif self._indented(formula, rule) or self._may_be_missing(formula, rule):
            self._note_alone(formula)

    def _may_be_missing(self, formula: Formula, rule: Formula) -> bool:
        line = self._line_start(formula.start)
        first = self._indent(line) == formula.start - line
        derived = self._habits.has_rules(formula)
        if formula.before == ".":
            return derived and not first
        stray = bool(self._habits.dots) and keyword(formula.name) in (None, "terminal")
        alike = (formula.name, formula.count) == (rule.name, rule.count)
        return stray or (derived and not (alike and first))

    def _note_alone(self, formula: Formula) -> None:
        message = f"{self._shown(formula)} follows a rule and is read as a fact of its own"
        fix = "Write `&` before it if it belongs to the rule; else put it before the rule."
        self.warn("missing-and", message, fix, formula.start, formula.end - formula.start)

    def _indented(self, formula: Formula, rule: Formula) -> bool:
        """Whether a formula begins a line that is indented more than the line of the rule's head."""
        line, head = (self._line_start(f.start) for f in (formula, rule))
        indent = self._indent(line)
        return line != head and line + indent == formula.start and indent > self._indent(head)

    def _line_start(self, offset: int) -> int:
        return offset - self._source.span(offset).column + 1

    def _indent(self, line: int) -> int:
        found = _INDENT.match(self._source.text, line)
        return len(found[0]) if found else 0

    def _shown(self, formula: Formula) -> str:
        text = " ".join(self._source.read[formula.start : formula.end].split())
        return f"`{text}`" if len(text) <= 60 else f"`{text[:57]}...`"

    def warn(self, code: str, message: str, fix: str, offset: int, length: int = 1) -> None:
        """Record an oddity that is read."""
        self._add(Diagnostic(Severity.WARNING, code, message, fix, self._source.span(offset, length)), self.remarks)

    def error(self, code: str, message: str, fix: str, offset: int, length: int = 1) -> None:
        """Record a fault that leaves the text without meaning."""
        self._add(Diagnostic(Severity.ERROR, code, message, fix, self._source.span(offset, length)), self.errors)

    def _add(self, diagnostic: Diagnostic, found: list[Diagnostic]) -> None:
        self._counts[diagnostic.code] = self._counts.get(diagnostic.code, 0) + 1
        if self._counts[diagnostic.code] <= _MOST:
            found.append(diagnostic)
