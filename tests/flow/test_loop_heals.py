"""Without a model: a family from its markup, a redesign healed by history, a rollback, and faults on the way."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawloop import LoopResult, run_loop
from crawloop.errors import CompletionError, FetchError
from crawloop.llm.scripted import ScriptedCompleter
from crawloop.model.events import VersionPromoted
from crawloop.model.family import Status
from crawloop.model.outcome import Promotion
from crawloop.model.page import Page
from crawloop.model.policy import Policy
from crawloop.registry import MemoryStore, SqlStore
from crawloop.sandbox import ProcessSandbox
from crawloop.shape import Layouts, marks
from crawloop.witness.examples import Example
from tests.fakes import shop
from tests.fakes.house import NOW, House
from tests.fakes.site import Site, document

OLD = {shop.url(n): shop.old_page(n) for n in range(1, 9)}
NEW = {shop.url(n): shop.new_page(n) for n in range(1, 9)}


def house(tmp_path: Path, sandbox: ProcessSandbox, pages: dict[str, str], **more: Any) -> House:
    return House(tmp_path, Site(pages), MemoryStore(tmp_path / "fixtures"), sandbox, **more)


def records(place: House, numbers: range, pages: dict[str, str], version: int | None = None) -> list[dict[str, Any]]:
    """What a version returns for these pages."""
    found = place.store.version(shop.FAMILY, version) if version else place.active
    assert found is not None
    wanted = [Page(shop.url(n), pages[shop.url(n)]) for n in numbers]
    runs = place.sandbox.run(found.source, wanted)
    return [dict(record) for run in runs for record in run.records or ()]


def right(numbers: range) -> list[dict[str, Any]]:
    return [shop.product(n) for n in numbers]


def test_a_new_family_is_learnt_from_one_seed_and_its_markup(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    place = house(tmp_path, sandbox, OLD)
    ending = place.run(1)
    assert isinstance(ending, Promotion)
    assert ending.spend.calls == 0
    assert len(ending.samples) == 5, "siblings of the seed, and theirs"
    assert records(place, range(6, 9), OLD) == right(range(6, 9)), "pages that were in no sample"
    assert len(list((tmp_path / "fixtures").rglob("page.html"))) == 5


def test_fault_02_a_redesign_is_healed_by_history_and_opens_a_new_epoch(
    tmp_path: Path, sandbox: ProcessSandbox
) -> None:
    place = house(tmp_path, sandbox, OLD)
    place.run(1)
    place.fetcher = Site(NEW)
    place.completer = ScriptedCompleter([])  # any call would be an error
    ending = place.run(policy=Policy(models=("small",)))
    assert isinstance(ending, Promotion)
    assert place.completer.asked == []
    assert {name for one in ending.samples if one.truth for name in one.truth.records[0]["title"].witnesses} == {
        "history"
    }
    assert records(place, range(1, 9), NEW) == right(range(1, 9))
    assert [(one.number, one.epoch) for one in place.store.versions(shop.FAMILY)] == [(1, 0), (2, 1)]
    assert {one.epoch for one in place.store.goldens(shop.FAMILY)} == {0, 1}
    assert "product-title" in place.store.goldens(shop.FAMILY, 0)[0].html
    place.store.rollback(shop.FAMILY, 1, NOW)
    assert (place.active.number, place.family.epoch) == (1, 0)
    assert records(place, range(1, 3), OLD) == right(range(1, 3))


def _in_other_clothes(html: str) -> str:
    """The page in a layout of its own, that keeps what it says for machines."""
    marks = "".join(f'<div class="next-{word}"></div>' for word in ("shell", "bar", "grid", "card", "foot", "note"))
    return re.sub(r'class="([^"]+)"', r'class="next-\1"', html).replace("</body>", f"{marks}</body>")


def test_one_odd_page_among_many_is_no_layout_of_its_own(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    place = house(tmp_path, sandbox, OLD)
    place.run(1)
    odd = shop.url(2)
    place.fetcher = Site(OLD | {odd: _in_other_clothes(OLD[odd])})
    ending = place.run()
    assert isinstance(ending, Promotion)
    assert odd in {one.page.url for one in ending.samples}
    assert ending.keeps == 1


def test_a_program_that_still_reads_a_new_layout_serves_it_as_its_own(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    place = house(tmp_path, sandbox, OLD)
    place.run(1)
    dressed = {url: _in_other_clothes(html) for url, html in OLD.items()}
    place.fetcher = Site(dressed)
    ending = place.run()
    assert isinstance(ending, Promotion)
    assert ending.new_epoch
    first, second = place.store.versions(shop.FAMILY)
    assert (second.number, second.epoch, second.source) == (2, 1, first.source)
    known = Layouts([golden.html for golden in place.store.goldens(shop.FAMILY, 1)])
    assert known.is_same(marks(dressed[shop.url(8)])), "and a page that was in no sample is of a layout that is known"
    again = place.run()
    assert isinstance(again, Promotion)
    assert again.keeps == 2, "what is known is no news a second time"


def test_a_redesign_with_other_prices_is_healed_for_all_fields(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    """Half of the last known prices are stale: they stand nowhere on the new pages and decide nothing."""
    place = house(tmp_path, sandbox, OLD)
    place.run(1)
    moved = {
        shop.url(n): shop.new_page(n).replace(f"€ {shop.product(n)['price']:.2f}", f"€ {n}7.50" if n % 2 else "€ 19.00")
        for n in range(1, 9)
    }
    moved |= {shop.url(n): shop.new_page(n) for n in (2, 4)}
    place.fetcher = Site(moved)
    ending = place.run()
    assert isinstance(ending, Promotion)
    assert records(place, range(7, 8), moved) == [shop.product(7) | {"price": 77.5}]


def test_fault_06_a_version_that_raises_on_the_new_pages_is_a_redesign(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    place = house(tmp_path, sandbox, OLD)
    ending = place.run(1)
    assert isinstance(ending, Promotion)
    raising = "def extract(page):\n    return [{'title': page.text('h1.product-title').strip()}]\n"
    _serve(place, ending, raising)
    place.fetcher = Site(NEW)
    healed = place.run()
    assert isinstance(healed, Promotion)
    assert healed.new_epoch
    assert "AttributeError" in str(place.told("DriftNoticed")[-1]["problems"])
    assert records(place, range(1, 9), NEW) == right(range(1, 9))


def test_a_field_that_the_version_never_reached_is_no_redesign(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    place = house(tmp_path, sandbox, OLD)
    ending = place.run(1)
    assert isinstance(ending, Promotion)
    partly = ending.winner.source.replace("def extract(", "def whole(")
    partly += "\n\ndef extract(page):\n    return [{**row, 'price': None} for row in whole(page)]\n"
    _serve(place, replace(ending, residual=("price",)), partly, ending.winner.fields)
    again = place.run()
    assert isinstance(again, Promotion)
    assert not again.new_epoch


def _serve(place: House, ending: Promotion, source: str, fields: Iterable[str] = ("title",)) -> None:
    """Makes `source` the active version, with the samples of a promotion."""
    winner = replace(ending.winner, source=source, plan=None, fields=frozenset(fields))
    event = VersionPromoted(shop.FAMILY, NOW, "by-hand", 0, "by hand")
    place.store.settle(place.family, replace(ending, winner=winner), event, (), NOW)


def test_fault_16_money_is_read_as_it_is_written(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    amounts = {1: ("12,50 €", 12.5), 2: ("1.299,00 €", 1299.0), 3: ("349,00 €", 349.0), 4: ("2.500,00 €", 2500.0)}
    amounts[5] = ("1.050,90 €", 1050.9)
    pages = {
        shop.url(n): document(f"<h1>Thing number {n}</h1><p class=cost>{text}</p><p>Ships in 3 days</p>", f"Thing {n}")
        for n, (text, _) in amounts.items()
    }
    known = tuple(
        Example(shop.url(n), ({"title": f"Thing number {n}", "price": value},))
        for n, (_, value) in amounts.items()
        if n < 4
    )
    place = house(tmp_path, sandbox, pages, examples=known)
    ending = place.run(*amounts, labelled=tuple(one.url for one in known))
    assert isinstance(ending, Promotion)
    assert [one["price"] for one in records(place, range(1, 6), pages)] == [value for _, value in amounts.values()]


def test_a_dead_provider_does_not_keep_free_strategies_from_their_chance(
    tmp_path: Path, sandbox: ProcessSandbox
) -> None:
    bare = {url: page.replace('"sku"', '"x"') for url, page in OLD.items()}
    completer = ScriptedCompleter(lambda asked: CompletionError("401: the key is wrong"))
    place = house(tmp_path, sandbox, bare, completer=completer)
    ending = place.run(1, policy=Policy(models=("small",)))
    assert isinstance(ending, Promotion)
    assert completer.asked, "the model was asked about what the markup does not say"
    assert place.family.status is Status.HEALTHY
    assert any("401: the key is wrong" in one["why"] for one in place.told("WitnessSilent"))


class Texts:
    """The smallest thing that `run_loop` accepts as a fetcher: it raises what it likes."""

    async def fetch(self, url: str) -> str:
        return OLD[url]


@pytest.mark.parametrize("seeds", [[shop.url(1)], [shop.url(n) for n in range(1, 6)]])
def test_run_loop_with_the_callers_own_parts(tmp_path: Path, seeds: list[str]) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "product.py").write_text(shop.SCHEMA)
    registry = SqlStore(f"sqlite:///{tmp_path / 'registry.db'}", tmp_path / "elsewhere")
    completer = ScriptedCompleter([])
    run = run_loop(
        shop.FAMILY,
        seeds,
        Texts(),
        registry,
        completer,
        "Product@1",
        fixtures_dir=tmp_path / "fixtures",
        model="small",
        now=NOW,
    )
    result = asyncio.run(run)
    assert result == LoopResult(ok=True, version=1, rounds=1, escalated=False, reason="promoted")
    assert registry.versions(shop.FAMILY)[0].created_at == NOW
    assert len(list((tmp_path / "fixtures").rglob("page.html"))) == 5
    assert completer.asked == []
    registry.close()


def test_run_loop_says_why_it_escalated(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "product.py").write_text(shop.SCHEMA)

    class Down:
        async def fetch(self, url: str) -> str:
            raise FetchError(f"{url}: refused") if url.endswith("1") else OSError("no route")

    registry = MemoryStore()
    seeds = [shop.url(1), shop.url(2)]
    run = run_loop(
        shop.FAMILY, seeds, Down(), registry, ScriptedCompleter([]), "Product@1", fixtures_dir=tmp_path / "f", now=NOW
    )
    result = asyncio.run(run)
    assert (result.ok, result.version, result.escalated) == (False, None, True)
    assert result.reason.startswith("no samples")
    whys = [one.event.body()["why"] for one in registry.entries(kinds=("PageDropped",))]
    assert [why.split(": ")[-1] for why in whys] == ["refused", "no route"]


@pytest.mark.parametrize(
    ("count", "sale", "said"),
    [
        (
            3,
            "<span class='amount'>€ 30.50</span><i>before € 40.90</i><span>",
            [{"history": 40.9, "the page": 30.5}],
        ),
        (5, "<s>€ 40.90</s> <span class='amount'>€ 30.50", []),
    ],
    ids=["the reading of the other pages contradicts it", "it is struck through"],
)
def test_an_old_price_that_stands_there_for_another_reason_is_doubted(
    tmp_path: Path, sandbox: ProcessSandbox, count: int, sale: str, said: list[dict[str, float]]
) -> None:
    place = house(tmp_path, sandbox, {shop.url(n): OLD[shop.url(n)] for n in range(1, count + 1)})
    place.run(1)
    on_sale = shop.new_page(3).replace('<span class="amount">€ 40.90', sale)
    pages = {shop.url(n): shop.new_page(n) for n in range(1, count + 1)} | {shop.url(3): on_sale}
    place.fetcher = Site(pages)
    ending = place.run()
    assert isinstance(ending, Promotion)
    assert [one["said"] for one in place.told("WitnessesDisagreed")] == said
    assert records(place, range(1, 4), pages) == [shop.product(1), shop.product(2), shop.product(3) | {"price": 30.5}]
    known = place.store.known(shop.FAMILY, shop.url(1))
    assert known is not None
    assert known.records[0]["price"] == 26.9


def test_a_field_that_a_redesign_hides_is_residual_and_no_dead_reading_is_kept(
    tmp_path: Path, sandbox: ProcessSandbox
) -> None:
    """All prices have moved: no old one stands on a new page, and the old reading finds nothing there."""
    place = house(tmp_path, sandbox, OLD)
    place.run(1)
    moved = {
        url: re.sub(r"(?<=\d)\.\d\d\b", ".07", re.sub(r"\d+(?=\.\d\d\b)", "771", html)) for url, html in NEW.items()
    }
    place.fetcher = Site(moved)
    ending = place.run()
    assert isinstance(ending, Promotion)
    assert "price" not in ending.winner.fields
    assert "price" in ending.residual
