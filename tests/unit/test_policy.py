"""Policy refuses knobs that cannot work, and says which."""

import pytest

from crawloop.errors import ConfigError
from crawloop.model.policy import Policy


def test_more_oracles_than_samples_is_refused() -> None:
    with pytest.raises(ConfigError, match="min_oracles is 4 but policy.samples is 2"):
        Policy(samples=2, min_oracles=4)


@pytest.mark.parametrize("knob", ["candidates", "max_rounds", "samples", "min_oracles"])
def test_a_count_below_one_is_refused_by_name(knob: str) -> None:
    with pytest.raises(ConfigError, match=knob):
        Policy(**{knob: 0})
