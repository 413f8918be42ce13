"""What an extra's module says where its library is not there."""

import pytest

from agent.environments.extras import LIBRARIES, extra


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_missing_library_says_what_to_install(name):
    """By the extra's name; the error still names the missing package."""
    missing = f"{LIBRARIES[name][1][-1]}.part"
    with (
        pytest.raises(ModuleNotFoundError, match=rf"pip install 'ggp-agent\[{name}\]'") as told,
        extra(name),
    ):
        raise ModuleNotFoundError("No module", name=missing)
    assert told.value.name == missing


@pytest.mark.parametrize("error", [ModuleNotFoundError("No module", name="scipy"), ImportError("broken")])
def test_another_fault_is_told_as_it_is(error):
    """A library that is there and broken is not to be installed."""
    with pytest.raises(type(error)) as told, extra("gymnasium"):
        raise error
    assert told.value is error
