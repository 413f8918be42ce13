"""The file of an evaluation holds it completely, and other files are refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reasoner.identity import identify
from reasoner.rules.read import read_program
from search.errors import StorageError
from search.minimax.lesson import Lesson
from search.minimax.storage import MAX_BYTES, StoredLesson, from_bytes, load, save, to_bytes
from tests.machines import built
from tests.reasoner.identity.spellings import scrambled
from tests.search.minimax.test_minimax import BREAKTHROUGH, lesson_of_breakthrough


def stored() -> StoredLesson:
    identity = identify(read_program(BREAKTHROUGH)[0])
    lesson = lesson_of_breakthrough()._replace(playouts=10.0, weight=0.2)
    return StoredLesson(lesson, "breakthrough", "2026-01-31", identity.key, identity.symbols)


def plain(lesson: Lesson) -> dict[str, Any]:
    """The fields of a lesson, with lists in place of arrays."""
    evaluation = {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in lesson.evaluation._asdict().items()
    }
    return {**lesson._asdict(), "evaluation": evaluation}


def test_a_lesson_is_read_as_it_was_written(tmp_path: Path):
    save(tmp_path / "a", stored())
    found = load(tmp_path / "a")
    assert plain(found.lesson) == plain(stored().lesson)
    assert found[1:] == stored()[1:]


def test_under_another_spelling_of_the_rules_a_lesson_is_equal_in_its_words():
    program, _ = scrambled(BREAKTHROUGH, 5)
    identity = identify(program)
    other = from_bytes(to_bytes(stored())).translated(identity.symbols)
    assert other.lesson.facts != stored().lesson.facts
    assert not {"white", "black"} & set("".join(other.lesson.patterns).replace(")", " ").split())
    assert other.lesson.patterns[-1] == "mobility"
    assert sorted(text.count("?") for text in other.lesson.patterns) == sorted(
        text.count("?") for text in stored().lesson.patterns
    )
    back = other.translated(stored().symbols)
    assert plain(back.lesson) == plain(stored().lesson)


def test_a_lesson_predicts_the_result_of_the_first_role_if_the_roles_have_another_order():
    exchanged = re.sub(r"(\(role white\))(\s*)(\(role black\))", r"\3\2\1", BREAKTHROUGH)
    identity = identify(read_program(exchanged)[0])
    assert exchanged != BREAKTHROUGH
    assert identity.key == stored().key
    lesson = from_bytes(to_bytes(stored())).translated(identity.symbols).lesson
    plain, turned = (lesson.evaluation_of(built(rules).circuit) for rules in (BREAKTHROUGH, exchanged))
    assert abs(plain.bias) > 0
    assert turned.bias == -plain.bias
    assert sorted(turned.weights) == sorted(-plain.weights)
    assert (turned.own == -plain.own).all()


def changed(**fields: object) -> bytes:
    return json.dumps({**json.loads(to_bytes(stored())), **fields}).encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"PK", "JSON is malformed"),
        (b"\xff\xfe", "JSON is malformed"),
        (b"[" * 100_000, "Expected `object`, got `array`"),
        (b"{}", "missing required field"),
        ({"format": "solved"}, "Invalid enum value 'solved'"),
        ({"version": 2}, "Invalid enum value 2"),
        ({"weights": [0.5]}, "must have one weight"),
        ({"bias": 1e5}, "10000"),  # more than a network may have, into which the search turns it
        ({"own": [0.5]}, "must have one weight"),
        ({"bias": float("nan")}, "JSON is malformed"),
        ({"bias": 1e300}, "Expected `float` <="),
        ({"weight": 1.5}, "Expected `float` <= 1.0"),
        ({"facts": "(a ?x)"}, "one with a variable"),
        ({"facts": "(a (b"}, "never closed"),
        ({"symbols": "(a a)"}, "contains a term twice"),
        (b" " * (MAX_BYTES + 1), "larger than 32 MiB"),
    ],
)
def test_a_file_that_is_no_evaluation_is_refused_in_one_message_that_says_what_to_do(
    tmp_path: Path, data: bytes | dict[str, object], said: str
):
    (tmp_path / "a").write_bytes(data if isinstance(data, bytes) else changed(**data))
    with pytest.raises(StorageError) as fault:
        load(tmp_path / "a")
    told = str(fault.value)
    assert told.startswith(f"{tmp_path / 'a'} is no evaluation, or it is damaged (")
    assert said in told
    assert told.endswith(": remove it, and study the game again.")


def test_what_is_no_term_of_the_game_has_no_translation():
    symbols, lesson = stored().symbols, stored().lesson
    for other in (
        stored()._replace(symbols=symbols[1:]),
        stored()._replace(lesson=lesson._replace(patterns=("(unheard ?)",))),
        stored()._replace(lesson=lesson._replace(patterns=("(cell",))),
    ):
        with pytest.raises(StorageError, match="study the game again"):
            other.translated(symbols)
