from hypothesis import given
from hypothesis import strategies as st

from agent.journal.lines import decode, encode

ENTRIES = [{"is": "start", "at": 1.5, "id": "m"}, {"is": "play", "n": 1, "moves": None}, {"is": "end", "reason": "ü"}]
DATA = b"".join(map(encode, ENTRIES))


def test_what_is_written_is_read():
    assert decode(DATA) == (ENTRIES, len(DATA))


@given(st.integers(0, len(DATA)))
def test_a_journal_cut_anywhere_keeps_its_whole_lines(length):
    entries, good = decode(DATA[:length])
    assert entries == ENTRIES[: len(entries)]
    assert good == len(b"".join(map(encode, entries)))
    assert length - good < len(encode(ENTRIES[len(entries)])) if len(entries) < len(ENTRIES) else length == good


@given(st.integers(0, len(DATA) - 1), st.integers(0, 255))
def test_nothing_is_believed_from_a_changed_byte_on(place, byte):
    changed = DATA[:place] + bytes([byte]) + DATA[place + 1 :]
    entries, good = decode(changed)
    assert entries == ENTRIES[: len(entries)]
    assert good <= place or changed == DATA


@given(st.binary(max_size=200))
def test_any_bytes_can_be_read(data):
    entries, good = decode(data)
    assert (good <= len(data), entries) == (True, [])
