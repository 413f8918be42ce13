from hypothesis import given
from hypothesis import strategies as st

from agent.journal.lines import DAMAGED, decode, encode

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
def test_only_the_lines_with_a_changed_byte_are_damaged(place, byte):
    changed = DATA[:place] + bytes([byte]) + DATA[place + 1 :]
    entries, good = decode(changed)
    ends = [len(b"".join(map(encode, ENTRIES[: number + 1]))) for number in range(3)]
    hurt = next(number for number, end in enumerate(ends) if place < end)
    joined = {hurt, hurt + 1} if place == ends[hurt] - 1 else {hurt}  # without its end, a line includes the next one
    if changed == DATA:
        assert entries == ENTRIES
    else:
        assert [entry for entry in entries if entry is not DAMAGED] == [
            entry for number, entry in enumerate(ENTRIES) if number not in joined
        ]
        assert (DAMAGED in entries) == (max(joined) < 2)
        assert good == (len(DATA) if max(joined) < 2 else ends[min(joined) - 1])


@given(st.binary(max_size=200))
def test_any_bytes_can_be_read(data):
    entries, good = decode(data)
    assert (good <= len(data), entries) == (True, [])
