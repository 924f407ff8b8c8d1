"""Listings over real HTTP, followed from page to page: to the end, within the bound, and never in a circle."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from crawloop.cli import run
from crawloop.model.events import VersionPromoted
from crawloop.model.family import Family, Golden
from crawloop.model.outcome import Promotion
from crawloop.model.verdict import Verdict
from crawloop.registry import SqlStore
from tests.fakes.loop import candidate
from tests.fakes.server import Reply, Server
from tests.fakes.site import document

NAME = "shop.example/lamps"
SCHEMA = "from pydantic import BaseModel\n\nclass Lamp(BaseModel):\n    title: str\n    price: float | None = None\n"
PROGRAM = """def extract(page):
    return [{"title": row.text("b"), "price": number(row.text("i"))} for row in page.css("li.lamp")]
"""
ROWS = 4


def lamps(number: int) -> list[dict[str, Any]]:
    return [{"title": f"Lamp {number}-{n}", "price": 10.5 * number + n} for n in range(ROWS)]


def listing(number: int, following: int | None) -> str:
    rows = "".join(f'<li class="lamp"><b>{one["title"]}</b> <i>{one["price"]}</i></li>' for one in lamps(number))
    after = f'<a class="on" href="/lamps?page={following}">Next page</a>' if following else ""
    return document(
        f'<h1>Lamps</h1><ul class="list">{rows}</ul><p class="pager"><a href="/lamps">First</a> {after}</p>'
    )


class Shop:
    """Lists lamps on `last` pages; what `beyond` gives stands on those after."""

    def __init__(self, last: int, beyond: Callable[[int], str] | None = None) -> None:
        script: dict[str, Reply | Callable[[int], Reply]] = {
            self.path(n): Reply(listing(n, n + 1 if n < last or beyond else None).encode()) for n in range(1, last + 1)
        }
        if beyond is not None:
            script |= {self.path(n): Reply(beyond(n).encode()) for n in range(last + 1, last + 9)}
        self.server = Server(script)

    def path(self, number: int) -> str:
        return "/lamps" if number == 1 else f"/lamps?page={number}"

    def url(self, number: int) -> str:
        return self.server.url + self.path(number)

    @property
    def asked(self) -> list[str]:
        return [path for path in self.server.asked if path.startswith("/lamps")]


@pytest.fixture
def learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Shop], None]:
    """Makes a workspace, the current folder, in which the shop's first two pages are golden."""

    def make(shop: Shop) -> None:
        (tmp_path / "schemas").mkdir()
        (tmp_path / "schemas" / "lamp.py").write_text(SCHEMA)
        store = SqlStore(f"sqlite:///{tmp_path / 'registry.db'}", tmp_path / "fixtures")
        goldens = [
            Golden(NAME, "", shop.url(n), listing(n, n + 1), tuple(lamps(n)), epoch=0, version=0) for n in (1, 2)
        ]
        winner = candidate(PROGRAM, "title", "price", origin="dom")
        event = VersionPromoted(NAME, "2026-01-01T00:00:00Z", "run", 0, "dom")
        store.settle(Family(NAME, "Lamp@1"), Promotion(winner, Verdict(winner), ()), event, goldens, event.at)
        store.close()
        monkeypatch.chdir(tmp_path)

    return make


def crawled(shop: Shop, follow: int) -> tuple[int, list[dict[str, Any]]]:
    """The exit code and the lines of the report."""
    words = ["crawl", NAME, shop.url(1), "--follow", str(follow), "--report", "report.jsonl", "-o", "items.jsonl"]
    code = run(words)
    return code, [json.loads(line) for line in Path("report.jsonl").read_text().splitlines()]


def items() -> Iterator[dict[str, Any]]:
    return map(json.loads, Path("items.jsonl").read_text().splitlines())


def test_a_listing_is_followed_to_its_end(learnt: Callable[[Shop], None]) -> None:
    shop = Shop(last=7)
    with shop.server:
        learnt(shop)
        code, rows = crawled(shop, 50)
    assert code == 0
    assert [row["url"] for row in rows] == [shop.url(n) for n in range(1, 8)]
    assert list(items()) == [one for n in range(1, 8) for one in lamps(n)]
    assert shop.asked == [shop.path(n) for n in range(1, 8)]
    assert rows[0]["following"] == shop.url(2)
    assert "following" not in rows[-1]


def test_no_further_than_was_asked(learnt: Callable[[Shop], None]) -> None:
    shop = Shop(last=7)
    with shop.server:
        learnt(shop)
        assert len(crawled(shop, 3)[1]) == 4
        assert len(crawled(shop, 0)[1]) == 1


def test_a_site_that_gives_its_last_page_for_ever_is_left(learnt: Callable[[Shop], None]) -> None:
    shop = Shop(last=3, beyond=lambda n: listing(3, n + 1))
    with shop.server:
        learnt(shop)
        code, rows = crawled(shop, 50)
    assert code == 0
    assert [len(row["records"]) for row in rows] == [ROWS, ROWS, ROWS, 0]
    assert rows[-1]["problems"] == [f"the same records as {shop.url(3)}: the listing goes no further"]
    assert len(list(items())) == 3 * ROWS


def test_a_circle_is_gone_round_once(learnt: Callable[[Shop], None]) -> None:
    shop = Shop(last=3, beyond=lambda n: listing(n, 2))
    with shop.server:
        learnt(shop)
        _, rows = crawled(shop, 50)
    assert [row["url"] for row in rows] == [shop.url(n) for n in range(1, 5)]
    assert shop.asked == [shop.path(n) for n in range(1, 5)]


def test_a_page_of_another_kind_ends_the_way(learnt: Callable[[Shop], None]) -> None:
    shop = Shop(last=3, beyond=lambda n: document(f"<h1>Sign in</h1><a href='/lamps?page={n + 1}'>Next page</a>"))
    with shop.server:
        learnt(shop)
        code, rows = crawled(shop, 50)
    assert code == 4
    assert [row["status"] for row in rows] == ["ok", "ok", "ok", "drift"]
    assert len(shop.asked) == 4
