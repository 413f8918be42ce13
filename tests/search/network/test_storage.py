"""Files of studied games: what is written is read again, and nothing a stranger writes does harm."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reasoner.language.parse import read_term
from reasoner.language.terms import Constant
from search.errors import StorageError
from search.network import Board, Network
from search.network.archive import Archive, pack, unpack
from search.network.storage import Model, from_bytes, load, save, to_bytes
from tests.search.network.test_network import drawn_network

SYMBOLS = (Constant("r"), read_term("(cell 1 0)"))
ABOUT = {"date": "2026-11-22", "games": 12_000, "minutes": 29.5}


def drawn(**changes: Any) -> Model:
    return dataclasses.replace(Model(drawn_network(), 0.5, 1.25, ABOUT, "(role r)", "1-ab", SYMBOLS), **changes)


def repacked(change: Callable[[dict[str, Any]], object], studied: Model | None = None) -> bytes:
    """A file whose header is changed, and whose checksum fits again."""
    archive = unpack(to_bytes(studied or drawn()))
    header = json.loads(archive.header)
    change(header)
    return pack(Archive(json.dumps(header), archive.arrays))


def zipped(members: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as written:
        for name, data in members.items():
            written.writestr(name, data)
    return file.getvalue()


def test_what_is_saved_is_loaded_again_to_the_last_bit(tmp_path: Path):
    network = dataclasses.replace(drawn_network(), facts=(read_term("(cell 1 (at b c))"), Constant("q")))
    path = tmp_path / "game.npz"
    save(path, drawn(network=network))
    found = load(path)
    assert (found.weight, found.prior, found.about) == (0.5, 1.25, ABOUT)
    assert (found.rules, found.key, found.symbols) == ("(role r)", "1-ab", SYMBOLS)
    assert (found.network.facts, found.network.moves) == (network.facts, network.moves)
    observation = np.array([[1, 0], [1, 1]], np.uint8)
    assert np.array_equal(found.network.forward(observation).values, network.forward(observation).values)
    assert to_bytes(found) == path.read_bytes()
    assert list(tmp_path.iterdir()) == [path]


def on_board() -> Network:
    """A network on a board of two cells, each of which is the other one's neighbour."""
    rng = np.random.default_rng(3)

    def floats(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype(np.float32)

    board = Board(
        neighbours=np.array([[0, 1], [1, 0]], np.int32),
        layers=((floats(32, 16), floats(16)),),
        places=(np.array([[0], [1], [2]], np.int32),),
        rows=(floats(3, 16),),
        slots=7,
    )
    hidden = ((floats(32, 5), floats(5)),)
    plain = drawn_network()
    return dataclasses.replace(plain, fact_rows=floats(2, 32), fact_bias=floats(32), hidden=hidden, board=board)


def test_a_network_on_a_board_is_loaded_again_to_the_last_bit():
    network, observation = on_board(), np.array([[1, 0], [1, 1]], np.uint8)
    data = to_bytes(drawn(network=network))
    found = from_bytes(data).network
    assert found.board is not None
    assert found.board.slots == 7
    one, other = network.forward(observation), found.forward(observation)
    assert np.array_equal(one.values, other.values)
    assert np.array_equal(one.logits[0], other.logits[0])
    assert to_bytes(drawn(network=found)) == data


@pytest.mark.parametrize(("name", "number"), [("neighbours", 3.0), ("neighbours", 0.5), ("places_0", -1.0)])
def test_cells_that_do_not_exist_are_refused(name: str, number: float):
    archive = unpack(to_bytes(drawn(network=on_board())))
    archive.arrays[name].flat[0] = number
    with pytest.raises(StorageError, match="do not match"):
        from_bytes(pack(archive))


def test_a_board_without_neighbours_is_refused():
    """Its cells would have no inputs, and the kernels cannot lay it out."""
    archive = unpack(to_bytes(drawn(network=on_board())))
    none = {"neighbours": np.zeros((2, 0), np.float32), "board_0": np.zeros((0, 16), np.float32)}
    with pytest.raises(StorageError, match="a board of 2 cells and 0 neighbours does not fit"):
        from_bytes(pack(Archive(archive.header, {**archive.arrays, **none})))


@pytest.mark.parametrize("name", ["neighbours", "board_0", "board_0_bias", "places_0", "place_rows_0", "hidden_0"])
def test_arrays_of_a_board_of_another_shape_are_refused(name: str):
    archive = unpack(to_bytes(drawn(network=on_board())))
    arrays = {**archive.arrays, name: np.ascontiguousarray(archive.arrays[name][:-1])}
    with pytest.raises(StorageError, match="do not match"):
        from_bytes(pack(Archive(archive.header, arrays)))


def test_numpy_reads_the_arrays_of_a_file_without_this_program(tmp_path: Path):
    save(tmp_path / "game.npz", drawn())
    with np.load(tmp_path / "game.npz") as arrays:
        assert np.array_equal(arrays["fact_rows"], drawn_network().fact_rows)


def test_terms_are_read_as_kif_however_they_look():
    network = dataclasses.replace(drawn_network(), facts=(Constant("f(x)"), Constant("p:-q")))
    with pytest.raises(StorageError, match=r"do not match"):
        from_bytes(to_bytes(drawn(network=network)))
    network = dataclasses.replace(drawn_network(), facts=(Constant("a|b"), Constant("p::q")))
    assert from_bytes(to_bytes(drawn(network=network))).network.facts == network.facts


def test_one_changed_bit_anywhere_is_one_clear_error():
    data = to_bytes(drawn())
    rng = np.random.default_rng(5)
    for place in rng.integers(0, len(data), 150):
        changed = bytearray(data)
        changed[place] ^= 1 << int(rng.integers(8))
        with contextlib.suppress(StorageError):
            # a bit of the zip may say nothing of the content, as the date of a member
            assert to_bytes(from_bytes(bytes(changed))) == data


def test_any_changed_byte_of_the_directory_is_one_clear_error():
    """The library fails in many ways where sizes and places of the members are not what they are."""
    data = to_bytes(drawn())
    for place in range(data.index(b"PK\x01\x02"), len(data)):
        for byte in (0, 1, 127, 255):
            changed = data[:place] + bytes([byte]) + data[place + 1 :]
            with contextlib.suppress(StorageError):
                assert to_bytes(from_bytes(changed)) == data


def test_a_file_cut_off_at_any_place_is_refused():
    data = to_bytes(drawn())
    for size in range(0, len(data), 97):
        with pytest.raises(StorageError):
            from_bytes(data[:size])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda h: h.update(version=3), "version is 3, but this program reads up to 2"),
        (lambda h: h.update(format="pickle"), "not a file of a studied game"),
        (lambda h: h.update(weight=float("nan")), r"`\$\.weight`"),
        (lambda h: h.update(weight=2), "not in 0..1"),
        (lambda h: h.update(weight=10**400), r"out of range - at `\$\.weight`"),
        (lambda h: h.update(prior=True), r"got `bool` - at `\$\.prior`"),
        (lambda h: h.update(prior=-1), "not in 0..1000"),
        (lambda h: h.update(layers=10**9), r"<= 32 - at `\$\.layers`"),
        (lambda h: h.update(layers=2), "hidden_1"),
        (lambda h: h.update(facts="(p)"), "fact_rows"),
        (lambda h: h.update(facts="(p p)"), "a term twice"),
        (lambda h: h.update(facts="(p ?x)"), "with a variable"),
        (lambda h: h.update(facts="p q"), "not a list of terms"),
        (lambda h: h.update(facts="(" * 50_000), "not a list of terms"),
        (lambda h: h.update(facts=7), r"`\$\.facts`"),
        (lambda h: h.update(moves="abc"), r"`\$\.moves`"),
        (lambda h: h.update(moves=[]), "policies"),
        (lambda h: h.update(about=[1]), r"`\$\.about`"),
        (lambda h: h.update(about={str(n): 1 for n in range(101)}), r"length <= 100 - at `\$\.about`"),
        (lambda h: h.update(about={"by": "x" * 1001}), r"length <= 1000 - at `\$\.about"),
        (lambda h: h.update(symbols=[1]), r"`\$\.symbols`"),
        (lambda h: h.pop("rules"), "rules"),
    ],
)
def test_a_header_that_says_what_it_may_not_is_refused_with_the_reason(
    change: Callable[[dict[str, Any]], object], said
):
    with pytest.raises(StorageError, match=said) as fault:
        from_bytes(repacked(change))
    assert "study the game again." in str(fault.value)


@pytest.mark.parametrize("header", ["", "[" * 100_000, "[]", "nonsense", '{"format": 1' + "0" * 10_000 + "}"])
def test_a_header_that_is_no_table_is_refused(header: str):
    with pytest.raises(StorageError, match=r"header|not a file"):
        from_bytes(pack(Archive(header, {})))


def test_numbers_that_are_not_finite_are_refused():
    network = drawn_network()
    rows = network.fact_rows.copy()
    rows[1, 2] = np.inf
    with pytest.raises(StorageError, match=r"fact_rows.npy' has numbers that are not finite"):
        from_bytes(to_bytes(drawn(network=dataclasses.replace(network, fact_rows=rows))))


def test_compressed_members_are_refused_unread_so_that_no_small_file_holds_much():
    with pytest.raises(StorageError, match="compressed"):
        from_bytes(zipped({"header.json": b" " * 100_000_000}, zipfile.ZIP_DEFLATED))


def test_a_file_that_claims_many_members_is_refused_before_they_are_listed():
    data = zipped({"header.json": b"{}"})
    end = bytearray(data[-22:])
    struct.pack_into("<HH", end, 8, 65_535, 65_535)
    with pytest.raises(StorageError, match="not written by this program"):
        from_bytes(data[:-22] + bytes(end))
    with pytest.raises(StorageError, match="not written by this program"):
        from_bytes(zipped({f"{n}.npy": b"" for n in range(400)}))


def test_an_array_that_claims_more_than_its_bytes_takes_no_memory():
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (1 << 27, 1 << 27)})
    claimed = file.getvalue()
    for content in (claimed, b"", b"\x93NUMPY\x01\x00\xff\xff", claimed.replace(b"<f4", b"|O8")):
        members = {"header.json": b"{}", "fact_rows.npy": content}
        with pytest.raises(StorageError):
            from_bytes(_with_digest(members))


def _with_digest(members: dict[str, bytes]) -> bytes:
    from search.network.archive import _digest

    return zipped(members | {"sha256": _digest(members).encode()})


def test_objects_of_python_are_never_unpickled(tmp_path: Path):
    np.savez(tmp_path / "evil.npz", header=np.array([{}], dtype=object))
    with pytest.raises(StorageError, match=r"evil.npz: damaged"):
        load(tmp_path / "evil.npz")


def test_a_file_that_is_not_there_or_cannot_be_written_is_reported_with_its_path(tmp_path: Path):
    with pytest.raises(StorageError, match=r"cannot read .*none.npz: No such file"):
        load(tmp_path / "none.npz")
    with pytest.raises(StorageError, match=r"cannot write .*none"):
        save(tmp_path / "none" / "game.npz", drawn())


def test_a_weight_outside_its_range_is_refused():
    with pytest.raises(ValueError, match=r"not in 0..1"):
        drawn(weight=1.5)
