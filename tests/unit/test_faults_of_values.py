"""Faults 15 and 16 where they would begin: in what a label or an amount means."""

import pytest

from crawloop.extract.transforms import labels, money, number
from crawloop.model.kind import Field, Kind
from crawloop.values import equal, normalise

STOCK = Field("stock", Kind.ENUM, choices=("available", "unavailable"))


def test_fault_15_a_label_within_another_is_not_that_label() -> None:
    assert not equal("available", "unavailable", STOCK)
    assert normalise("unavailable", STOCK) == normalise("Unavailable", STOCK) != normalise("available", STOCK)
    assert normalise("currently unavailable", STOCK) is None
    assert labels("unavailable", {"available": "yes"}) is None


@pytest.mark.parametrize("read", [money, number])
@pytest.mark.parametrize(
    ("text", "wanted"), [("12,50", 12.5), ("1.299,00", 1299), ("1,234,567.890", 1234567.89), ("1.299,00 €", 1299)]
)
def test_fault_16_an_amount_is_read_by_its_own_marks(read: object, text: str, wanted: float) -> None:
    assert callable(read)
    assert read(text) == wanted
