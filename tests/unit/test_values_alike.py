"""Texts of which some words, or only the signs between them, were changed."""

from typing import Any

import pytest

from crawloop.values.alike import respelled


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Soup: the best", "Soup : the best!"),
        ("Jane Doe", "JaneDoe"),
        ("the cook&#x27;s soup", "The cook's soup!"),
        (["1 cup milk ((warm))", "oil"], ["1 cup milk (warm)", "oil"]),
    ],
)
def test_other_signs_and_spaces_are_another_spelling(old: Any, new: Any) -> None:
    assert respelled(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1.5 cups of milk", "15 cups of milk"),
        ("1 234 567", "1234567"),
        ("oil", "oil!"),
        ("Soup", "Stew"),
        (["salt"], ["salt", "pepper"]),
        ([], []),
        ("salt", ["salt"]),
    ],
    ids=["another figure", "figures alone", "too short", "another word", "one more", "nothing", "no list"],
)
def test_what_is_no_other_spelling(old: Any, new: Any) -> None:
    assert not respelled(old, new)
