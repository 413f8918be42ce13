"""The settings: refused outside their ranges, with a message that mends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from search import OptionsError, SearchError, SearchOptions


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("simulations", -1),
        ("playouts", -2),
        ("exploration", -0.1),
        ("exploration", float("nan")),
        ("fpu_value", 1.5),
        ("best_weight", -0.5),
        ("mix_tolerance", float("nan")),
        ("max_nodes", 3),
        ("max_steps", 0),
        ("seed", -1),
    ],
)
def test_a_setting_out_of_range_is_named_with_its_range(name: str, wrong: Any) -> None:
    with pytest.raises(OptionsError, match=rf"{name} = {wrong}.*give"):
        SearchOptions(**{name: wrong})


def test_numbers_of_numpy_are_settings() -> None:
    options = SearchOptions(simulations=np.int64(64), exploration=np.float32(0.5))
    assert options == SearchOptions(simulations=64, exploration=0.5)
    assert type(options.simulations) is int


def test_an_integer_setting_is_an_integer() -> None:
    with pytest.raises(OptionsError, match=r"seed = 1\.5 is not an integer"):
        SearchOptions(seed=1.5)  # type: ignore[arg-type]  # the wrong type is what this tests


def test_an_options_error_is_a_search_error_and_a_value_error() -> None:
    assert issubclass(OptionsError, SearchError)
    assert issubclass(OptionsError, ValueError)


def test_every_setting_is_documented() -> None:
    for name in SearchOptions.__slots__:
        assert f"    {name}:" in (SearchOptions.__doc__ or "")


def test_a_fixed_amount_of_thinking_does_not_ponder() -> None:
    assert SearchOptions().ponders
    assert not SearchOptions(simulations=10).ponders
    assert not SearchOptions(ponder=False).ponders
