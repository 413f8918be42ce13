"""Sets of bases as integers."""

from hypothesis import given
from hypothesis import strategies as st

from search.factoring.supports import joined, members

masks = st.lists(st.integers(0, 1 << 70), max_size=12) | st.lists(
    st.sets(st.integers(0, 60), max_size=3).map(lambda numbers: sum(1 << number for number in numbers)), max_size=30
)


def slowly(given):
    groups = [mask for mask in given if mask]
    while pair := next(((a, b) for i, a in enumerate(groups) for b in groups[:i] if a & b), None):
        groups = [group for group in groups if group not in pair] + [pair[0] | pair[1]]
    return sorted(groups, key=lambda group: group & -group)


@given(masks)
def test_sets_that_overlap_are_one(given):
    assert joined(given) == slowly(given)


@given(st.sets(st.integers(0, 400)))
def test_the_members_of_a_set_are_its_bits(numbers):
    assert members(sum(1 << number for number in numbers)) == sorted(numbers)
