"""What an extra's module says where its library is not there."""

import pytest

from agent.environments.extras import extra


@pytest.mark.parametrize("error", [ModuleNotFoundError("No module", name="scipy"), ImportError("broken")])
def test_another_fault_is_told_as_it_is(error):
    """A library that is there and broken is not to be installed."""
    with pytest.raises(type(error)) as told, extra("gymnasium"):
        raise error
    assert told.value is error
