"""Write expressions as infix text. Names stay unchanged; `rename` renames names that infix cannot write."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reasoner.language.expressions import Expression, Group, Word
from reasoner.language.keywords import connective

_WIDTH = 100  # characters of a line
_PARENTHESIS = re.compile(r"[()]")
_TOKEN = re.compile(r"[()]|[^\s()]+")
_VARIABLE = re.compile(r"\?\w[\w:-]*")


def write_infix(expression: Expression) -> str:
    """The expression on one line: ``p(X) :- q(X,a) & ~r``."""
    word, items = _parts(expression)
    if word == "<=" and items:
        body = " & ".join(map(_tight, items[1:]))
        return f"{write_infix(items[0])} :- {body or 'true'}"
    if word == "::" and len(items) == 3:
        return _operation(items)
    if word == "not" and len(items) == 1:
        return f"~{_tight(items[0])}"
    if word in ("and", "or") and len(items) > 1:
        return (" & " if word == "and" else " | ").join(map(_tight, items))
    if isinstance(expression, Word):
        return _word(expression.text)
    arguments = ",".join(map(write_infix, expression.items[1:]))
    return f"{write_infix(expression.items[0])}({arguments})" if expression.items else "()"


def in_infix(message: str) -> str:
    """Translate the KIF in a message about rules to infix: every parenthesis and every ``?x``."""
    pieces: list[str] = []
    cursor = 0
    while (opened := message.find("(", cursor)) >= 0:
        closed = _closing(message, opened)
        pieces += [message[cursor:opened], write_infix(_read(_TOKEN.findall(message[opened:closed])))]
        cursor = closed
    return _VARIABLE.sub(lambda found: _word(found[0]), "".join([*pieces, message[cursor:]]))


def _closing(text: str, opened: int) -> int:
    """The offset after the parenthesis that closes the one at `opened`, or the end."""
    depth = 0
    for found in _PARENTHESIS.finditer(text, opened):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return found.end()
    return len(text)


def _read(tokens: list[str]) -> Expression:
    """Parse one list from tokens; missing closing parentheses are added."""
    stack: list[list[Expression]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")" and len(stack) > 1:
            group = Group(tuple(stack.pop()), 0)
            stack[-1].append(group)
        else:
            stack[-1].append(Word(token, 0))
    while len(stack) > 1:
        group = Group(tuple(stack.pop()), 0)
        stack[-1].append(group)
    return stack[0][0]


def pretty_infix(expressions: Iterable[Expression]) -> str:
    """One statement per line; the body of a longer rule is indented, one literal per line."""
    return "\n".join(map(_statement, expressions))


def _statement(expression: Expression) -> str:
    line = write_infix(expression)
    word, items = _parts(expression)
    if len(line) <= _WIDTH or word != "<=" or len(items) < 2:
        return line
    return f"{write_infix(items[0])} :-\n    " + " &\n    ".join(map(_tight, items[1:]))


def _operation(items: tuple[Expression, ...]) -> str:
    action, condition, effect = items
    word, parts = _parts(condition)
    if word == "and" and not parts:
        return f"{write_infix(action)} :: {write_infix(effect)}"
    return f"{write_infix(action)} :: {write_infix(condition)} ==> {write_infix(effect)}"


def _tight(expression: Expression) -> str:
    """The expression in parentheses if an adjacent `&` or `~` would bind only a part of it."""
    word, items = _parts(expression)
    text = write_infix(expression)
    return f"({text})" if word in ("and", "or") and len(items) > 1 else text


def _parts(expression: Expression) -> tuple[str | None, tuple[Expression, ...]]:
    """Return the connective or `::` at the beginning of a list, and the other items."""
    if isinstance(expression, Group) and expression.items and isinstance(expression.items[0], Word):
        name = expression.items[0].text
        return connective(name) or (name if name == "::" else None), expression.items[1:]
    return None, ()


def _word(text: str) -> str:
    if not text.startswith("?"):
        return text
    name = text[1:]
    made = name.startswith("_:") or "-" in name  # `_`, or a variable of the translation of operations
    return "_" if made else name[:1].upper() + name[1:]
