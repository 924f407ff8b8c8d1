"""The engine over real HTTP: it serves on while a family breaks, heals it beside the crawl, then leaves it alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from crawloop import Engine, open_workspace
from crawloop.config import RunOptions
from crawloop.crawl.report import PageReport, PageStatus
from crawloop.errors import UnknownFamily
from crawloop.model.events import Event, VersionPromoted
from crawloop.model.family import Status
from tests.fakes import shop
from tests.fakes.openai_server import chat_server
from tests.fakes.redesigned import ShopServer, learnt
from tests.fakes.site import document

FREE = RunOptions(no_llm=True)
Work = Callable[[Engine], Coroutine[Any, Any, Any]]


def within(folder: Path, work: Work, **parts: Any) -> Any:
    """What `work` gives within an engine of the workspace."""

    async def whole() -> Any:
        with open_workspace(folder) as workspace:
            async with Engine(workspace, **({"options": FREE} | parts)) as engine:
                return await work(engine)

    return asyncio.run(whole())


async def crawled(engine: Engine, urls: list[str]) -> list[PageReport]:
    return [report async for report in engine.crawl(shop.FAMILY, urls)]


def junk(number: int) -> str:
    return document(f"<h1>Summer sale, part {number}</h1><p>All is gone.</p>")


def test_a_redesign_in_the_middle_of_a_crawl_is_healed_beside_it_and_the_feed_is_whole(tmp_path: Path) -> None:
    site = ShopServer()
    with site.server:
        learnt(tmp_path, site)
        urls = [site.url(n) for n in range(1, 40)]

        def page(number: int) -> str:
            return shop.old_page(number) if number <= 16 else shop.new_page(number)

        async def work(engine: Engine) -> list[PageReport]:
            before = await crawled(engine, urls)  # what is seen now heals later: the values of these pages are known
            site.page = page
            assert {one.status for one in before} == {PageStatus.OK}
            return await crawled(engine, urls)

        events: list[Event] = []
        reports = within(tmp_path, work, observer=events.append)
    assert sorted(one.url for one in reports) == sorted(urls)
    served = {one.url: one.records for one in reports if one.records}
    assert served == {site.url(n): (shop.product(n),) for n in range(1, 40)}
    assert [one.version for one in events if isinstance(one, VersionPromoted)] == [2]
    assert max(site.asked(n) for n in range(17, 40)) <= 4


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_fault_07_an_escalated_family_costs_no_model_call_and_no_run_on_each_following_request(tmp_path: Path) -> None:
    site = ShopServer()
    with site.server, chat_server() as model:
        model.answer = lambda body: "no idea"
        models = f'[models]\ntiers = ["openai/m"]\nbase_url = "{model.url}"\n'
        learnt(tmp_path, site, f"{models}[policy]\nmax_rounds = 1\ncandidates = 1\n[policy.budget]\ncalls = 500\n")
        site.page = junk

        async def work(engine: Engine) -> tuple[int, int, int]:
            for n in range(1, 9):
                await engine.serve(site.url(n))
            await engine.settled(shop.FAMILY)
            calls, pages = len(model.asked), len(site.server.asked)
            reports = [await engine.serve(site.url(1 + n % 30)) for n in range(60)]
            reports += await crawled(engine, [site.url(n) for n in range(1, 31)])
            assert {one.status for one in reports} == {PageStatus.DRIFT}
            assert {value for one in reports for row in one.records for value in row.values()} <= {None}
            return calls, len(model.asked), len(site.server.asked) - pages

        calls, later, pages = within(tmp_path, work, options=RunOptions())
        assert calls > 0, "the run that escalated asked the model"
        assert later == calls
        assert pages == 90, "each request fetches its page, and nothing else"
        with open_workspace(tmp_path) as workspace:
            family = workspace.store.family(shop.FAMILY)
            assert family
            assert family.status is Status.ESCALATED
            assert len(workspace.store.entries(shop.FAMILY, kinds=("FamilyEscalated",))) == 1


def test_a_family_that_was_kept_rests_too(tmp_path: Path) -> None:
    """Pages are junk when they are first asked for, and as before by the time that the run looks at them."""
    site = ShopServer()
    with site.server:
        learnt(tmp_path, site)
        urls = [site.url(n) for n in range(6, 40)]

        async def work(engine: Engine) -> None:
            await crawled(engine, urls)

        site.page = lambda n: junk(n) if n > 5 and site.asked(n) == 1 else shop.old_page(n)
        within(tmp_path, work)
        site.page = junk
        within(tmp_path, work)
        with open_workspace(tmp_path) as workspace:
            endings = [one.event.kind for one in workspace.store.entries(shop.FAMILY) if "Version" in one.event.kind]
            family = workspace.store.family(shop.FAMILY)
    assert endings == ["VersionPromoted", "VersionKept"]
    assert family
    assert family.cooldown_until is not None


def test_many_requests_at_once_start_one_run(tmp_path: Path) -> None:
    site = ShopServer()
    with site.server:
        learnt(tmp_path, site)
        site.page = shop.new_page

        async def work(engine: Engine) -> PageReport:
            await asyncio.gather(*(engine.serve(site.url(n)) for n in range(1, 20)))
            await engine.settled(shop.FAMILY)
            return await engine.serve(site.url(2))

        report = within(tmp_path, work)
        with open_workspace(tmp_path) as workspace:
            assert [one.number for one in workspace.store.versions(shop.FAMILY)] == [1, 2]
    assert (report.status, report.version, report.records) == (PageStatus.OK, 2, (shop.product(2),))


def test_an_engine_that_ends_early_ends_its_run_and_the_next_takes_it_up(tmp_path: Path) -> None:
    site = ShopServer()
    with site.server:
        learnt(tmp_path, site)
        site.page = shop.new_page

        async def broken(engine: Engine) -> None:
            for n in range(1, 4):  # by the third the break is sure, and its run begins
                await engine.serve(site.url(n))
            raise KeyError("of the caller")

        with pytest.raises(KeyError):
            within(tmp_path, broken)
        with open_workspace(tmp_path) as workspace, workspace.store.hold(shop.FAMILY):
            assert len(workspace.store.versions(shop.FAMILY)) == 1, "the lock is free, and nothing is half-written"

        async def work(engine: Engine) -> list[PageReport]:
            return await crawled(engine, [site.url(n) for n in range(1, 10)])

        assert {one.status for one in within(tmp_path, work)} == {PageStatus.OK}


def test_a_sister_of_the_same_template_gets_the_new_version_before_anything_is_induced(tmp_path: Path) -> None:
    one, other = ShopServer(), ShopServer()
    sister = "shop.example/other"
    with one.server, other.server:
        learnt(tmp_path, one)
        learnt(tmp_path, other, family=sister)
        one.page = other.page = shop.new_page

        async def work(engine: Engine) -> list[PageReport]:
            assert [report async for report in engine.crawl(shop.FAMILY, [one.url(n) for n in range(1, 9)])]
            return [report async for report in engine.crawl(sister, [other.url(n) for n in range(1, 9)])]

        reports = within(tmp_path, work)
        with open_workspace(tmp_path) as workspace:
            healed, given = workspace.store.version(shop.FAMILY, 2), workspace.store.version(sister, 2)
            run = workspace.store.entries(sister, kinds=("VersionPromoted",))[-1].event.run
            told = {entry.event.kind for entry in workspace.store.entries(sister, run=run)}
    assert all(list((tmp_path / "archive" / name).rglob("*.warc.gz")) for name in (shop.FAMILY, sister))
    assert healed
    assert given
    assert given.source == healed.source
    assert given.origin == f"{shop.FAMILY} version 2"
    assert "StrategyProposed" not in told
    assert {report.status for report in reports} == {PageStatus.OK}


def test_what_a_sister_offers_and_does_not_fit_is_not_promoted(tmp_path: Path) -> None:
    """The other shop looks the same, and has the number where this one has the material, and the other way round."""
    one, other = ShopServer(), ShopServer()
    sister = "shop.example/other"

    def swapped(number: int) -> str:
        page, said = shop.new_page(number), shop.product(number)
        return page.replace(said["sku"], "\0").replace(said["material"], said["sku"]).replace("\0", said["material"])

    with one.server, other.server:
        learnt(tmp_path, one)
        learnt(tmp_path, other, family=sister)
        one.page, other.page = shop.new_page, swapped

        async def work(engine: Engine) -> list[PageReport]:
            assert [report async for report in engine.crawl(shop.FAMILY, [one.url(n) for n in range(1, 9)])]
            return [report async for report in engine.crawl(sister, [other.url(n) for n in range(1, 9)])]

        reports = within(tmp_path, work)
        with open_workspace(tmp_path) as workspace:
            healed, own = workspace.store.version(shop.FAMILY, 2), workspace.store.version(sister, 2)
    assert healed
    assert own
    assert own.source != healed.source
    assert {one.url: one.records for one in reports} == {other.url(n): (shop.product(n),) for n in range(1, 9)}


def test_a_url_of_no_family_is_told(tmp_path: Path) -> None:
    site = ShopServer()
    with site.server:
        learnt(tmp_path, site)

        async def work(engine: Engine) -> None:
            await engine.serve("https://elsewhere.example/about")

        with pytest.raises(UnknownFamily, match=r"no family of this workspace has pages like https://elsewhere"):
            within(tmp_path, work)
