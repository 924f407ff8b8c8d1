"""One rule for how many right values outvote a wrong one; and what a plain slip is."""

import pytest

from crawloop.values.votes import ANY, ODD, PLAIN, is_cut, may_be_outvoted, outvoted


@pytest.mark.parametrize("votes", [PLAIN, ODD, ANY])
def test_each_wrong_value_takes_so_many_right_ones(votes: int) -> None:
    assert outvoted(2 * votes, 2, votes)
    assert not outvoted(2 * votes - 1, 2, votes)
    assert not outvoted(votes, 0, votes)


def test_a_strategy_proposes_what_one_more_page_may_bear_out() -> None:
    assert may_be_outvoted(PLAIN - 1, 1)
    assert not may_be_outvoted(PLAIN - 2, 1)
    assert not may_be_outvoted(PLAIN - 1, 0)


@pytest.mark.parametrize(
    ("said", "got", "is_one"),
    [
        ("Kettle", "Kettle, red", True),
        ("red", "Kettle, red", True),
        ("Kettle No.", "Kettle No. 5", True),
        ("Kett", "Kettle, red", False),
        ("Kettle", "kettle", False),
        ("le, red", "Kettle, red", False),
        (["Anna"], ["Anna", "Bert"], True),
        (["Bert", "Anna"], ["Anna", "Bert"], False),
        (["Cleo"], ["Anna", "Bert"], False),
        (1.0, 10.0, False),
        ("Anna", ["Anna", "Bert"], False),
    ],
)
def test_a_cut_is_some_whole_words_or_items_of_what_is_shown(said: object, got: object, is_one: bool) -> None:
    assert is_cut(said, got) == is_one
