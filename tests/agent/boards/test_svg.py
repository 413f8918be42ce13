"""A picture of any bundled game is one valid SVG image, in the colours of the page."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from agent.boards.board import picture
from agent.boards.pieces import SEATS, TINTS
from agent.boards.svg import as_svg, colours, tints
from agent.gamemaster.games import bundled_game
from agent.page.still import look_of_rules
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program

SVG = "{http://www.w3.org/2000/svg}"


def drawn(name):
    program, _ = read_program(bundled_game(name).text)
    machine = RelationalMachine(program)
    facts = list(map(str, machine.facts(machine.initial())))
    return ElementTree.fromstring(as_svg(picture(facts, look_of_rules(program, name))))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("breakthrough", {"rect": 1 + 36, "path": 24}),
        ("reversi", {"rect": 1 + 64}),
        ("hex", {"polygon": 81}),  # hexagons
        ("mancala", {"rect": 1 + 12}),  # pots with seeds
        ("goofspiel", {"line": 5}),  # a ring of cells
        ("nim", {"text": 1}),  # no board
    ],
)
def test_a_game_is_drawn_as_the_page_draws_it(name, wanted):
    image = drawn(name)
    parts = [element.tag.removeprefix(SVG) for element in image.iter()]
    assert {part: parts.count(part) for part in wanted} == wanted
    assert {"script", "style", "foreignObject", "image"}.isdisjoint(parts)
    assert not [attribute for element in image.iter() for attribute in element.attrib if attribute.startswith("on")]


def test_every_colour_of_a_piece_has_one_in_the_style_sheet():
    """A tint without colours would be drawn as nothing."""
    assert {*TINTS.values(), *SEATS} <= tints().keys()
    assert all({"fill", "edge", "text"} <= look.keys() for look in tints().values())
    assert {
        "even",
        "odd",
        "light",
        "dark",
        "grid",
        "ink",
        "card",
        "edge",
        "act",
        *(f"h{n}" for n in range(8)),
    } <= colours().keys()


def test_names_from_rules_are_text_and_no_markup():
    image = as_svg(
        {
            "grids": [],
            "across": 1,
            "counters": [["<script>", "1"]],
            "pots": [],
            "switches": [],
            "trays": [],
            "towers": [],
            "others": {},
        }
    )
    assert "<script" not in image
    assert "&lt;script&gt;: 1" in image


def test_the_cells_of_the_last_move_and_of_the_cause_of_an_end_are_marked():
    program, _ = read_program(bundled_game("ticTacToe").text)
    look = look_of_rules(program, "ticTacToe")
    facts = ["(cell 1 1 x)", "(cell 2 2 o)", *(f"(cell 3 {row} b)" for row in (1, 2, 3))]
    shown = {**picture(facts, look), "moved": [{"role": 0, "cells": [[0, 0, 0]], "last": False}]}
    assert colours()["changed"] not in as_svg(shown)
    shown["moved"].append({"role": 1, "cells": [[0, 1, 1]], "last": True})
    assert as_svg(shown).count(colours()["changed"]) == 1
    assert as_svg({**shown, "cause": [[0, 2, 2], [0, 1, 1]]}).count(colours()["glow"]) == 2
