"""Decide the meaning of separators in an infix rulesheet: Stanford's texts separate statements by `,` or no sign.

    [role(a), p :- q & r, s]      a list: `s` is a fact
    role(a). p :- q, r.           Prolog: statements end with `.`; `r` belongs to the rule, and `,` is read as `&`

A `,` after a literal of a rule may end the rule or join the next literal to it. The other separators of the text
decide; if they do not, the `,` is refused. A literal after a rule, with no sign between them, gets a warning if a `&`
may be missing.

The decisions use an *outline*: the formulas between separators, found in one pass without the grammar. The grammar
reads a `,` or no sign between two formulas as the end of a statement; the outline shows these positions.

    p(X) :- q & r, s          p(X)  :- q & r  , s          each formula with the sign before it, "" for no sign
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

from reasoner.diagnostics import Diagnostic, Severity
from reasoner.language.infix import unwrapped
from reasoner.language.keywords import connective, keyword
from reasoner.language.report import FaultReport
from reasoner.language.source import Source

TOKEN = re.compile(r":-|::|==>|-?\w+|[^\w\s]")
NECKS = frozenset({":-", "⇐", "::"})
"""Signs after a head or an action."""
_SEPARATORS = NECKS | {"==>", ",", "."}
_BEGINS = re.compile(r"-?\w|[(\[~¬]")  # a literal or term; other signs join two, or are foreign, as `=`
_NOT = frozenset("~¬")
_SIGNS = {"not": "~", "and": "&", "or": "|", "if": ":-"}
_VARIABLE = re.compile(r"[A-Z_]")
_NAME = re.compile(r"-?\w")


@dataclass(slots=True)
class Formula:
    """A formula at the top level of a rulesheet.

    `before` is the separator before the formula and `at` the separator's offset; the first formula has `.`. `name` and
    `count` are the name and arity of its relation. `compound`: the formula contains signs. `variable`: it contains a
    variable. `rule`: it contains a rule in parentheses.
    """

    start: int
    before: str
    at: int
    name: str = ""
    count: int = 0
    compound: bool = False
    variable: bool = False
    rule: bool = False
    end: int = 0


def outline(text: str) -> list[Formula]:
    """The formulas of a rulesheet without comments, in order."""
    scanner = _Scanner()
    for token in TOKEN.finditer(text):
        scanner.take(token[0], token.start(), token.end())
    return scanner.found


class _Scanner:
    def __init__(self) -> None:
        self.found: list[Formula] = []
        self._separator, self._at = ".", 0
        self._open = False  # whether the last formula may continue
        self._complete = False  # whether it ends with an operand
        self._called = False  # whether that operand is a name
        self._depth = 0

    def take(self, token: str, start: int, end: int) -> None:
        if self._depth:
            self._inside(token, end)
        elif token in _SEPARATORS:
            self._separator, self._at = token, start
            self._open = self._complete = self._called = False
        elif token == "(" and self._called:
            self.found[-1].count = 1
            self._depth = 1
        elif _BEGINS.match(token):
            self._operand(token, start, end)
        else:
            if self._complete:  # otherwise the sign joins nothing, as the second `|` of `||`; the grammar reports it
                self.found[-1].compound = True
            self._complete = self._called = False

    def _operand(self, token: str, start: int, end: int) -> None:
        if not self._open or self._complete:
            before, at = (self._separator, self._at) if not self._open else ("", start)
            self.found.append(Formula(start, before, at))
            self._open, self._complete = True, False
        formula = self.found[-1]
        formula.end = end
        self._complete = token not in _NOT and token not in "(["
        self._called = False
        if token in "([":
            formula.compound = True
            self._depth = 1
        elif token in _NOT:
            formula.compound = True
        elif _NAME.match(token):
            formula.variable |= _VARIABLE.match(token) is not None
            formula.name, self._called = token, True

    def _inside(self, token: str, end: int) -> None:
        formula = self.found[-1]
        formula.end = end
        if token in "([":
            self._depth += 1
        elif token in ")]":
            self._depth -= 1
            if not self._depth:
                self._complete, self._called = True, False
        elif token == "," and self._depth == 1:
            formula.count += 1
        elif token in NECKS:
            formula.rule = True
        elif _VARIABLE.match(token):
            formula.variable = True


def with_signs(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each `not`, `and`, `or` and `if` used as a sign in an infix text: offset, word, sign."""
    complete = False  # whether the previous token is an operand
    tokens = ((token[0], token.start()) for token in TOKEN.finditer(text))
    for (token, offset), (after, _) in pairwise(chain(tokens, [("", 0)])):
        operand = bool(_NAME.match(after)) or after in ("~", "¬", "[")
        stands = operand if token.lower() == "not" else complete and (operand or after == "(")
        stands = stands and token.lower() in _SIGNS
        if stands:
            yield offset, token, _SIGNS[token.lower()]
        complete = not stands and (bool(_NAME.match(token)) or token in ")]")


_ONLY_ASKED = frozenset({"true", "does"})
_INDENT = re.compile(r"[ \t]*")


def with_joined_bodies(source: Source) -> Source:
    """Replace each `,` that joins literals by `&`, and the words of `with_signs` by signs. Raises RulesError."""
    joining = _Joining(source)
    joining.replace_words()
    joining.read()
    joining.report.raise_errors()
    return Source(source.text, "".join(joining.text), joining.report.diagnostics())


class _SeparatorCounts:
    """Counts of the separators between the statements of a text."""

    def __init__(self, formulas: list[Formula], wrapped: bool) -> None:
        self.dots = sum(formula.before == "." for formula in formulas[1:])
        self.lists = int(wrapped)  # number of `,` that can only separate statements
        self.facts = int(wrapped)  # number of these that follow a fact
        self.others = sum(formula.before in ("", ".") for formula in formulas[1:])  # statements after no `,`
        self.operations = any(formula.before in ("::", "==>") for formula in formulas)
        self.derived = {(f.name, f.count) for f, after in paired(formulas) if after in NECKS}
        in_rule = False
        for formula, after in paired(formulas):
            self.facts += formula.before == "," and not in_rule
            self.lists += formula.before == "," and (not in_rule or after in NECKS or formula.rule)
            in_rule = after in NECKS or formula.before in NECKS or (in_rule and formula.before in (",", "==>"))

    def has_rules(self, formula: Formula) -> bool:
        """Whether a formula's relation has rules; False for keywords except `terminal`: they may also have facts."""
        return (formula.name, formula.count) in self.derived and keyword(formula.name) in (None, "terminal")


def paired(formulas: list[Formula]) -> list[tuple[Formula, str]]:
    """Each formula with the separator after it."""
    return list(zip(formulas, chain((formula.before for formula in formulas[1:]), "."), strict=False))


class _Joining:
    def __init__(self, source: Source) -> None:
        self._source = source
        self.text = list(source.read)
        self.report = FaultReport(source)

    def replace_words(self) -> None:
        """Replace each `not`, `and`, `or` and `if` used as a sign by the sign."""
        for offset, word, sign in with_signs(self._source.read):
            self.text[offset : offset + len(word)] = sign.ljust(len(word))
            message = f"`{word}` is read as `{sign}`; other players do not read it so"
            self.warn("word-for-sign", message, f"Write `{sign}`.", offset, len(word))

    def read(self) -> None:
        """Decide what each `,` and each missing sign after a rule means."""
        formulas = outline(unwrapped("".join(self.text)))
        self._separators = _SeparatorCounts(formulas, wrapped=self._source.read[:1000].lstrip().startswith("["))
        statements = [formula for formula in formulas if formula.before in ("", ".")]
        self._by_line = 2 * sum(map(self._begins_line, statements)) > len(statements)  # most begin a line
        rule: Formula | None = None  # the head of the rule that may continue
        for before, (formula, after) in zip([None, *formulas], paired(formulas), strict=False):
            begins = after in NECKS or formula.rule
            if formula.before in NECKS or formula.before == "==>":
                continue
            if before and not (rule or before.rule) and formula.before == "," and after in NECKS:
                self._check_heads(formula)
            if rule and formula.before == "," and not begins and self._joins(formula, after):
                continue
            if rule and formula.before == "," and begins and not self._separators.facts and self._separators.dots:
                message = "this `,` ends a rule; other statements end with `.`"
                self.warn("comma-for-dot", message, "Write `.`.", formula.at)
            elif rule and formula.before in ("", ".") and not begins:
                self._check_alone(formula, rule)
            rule = formula if after in NECKS else None

    def _check_heads(self, formula: Formula) -> None:
        """Check a rule after a fact and a `,`: if other statements do not end with `,`, both may be meant as heads."""
        if self._separators.others >= self._separators.facts:
            message = f"this `,` ends a fact; only {self._shown(formula)} is the head of the rule after it"
            self.warn("comma-between-heads", message, "Write one rule for each head.", formula.at)

    def _joins(self, formula: Formula, after: str) -> bool:
        """Whether a formula after the `,` of a rule belongs to its body."""
        separators = self._separators
        literal = after == "==>" or formula.compound or formula.variable or formula.name in _ONLY_ASKED
        literal = literal or connective(formula.name) is not None
        if separators.lists > separators.dots and (literal or not separators.facts):
            self._refuse_comma(formula, literal)
            return True
        if separators.lists > separators.dots:
            if separators.has_rules(formula):
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
        """Check a formula that follows a rule, with no sign or the `.` of the rule between them."""
        separators = self._separators
        no_fact = formula.compound or formula.name in _ONLY_ASKED or connective(formula.name) is not None
        if formula.before == "" and no_fact and not separators.operations:
            message = f"{self._shown(formula)} follows a rule with no sign between them, and cannot be a statement"
            fix = "Write `&` before it, or the head of its rule."
            self.error("literal-alone", message, fix, formula.start, formula.end - formula.start)
        elif no_fact:
            return
        elif self._indented(formula, rule) or self._may_be_missing(formula, rule):
            self._note_alone(formula)

    def _may_be_missing(self, formula: Formula, rule: Formula) -> bool:
        first = self._begins_line(formula)
        derived = self._separators.has_rules(formula)
        if formula.before == ".":
            return derived and not first
        expected = not self._separators.dots and (first or not self._by_line)
        stray = not expected and keyword(formula.name) in (None, "terminal")
        alike = (formula.name, formula.count) == (rule.name, rule.count)
        return stray or (derived and not (alike and first))

    def _note_alone(self, formula: Formula) -> None:
        message = f"{self._shown(formula)} follows a rule and is read as a fact of its own"
        fix = "Write `&` before it if it belongs to the rule; if it is a fact, put it before the rule."
        self.warn("missing-and", message, fix, formula.start, formula.end - formula.start)

    def _indented(self, formula: Formula, rule: Formula) -> bool:
        """Whether a formula begins a line that is indented more than the line of the rule's head."""
        line, head = (self._line_start(f.start) for f in (formula, rule))
        indent = self._indent(line)
        return line != head and line + indent == formula.start and indent > self._indent(head)

    def _begins_line(self, formula: Formula) -> bool:
        line = self._line_start(formula.start)
        return self._indent(line) == formula.start - line

    def _line_start(self, offset: int) -> int:
        return offset - self._source.span(offset).column + 1

    def _indent(self, line: int) -> int:
        found = _INDENT.match(self._source.text, line)
        return len(found[0]) if found else 0

    def _shown(self, formula: Formula) -> str:
        text = " ".join(self._source.read[formula.start : formula.end].split())
        return f"`{text}`" if len(text) <= 60 else f"`{text[:57]}...`"

    def warn(self, code: str, message: str, fix: str, offset: int, length: int = 1) -> None:
        """Record a fault that does not prevent reading."""
        self.report.add(Diagnostic(Severity.WARNING, code, message, fix, self._source.span(offset, length)))

    def error(self, code: str, message: str, fix: str, offset: int, length: int = 1) -> None:
        """Record a fault that makes the text invalid."""
        self.report.add(Diagnostic(Severity.ERROR, code, message, fix, self._source.span(offset, length)))
