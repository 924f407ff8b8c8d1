"""History testifies what was last known of a URL, and only fields that the schema still has."""

import asyncio
from typing import Any

from crawloop.contract import Known
from crawloop.model import truth
from crawloop.model.kind import Field, Schema
from crawloop.model.page import Page
from crawloop.witness.history import HistoryWitness

SCHEMA = Schema("Item@1", (Field("title"), Field("price")))


class Shelf:
    """The one method of a store that history reads."""

    def __init__(self, **known: tuple[dict[str, Any], ...]) -> None:
        self._known = known

    def known(self, family: str, url: str) -> Known | None:
        records = self._known.get(url)
        return Known(url, records, "2026-01-31T12:00:00Z") if records is not None else None


def said_of(shelf: Shelf, page: Page) -> truth.Testimony | None:
    return asyncio.run(HistoryWitness(shelf).testify(page, "shop/product", SCHEMA, None))  # type: ignore[arg-type]


def test_nulls_and_dropped_fields_are_left_out() -> None:
    said = said_of(Shelf(a=({"title": "Kettle", "price": None, "colour": "red"},)), Page("a", ""))
    assert said == truth.Testimony("history", ({"title": "Kettle"},))


def test_a_url_that_nobody_knows_has_no_history() -> None:
    assert said_of(Shelf(a=({"title": "Kettle"},)), Page("b", "")) is None


def test_a_record_without_any_value_is_no_testimony() -> None:
    assert said_of(Shelf(a=({"title": None},)), Page("a", "")) is None


def test_a_redirected_page_is_known_by_where_it_ended() -> None:
    said = said_of(Shelf(b=({"title": "Kettle"},)), Page("a", "", final_url="b"))
    assert said is not None
    assert said.records == ({"title": "Kettle"},)
