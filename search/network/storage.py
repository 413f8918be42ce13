"""File of a studied game: the network and its settings, in a format that is safe to read from untrusted sources.

The header of the file (`archive`) is JSON. It contains the version, the other fields of `Model`, and the roles, facts
and moves of the network as KIF lists, in the order of the rows of the arrays. Size, nesting, numbers and shapes are
checked before use.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from reasoner.arrays import Ints, Singles
from reasoner.errors import TermError
from reasoner.language.limits import ReadLimits
from reasoner.language.parse import read_terms
from reasoner.language.terms import Term, is_ground
from search.errors import StorageError
from search.files import read_stored, store
from search.network.archive import MAX_BYTES, Archive, pack, unpack
from search.network.board import Board
from search.network.network import Network

FORMAT = "ggp-agent studied game"
VERSION = 2
"""Version of the files of networks with a board; those without one are still written as version 1."""
MAX_TERMS = 200_000
"""Maximum number of facts, and of moves of one role."""
MAX_LAYERS = 32
MAX_LAYER_UNITS = 8192
"""Maximum number of units of a layer."""
MAX_SLOTS = 1 << 16
MAX_ABOUT_ENTRIES = 100
MAX_TEXT_CHARACTERS = 1000
"""Maximum length of a text in `about`."""
MAX_NUMBER = 10**15
MAX_RULES_CHARACTERS = 4_000_000
"""Maximum length of the rules in a file."""
MAX_EVALUATION_CHARACTERS = 1 << 24
"""Maximum length of the evaluation in a file."""
_LIST_LIMITS = ReadLimits(max_characters=32_000_000, max_tokens=2_000_000)
_AGAIN = "export it again where it was studied, or study the game again"

About = Mapping[str, str | float | int]


@dataclass(frozen=True, eq=False)
class Model:
    """A studied network and its settings. Raises ValueError on a weight or prior out of range.

    `weight` is the share of the network's values in a leaf's value, 0..1; the rest is the share of playouts. `prior` is
    the weight of its policy in the selection of moves (PUCT), 0 for none. `about` describes its training, for people.
    `rules` is the rulesheet that the terms come from; `key` and `symbols` are those of the `reasoner.identity.Identity`
    of these rules. All three may be empty. `evaluation` is the text of a file of `search.minimax.storage`, which an
    exported study carries; it is not checked here, and may be empty.
    """

    network: Network
    weight: float
    prior: float
    about: About = field(default_factory=dict)
    rules: str = ""
    key: str = ""
    symbols: tuple[Term, ...] = ()
    evaluation: str = ""

    def __post_init__(self) -> None:
        """Check weight and prior."""
        if not 0 <= self.weight <= 1:
            raise ValueError(f"a weight of {self.weight} is not in 0..1")
        if not 0 <= self.prior <= 1000:
            raise ValueError(f"a prior of {self.prior} is not in 0..1000")


Text = Annotated[str, Meta(max_length=MAX_TEXT_CHARACTERS)]
Terms = Annotated[str, Meta(max_length=_LIST_LIMITS.max_characters)]
_Float = Annotated[float, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
_Number = Annotated[int, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)] | _Float


class _Board(msgspec.Struct):
    layers: Annotated[int, Meta(ge=1, le=MAX_LAYERS)]
    slots: Annotated[int, Meta(ge=0, le=MAX_SLOTS)]


class _Header(msgspec.Struct):
    roles: Terms
    facts: Terms
    moves: Annotated[list[Terms], Meta(max_length=MAX_TERMS)]
    layers: Annotated[int, Meta(ge=0, le=MAX_LAYERS)]
    weight: _Float
    prior: _Float
    about: Annotated[dict[Text, Text | _Number], Meta(max_length=MAX_ABOUT_ENTRIES)]
    rules: Annotated[str, Meta(max_length=MAX_RULES_CHARACTERS)]
    key: Text
    symbols: Terms
    evaluation: Annotated[str, Meta(max_length=MAX_EVALUATION_CHARACTERS)] = ""
    board: _Board | None = None


def save(path: Path, model: Model) -> None:
    """Write a file atomically. Raises StorageError."""
    store(path, to_bytes(model))


def load(path: Path) -> Model:
    """Read a file that `save`, or another program in the same format, wrote. Raises StorageError."""
    return read(read_stored(path, MAX_BYTES), str(path))


def read(data: bytes, name: str) -> Model:
    """Unpack the bytes of a file from anywhere; `name` is for the message. Raises StorageError."""
    try:
        return from_bytes(data)
    except StorageError as fault:
        raise StorageError(f"{name}: {fault}") from None


def to_bytes(model: Model) -> bytes:
    """Return the bytes of a model's file. Raises StorageError if the file is too large."""
    network = model.network
    header = {
        "format": FORMAT,
        "version": 1 if network.board is None else VERSION,
        "roles": listed(network.roles),
        "facts": listed(network.facts),
        "moves": [listed(moves) for moves in network.moves],
        "layers": len(network.hidden),
        "weight": model.weight,
        "prior": model.prior,
        "about": dict(model.about),
        "rules": model.rules,
        "key": model.key,
        "symbols": listed(model.symbols),
    }
    if len(model.evaluation) > MAX_EVALUATION_CHARACTERS:
        raise StorageError(f"an evaluation of more than {MAX_EVALUATION_CHARACTERS:,} characters")
    if network.board is not None:
        header["board"] = {"layers": len(network.board.layers), "slots": network.board.slots}
    if model.evaluation:
        header["evaluation"] = model.evaluation
    return pack(Archive(json.dumps(header, allow_nan=False), _arrays(network)))


def from_bytes(data: bytes) -> Model:
    """Unpack the bytes of a model's file. Raises StorageError, whose message says what is wrong and what to do."""
    try:
        archive = unpack(data)
        return _model(_header(archive.header), archive.arrays)
    except StorageError as fault:
        raise StorageError(f"{fault}: {_AGAIN}.") from None
    except (KeyError, TypeError, ValueError, TermError) as fault:
        raise StorageError(f"its header and arrays do not match ({str(fault)[:300]}): {_AGAIN}.") from None


def _header(text: str) -> _Header:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        raise StorageError("its header is not JSON") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise StorageError("not a file of a studied game")
    if header.get("version") not in range(1, VERSION + 1):
        raise StorageError(f"its version is {str(header.get('version'))[:20]}, but this program reads up to {VERSION}")
    return msgspec.convert(header, _Header)


def _model(header: _Header, arrays: Mapping[str, Singles]) -> Model:
    return Model(
        network=_network(header, arrays),
        weight=header.weight,
        prior=header.prior,
        about=header.about,
        rules=header.rules,
        key=header.key,
        symbols=terms(header.symbols),
        evaluation=header.evaluation,
    )


def _network(header: _Header, arrays: Mapping[str, Singles]) -> Network:
    if any(size > MAX_TERMS for array in arrays.values() for size in array.shape):
        raise ValueError("an array is too long")
    network = Network(
        roles=terms(header.roles),
        facts=terms(header.facts),
        moves=tuple(map(terms, header.moves)),
        fact_rows=arrays["fact_rows"],
        fact_bias=arrays["fact_bias"],
        hidden=tuple((arrays[f"hidden_{n}"], arrays[f"hidden_{n}_bias"]) for n in range(header.layers)),
        value=(arrays["value"], arrays["value_bias"]),
        policy=tuple((arrays[f"policy_{n}"], arrays[f"policy_{n}_bias"]) for n in range(len(header.moves))),
        board=None if header.board is None else _board(header.board, arrays, len(header.moves)),
    )
    if max(len(bias) for bias in (network.fact_bias, *(b for _, b in network.hidden))) > MAX_LAYER_UNITS:
        raise ValueError(f"a layer of more than {MAX_LAYER_UNITS} units")
    return network


def _board(header: _Board, arrays: Mapping[str, Singles], roles: int) -> Board:
    return Board(
        _numbers(arrays["neighbours"]),
        tuple((arrays[f"board_{n}"], arrays[f"board_{n}_bias"]) for n in range(header.layers)),
        tuple(_numbers(arrays[f"places_{n}"]) for n in range(roles)),
        tuple(arrays[f"place_rows_{n}"] for n in range(roles)),
        header.slots,
    )


def _numbers(array: Singles) -> Ints:
    """Return an array of whole numbers, which the file contains as floats. Raises ValueError on others."""
    if array.ndim != 2 or not (np.abs(array) <= MAX_TERMS).all() or (array != np.floor(array)).any():
        raise ValueError("a number of a cell is no whole number")
    return array.astype(np.int32)


def _arrays(network: Network) -> dict[str, Singles]:
    layers = {
        "fact_rows": network.fact_rows,
        "fact_bias": network.fact_bias,
        "value": network.value[0],
        "value_bias": network.value[1],
    }
    for prefix, pairs in (("hidden", network.hidden), ("policy", network.policy)):
        for number, (weights, bias) in enumerate(pairs):
            layers |= {f"{prefix}_{number}": weights, f"{prefix}_{number}_bias": bias}
    if (board := network.board) is not None:
        layers["neighbours"] = board.neighbours.astype(np.float32)
        for number, (weights, bias) in enumerate(board.layers):
            layers |= {f"board_{number}": weights, f"board_{number}_bias": bias}
        for number, (places, rows) in enumerate(zip(board.places, board.rows, strict=True)):
            layers |= {f"places_{number}": places.astype(np.float32), f"place_rows_{number}": rows}
    return layers


def listed(some: tuple[Term, ...]) -> str:
    """Return terms as the text of a list."""
    return f"({' '.join(map(str, some))})"


def terms(text: str) -> tuple[Term, ...]:
    """Read the text of a list of different ground terms. Raises ValueError or TermError."""
    found = read_terms(text, _LIST_LIMITS)
    if len(found) > MAX_TERMS or len(set(found)) < len(found) or not all(map(is_ground, found)):
        raise ValueError(f"a list of {len(found)} terms is too long, contains a term twice, or one with a variable")
    return found
