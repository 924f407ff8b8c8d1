"""Pages rendered by a real browser: filled by their scripts, and going nowhere that the fetcher may not."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from crawloop.app import Crawling, crawling, open_workspace
from crawloop.cli import run
from crawloop.crawl.fetch import HttpFetcher
from crawloop.crawl.fetch.browser import BrowserFetcher
from crawloop.crawl.fetch.chromium import Chromium, find_browser
from crawloop.errors import FetchError, UserError
from crawloop.model.page import Page
from crawloop.model.policy import FetchRules, RenderRules
from tests.fakes import kettles
from tests.fakes.server import Reply, Server
from tests.fakes.workspace import promote, workspace


def has_browser() -> bool:
    try:
        return bool(find_browser(RenderRules()))
    except UserError:
        return False


needs_browser = pytest.mark.skipif(
    not has_browser(), reason="needs Chromium on the path, and the extra crawloop-extract[browser]"
)
SCRIPT = {"Content-Type": "text/javascript"}
JSON = {"Content-Type": "application/json"}
FILL = """setTimeout(() => fetch("/api?id=1").then(r => r.json()).then(j => {
    document.querySelector("#price").textContent = j.price + " €"; }), 50)"""


class Visit:
    """Renders pages one after another; `got` are the pages, or the errors in their place."""

    def __init__(self, *urls: str, asked: Sequence[str] = (), deadline: float = 60.0, **rules: Any):
        self._asked, self._deadline = asked or urls, deadline
        self._rules = FetchRules(**{"robots": False, "retries": 0} | rules)
        self.warnings: tuple[str, ...] = ()
        self.got = asyncio.run(self._all(urls))

    async def _all(self, urls: Sequence[str]) -> list[Page | FetchError]:
        render = RenderRules(deadline=self._deadline)
        async with HttpFetcher(self._rules, self._asked, clock=lambda: "") as http:
            async with BrowserFetcher(http, render, self._rules) as browser:
                got = [await self._one(browser, url) for url in urls]
            self.warnings = browser.warnings
            return got

    async def _one(self, browser: BrowserFetcher, url: str) -> Page | FetchError:
        try:
            return await browser.fetch(url)
        except FetchError as error:
            return error


def page(body: str) -> Reply:
    return Reply(f"<!doctype html><meta charset=utf-8>{body}".encode())


@needs_browser
def test_a_page_is_had_as_its_scripts_make_it() -> None:
    script = {
        "/p": page('<p id=price></p><script src="/fill.js"></script><img src="/big.png">'),
        "/old": Reply(status=302, headers={"Location": "/p"}),
        "/fill.js": Reply(FILL.encode(), headers=SCRIPT),
        "/api?id=1": Reply(b'{"price": 12}', headers=JSON),
    }
    with Server(dict(script)) as server:
        got = Visit(f"{server.url}/p", f"{server.url}/old").got
        for one in got:
            assert isinstance(one, Page)
            assert '<p id="price">12 €</p>' in one.html
            assert one.body.decode() == one.html
            assert (one.final_url, one.status) == (f"{server.url}/p", 200)
        assert [one.url for one in got if isinstance(one, Page)] == [f"{server.url}/p", f"{server.url}/old"]
        assert server.asked.count("/fill.js") == 1
        assert "/big.png" not in server.asked
        assert all(sent["User-Agent"].startswith("crawloop/") for sent in server.headers)


ESCAPES = """<p>hello</p><img src="HERE/1"><iframe src="HERE/2"></iframe><link rel=prefetch href="HERE/3">
<link rel=dns-prefetch href="HERE/4"><script src="HERE/5"></script><script>
fetch("HERE/6").catch(e => 0); navigator.sendBeacon("HERE/7", "x"); new EventSource("HERE/8"); window.open("HERE/9");
new WebSocket("HERE/10".replace("http", "ws")); fetch("/away").catch(e => 0);
const turn = {urls: "turn:" + "HERE".slice(7) + "?transport=tcp", username: "a", credential: "b"};
new RTCPeerConnection({iceServers: [turn]}).createDataChannel("x");
new Worker(URL.createObjectURL(new Blob(["fetch('HERE/11'); new WebSocket('HERE/12'.replace('http', 'ws'))"])));
</script>"""


@needs_browser
def test_nothing_of_a_page_reaches_a_host_that_was_not_named() -> None:
    """Not even a connection without a word in it."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        place = f"127.0.0.1:{other.getsockname()[1]}"
        away = Reply(status=302, headers={"Location": f"http://{place}/13"})
        with Server({"/p": page(ESCAPES.replace("HERE", f"http://{place}")), "/away": away}) as server:
            visit = Visit(f"{server.url}/p")
            (one,) = visit.got
            assert isinstance(one, Page)
            assert "hello" in one.html
            assert "/away" in server.asked
        other.setblocking(False)
        with pytest.raises(BlockingIOError):
            other.accept()
        left_out = {warning.removeprefix("parts of pages were left out: ") for warning in visit.warnings}
        assert left_out == {
            f"{place} is not among the hosts asked for: if it is meant, add it to fetch.hosts",
            f"redirects to {place}, which is not allowed: if it is meant, add it to fetch.hosts",
        }


@needs_browser
def test_a_page_that_goes_on_to_another_is_had_from_there() -> None:
    script = {
        "/p": page('<script>location.href = "/moved"</script>'),
        "/moved": Reply(status=302, headers={"Location": "/new/"}),
        "/new/": page('<a href="next">next</a>'),
    }
    with Server(dict(script)) as server:
        (one,) = Visit(f"{server.url}/p").got
        assert isinstance(one, Page)
        assert (one.final_url, 'href="next"' in one.html) == (f"{server.url}/new/", True)


@needs_browser
def test_robots_txt_holds_for_what_a_page_asks_for() -> None:
    script = {
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /api"),
        "/p": page(f"<p id=price>none</p><script>{FILL}</script>"),
        "/api?id=1": Reply(b'{"price": 12}', headers=JSON),
    }
    with Server(dict(script)) as server:
        (one,) = Visit(f"{server.url}/p", robots=True).got
        assert isinstance(one, Page)
        assert server.asked == ["/robots.txt", "/p"]


@needs_browser
def test_a_page_of_which_a_part_was_lost_is_no_page() -> None:
    script = {"/p": page(f"<p id=price>none</p><script>{FILL}</script>"), "/api?id=1": Reply(hang_up=True)}
    with Server(dict(script)) as server:
        (one,) = Visit(f"{server.url}/p").got
        assert isinstance(one, FetchError)
        assert "a part of the page could not be had" in str(one)
        assert "/api?id=1" in str(one)


@needs_browser
def test_a_page_that_never_rests_is_given_up() -> None:
    polling = page("<script>setInterval(() => fetch('/api'), 100)</script>")
    with Server({"/p": polling, "/api": Reply(b"1", headers=JSON)}) as server:
        (one,) = Visit(f"{server.url}/p", deadline=3.0).got
        assert "came not to rest in the browser within 3 s (render.deadline)" in str(one)


@needs_browser
def test_what_is_no_page_needs_no_browser() -> None:
    with Server({"/gone": Reply(FILL.encode(), 404), "/data": Reply(b"{}", headers=JSON)}) as server:
        got = Visit(f"{server.url}/gone", f"{server.url}/data").got
        assert [(one.status, one.html) for one in got if isinstance(one, Page)] == [(404, FILL), (200, "{}")]


@pytest.mark.slow
@needs_browser
def test_a_page_that_asks_for_very_much_is_stopped() -> None:
    with Server({"/p": asking(310), "/q": page("well")}) as server:
        first, second = Visit(f"{server.url}/p", f"{server.url}/q").got
        assert "the page asks for more than 300 parts" in str(first)
        assert isinstance(second, Page)
        assert sum(path.startswith("/api") for path in server.asked) <= 300


@needs_browser
def test_what_a_page_that_is_given_up_has_asked_for_holds_nobody_up() -> None:
    with Server({"/p": asking(100), "/q": page("well"), "/api/0": Reply(hang_up=True)}) as server:
        first, second = Visit(f"{server.url}/p", f"{server.url}/q", rate=10.0).got
        assert "a part of the page could not be had" in str(first)
        assert isinstance(second, Page)
        assert len(server.asked) < 60


def asking(times: int) -> Reply:
    return page(f"<script>for (let n = 0; n < {times}; n++) fetch('/api/' + n)</script>")


@needs_browser
def test_a_browser_that_died_is_started_anew() -> None:
    async def visits() -> None:
        async with Chromium(RenderRules(), "agent") as chromium:
            first = await chromium.visit()
            assert first.browser
            await first.browser.close()
            second = await chromium.visit()
            assert second.browser
            assert second.browser.is_connected()

    asyncio.run(visits())


def test_who_has_no_browser_is_told_what_to_do() -> None:
    pytest.importorskip("playwright")

    async def opened() -> None:
        rules = RenderRules(browser="/nowhere/chromium")
        async with BrowserFetcher(HttpFetcher(clock=lambda: ""), rules, FetchRules()):
            pass

    with pytest.raises(UserError, match=r"render\.browser is '/nowhere/chromium', and not there: install Chromium"):
        asyncio.run(opened())


@needs_browser
def test_crawls_beside_each_other_share_a_fetcher_of_their_own_sort(tmp_path: Path) -> None:
    home = workspace(tmp_path / "w")
    (home / "crawloop.toml").write_text('[render]\nfamilies = ["b"]')

    async def sorts() -> None:
        how = Crawling(use_models=False)
        with open_workspace(home) as there:
            async with crawling(there, "a", how) as first:
                async with crawling(there, "b", how, beside=first) as second:
                    assert isinstance(second.fetcher, BrowserFetcher)
                async with crawling(there, "c", how, beside=first) as third:
                    assert third.fetcher is first.fetcher

    asyncio.run(sorts())


@needs_browser
def test_a_family_that_is_to_be_rendered_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workspace(tmp_path / "w"))
    promote(Path())
    fill = "fetch('/data').then(r => r.text()).then(text => document.querySelector('#root').innerHTML = text)"
    script = {"/p/5": page(f"<div id=root></div><script>{fill}</script>"), "/data": Reply(kettles.old_page(5).encode())}
    with Server(dict(script)) as server:
        ask = ["crawl", kettles.NAME, f"{server.url}/p/5", "-o", "items.jsonl"]
        assert run(ask) == 4  # without its scripts the page is a shell
        Path("crawloop.toml").write_text(f'[render]\nfamilies = ["{kettles.NAME}"]')
        assert run(ask) == 0
    assert json.loads(Path("items.jsonl").read_text()) == kettles.record(5)
