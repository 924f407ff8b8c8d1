"""What is left of a field whose reading is wrong on a few rows: silence there."""

import asyncio

import pytest

from crawloop.contract import Brief
from crawloop.extract.plan import Plan
from crawloop.extract.view import PageView
from crawloop.strategy.listing import ListingInduction
from tests.fakes.listings import SCHEMA, sample

NAMES = ["Roe v. Doe", "Poe v. Coe", "Hill v. Dale", "Ash v. Elm", "Oak v. Fir", "Yew v. Box", "Bay v. Sea"]


def page(names: list[str], odd: str) -> str:
    cells = [f'<a href="/{n}.pdf">{name}</a>' for n, name in enumerate(names)]
    cells[2] = f'<a href="/2.pdf">{odd}</a><img alt="{names[2]}">'
    return "<ul>" + "".join(f"<li>24-{n}0: {cell}</li>" for n, cell in enumerate(cells)) + "</ul>"


def records(names: list[str]) -> list[dict[str, object]]:
    return [{"title": name, "code": f"24-{n}0", "link": f"/{n}.pdf"} for n, name in enumerate(names)]


def programs(odd: str) -> list[Plan]:
    brief = Brief("site", SCHEMA, (sample(page(NAMES, odd), records(NAMES)),))
    return [Plan.loads(one.plan or "") for one in asyncio.run(ListingInduction().propose(brief))]


@pytest.mark.parametrize(
    ("odd", "later"), [("1/28/16", "2/3/17"), ("REVISED OPINION", "ORDER"), ("Revised opinion", "Order")]
)
def test_the_last_program_is_silent_where_what_is_read_looks_unlike_right_values(odd: str, later: str) -> None:
    last = programs(odd)[-1]
    got = last.read(PageView(page(NAMES, odd)))
    assert [one["title"] for one in got] == [*NAMES[:2], None, *NAMES[3:]]
    others = ["Gull v. Tern", "Owl v. Kite", "Jay v. Wren", "Rook v. Crow"]
    assert [one["title"] for one in last.read(PageView(page(others, later)))] == [*others[:2], None, others[3]]


def test_a_slip_that_looks_like_the_others_gets_no_program_of_its_own() -> None:
    assert len(programs("Elk v. Hind")) == len(programs("1/28/16")) - 1
