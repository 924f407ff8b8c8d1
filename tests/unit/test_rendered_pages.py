"""Pages rendered by drawn templates from drawn records: what was rendered is learnt back, or left out, and never wrong.

CRAWLOOP_EXAMPLES sets how many templates are drawn; the suite draws few, and always the same.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from hypothesis import HealthCheck, Phase, event, given, settings
from hypothesis import strategies as st

from crawloop.model.page import Page, Record
from crawloop.strategy.induction import Induction
from crawloop.strategy.listing import ListingInduction
from tests.fakes import renders
from tests.fakes.rendered import Rendered, faults, learned, missing

LONG = int(os.environ.get("CRAWLOOP_EXAMPLES", "0"))
drawn = settings(
    max_examples=LONG or 40,
    derandomize=not LONG,
    phases=[Phase.generate, Phase.shrink] if LONG else [Phase.generate],
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
SHOWN = ("dl", "table", "line", "class", "hashed", "itemprop", "meta", "items")  # carriers that tell what they hold
THINGS = st.lists(
    st.tuples(renders.records(), st.lists(renders.records(), max_size=3)),
    min_size=5,
    max_size=5,
    unique_by=(lambda one: one[0]["title"], lambda one: one[0]["price"]),
)
ROWS = renders.records(keep="manual")
PAGES = st.lists(ROWS, min_size=9, max_size=24, unique_by=lambda one: one["title"]).map(
    lambda rows: [(rows[:6], rows[6:8]), (rows[6:9], rows[:2]), (rows[8:], rows[3:6])]
)


@drawn
@given(renders.details(), THINGS, st.integers(1, 3))
def test_pages_of_one_thing(template: renders.Detail, things: list[tuple[Record, list[Record]]], count: int) -> None:
    pages = [
        Rendered(Page(f"{renders.HOST}/p/{n}", template.page(one, _others(one, cards))), (one,))
        for n, (one, cards) in enumerate(things)
    ]
    program = learned(Induction(), renders.SCHEMA, pages[:count])
    assert program is not None
    unseen = pages[count:]
    assert [list(faults(program, renders.SCHEMA, one)) for one in unseen] == [[]] * len(unseen), program.source
    lost = set().union(*(missing(program, one) for one in unseen))
    for name in lost:
        event(f"lost: {name}")
    told = {n for n, carrier in template.carriers.items() if carrier in SHOWN or n in template.island} | {"title"}
    taught = {name for name in renders.SCHEMA.names if _is_taught(name, [one for one, _ in things[:count]])}
    assert not lost & told & taught, program.source


@drawn
@given(renders.listings(), PAGES)
def test_pages_of_many_things(template: renders.Listing, drawn: list[tuple[list[Record], list[Record]]]) -> None:
    pages = [
        Rendered(Page(f"{renders.HOST}/all/{n}", template.page(rows, others)), tuple(map(template.kept, rows)))
        for n, (rows, others) in enumerate(drawn)
    ]
    program = learned(ListingInduction(), template.schema, pages[:1])
    assert program is not None
    assert [list(faults(program, template.schema, one)) for one in pages[1:]] == [[], []], program.source
    taught = {name for name in template.schema.names if _is_taught(name, pages[0].records)}
    assert not taught & set().union(*(missing(program, one) for one in pages[1:])), program.source


def _others(one: Record, cards: Sequence[Record]) -> list[Record]:
    """The cards without those that say what the thing says: of a single page nobody could tell which is meant."""
    return [other for other in cards if other["title"] != one["title"] and other["price"] != one["price"]]


def _is_taught(name: str, known: Sequence[Record]) -> bool:
    """Whether the labelled pages show enough of a field: values that differ, and a list with several elements."""
    values = [one[name] for one in known if one[name] is not None]
    return len({str(one) for one in values}) > 1 and (name != "colours" or any(len(one) > 1 for one in values))
