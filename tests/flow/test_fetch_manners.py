"""What a fetcher may ask and how: hosts, addresses, robots.txt, cookies, a proxy, its cache; seen by real servers."""

from __future__ import annotations

import asyncio
import base64
import gzip
import socket
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from crawloop.crawl.fetch import HttpFetcher
from crawloop.crawl.fetch.cache import PageCache
from crawloop.crawl.fetch.patience import Timer
from crawloop.errors import AnswerLost, FetchError, PageForbidden
from crawloop.model.page import Page
from crawloop.model.policy import FetchRules
from tests.fakes.hourglass import Hourglass
from tests.fakes.server import Reply, Server

HTML = {"Content-Type": "text/html"}


class Visit:
    """Fetches pages one after another, as one crawl; `got` are the pages, or the errors in their place."""

    def __init__(self, urls: Sequence[str], asked: Sequence[str] = (), cache: PageCache | None = None, **rules: Any):
        self.time = Hourglass()
        timer = Timer(self.time.now, self.time.sleep, chance=lambda: 1.0)
        self._fetcher = HttpFetcher(FetchRules(**rules), asked or urls[:1], clock=lambda: "", timer=timer, cache=cache)
        self.got = asyncio.run(self._all(urls))
        self.warnings = self._fetcher.warnings

    async def _all(self, urls: Sequence[str]) -> list[Page | FetchError]:
        async with self._fetcher as fetcher:
            return [await self._one(fetcher, url) for url in urls]

    async def _one(self, fetcher: HttpFetcher, url: str) -> Page | FetchError:
        try:
            return await fetcher.fetch(url)
        except FetchError as error:
            return error

    @property
    def texts(self) -> list[str]:
        return [one.html if isinstance(one, Page) else str(one) for one in self.got]


def to(url: str) -> Reply:
    return Reply(status=302, headers={"Location": url})


# Hosts


def test_a_redirect_off_the_allowlist_is_told_and_not_followed() -> None:
    with Server({"/b": Reply(b"secret")}) as other, Server({"/a": to(other.url + "/b")}) as server:
        (text,) = Visit([server.url + "/a"], robots=False).texts
        place = other.url.removeprefix("http://")
        assert text == (
            f"{server.url}/a: redirects to {place}, which is not allowed: if it is meant, add it to fetch.hosts"
        )
        assert other.asked == []
        assert Visit([server.url + "/a"], robots=False, hosts=(place,)).texts == ["secret"]


def test_each_hop_is_looked_at() -> None:
    with Server({"/c": Reply(b"secret")}) as other:
        script = {"/a": to("/b"), "/b": to(other.url + "/c")}
        with Server(dict(script)) as server:
            (text,) = Visit([server.url + "/a"], robots=False).texts
            assert "which is not allowed" in text
            assert (server.asked, other.asked) == (["/a", "/b"], [])


def test_a_page_of_a_host_that_nobody_named_is_not_asked_for() -> None:
    with Server({"/": Reply(b"x")}) as server:
        (text,) = Visit([server.url + "/"], asked=["https://shop.example/"], robots=False).texts
        assert "is not among the hosts asked for" in text
        assert server.asked == []


# Addresses


class Names:
    """A name server that knows `shop.test`, and what it answers each time it is asked."""

    def __init__(self, *answers: str) -> None:
        self.left = list(answers)
        self._real = socket.getaddrinfo

    def __call__(self, host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        if host not in ("shop.test", b"shop.test"):
            return self._real(host, port, *rest, **more)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (self.left.pop(0), port))]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    made = Names()
    monkeypatch.setattr(socket, "getaddrinfo", made)
    return made


@pytest.mark.parametrize("address", ["127.0.0.1", "169.254.169.254", "10.0.0.1"])
def test_a_name_with_a_private_address_is_refused(names: Names, address: str) -> None:
    names.left = [address]
    with Server({"/": Reply(b"secret")}) as server:
        (text,) = Visit([server.url.replace("127.0.0.1", "shop.test") + "/"], robots=False).texts
        assert f"shop.test has the address {address}, which is not one of the internet" in text
        assert server.asked == []


def test_the_address_that_was_checked_is_the_one_connected_to(names: Names) -> None:
    """The name server changes its mind at once; it is not asked a second time, and the server hears the name."""
    names.left = ["127.0.0.1", "10.0.0.1"]
    with Server({"/": Reply(b"hello")}) as server:
        place = server.url.removeprefix("http://").replace("127.0.0.1", "shop.test")
        assert Visit([f"http://{place}/"], robots=False, hosts=(place,)).texts == ["hello"]
        assert server.headers[0]["Host"] == place
    assert names.left == ["10.0.0.1"]


# robots.txt


def test_a_page_that_robots_txt_disallows_is_not_asked_for() -> None:
    script = {"/robots.txt": Reply(b"User-agent: *\nDisallow: /no"), "/yes": Reply(b"yes"), "/to": to("/no/1")}
    with Server(dict(script)) as server:
        visit = Visit([server.url + "/no", server.url + "/yes", server.url + "/to"])
        assert [type(one) for one in visit.got] == [PageForbidden, Page, PageForbidden]
        assert f"{server.url}/no: {server.url}/robots.txt does not allow it" in visit.texts[0]
        assert server.asked == ["/robots.txt", "/yes", "/to"]


@pytest.mark.parametrize("reply", [Reply(b"no", 404), Reply(b"no", 403), Reply(b"\x00", 200, {"Content-Type": "a/b"})])
def test_without_a_robots_txt_all_is_allowed(reply: Reply) -> None:
    with Server({"/robots.txt": reply, "/": Reply(b"yes")}) as server:
        assert Visit([server.url + "/"]).texts == ["yes"]


def test_while_robots_txt_cannot_be_had_nothing_is_asked_for() -> None:
    def robots(before: int) -> Reply:
        return Reply(b"down", 503, HTML | {"Retry-After": "25"}) if before < 3 else Reply(b"", 404)

    with Server({"/robots.txt": robots, "/": Reply(b"yes")}) as server:
        visit = Visit([server.url + "/"] * 5, retries=0)
        assert [type(one) for one in visit.got] == [FetchError] * 5
        assert "/robots.txt could not be had, so nothing there is fetched now: HTTP 503" in visit.texts[0]
        assert server.asked == ["/robots.txt"]  # a failure holds for a minute


def test_robots_txt_is_found_behind_five_redirects_and_no_more() -> None:
    hops = {f"/{n}": to(f"/{n + 1}") for n in range(1, 5)}
    rules = {"/5": Reply(b"User-agent: *\nDisallow: /"), "/6": Reply(b"User-agent: *\nDisallow: /")}
    with Server({"/robots.txt": to("/1"), "/p": Reply(b"x"), **hops, **rules}) as server:
        assert "does not allow" in Visit([server.url + "/p"]).texts[0]
    with Server({"/robots.txt": to("/1"), "/p": Reply(b"x"), **hops, **rules, "/5": to("/6")}) as server:
        assert Visit([server.url + "/p"]).texts == ["x"]


def test_the_crawl_delay_is_kept_and_an_absurd_one_told() -> None:
    for said, kept in (("2.5", 2.5), ("86400", 60.0)):
        robots = Reply(f"User-agent: *\nCrawl-delay: {said}".encode())
        with Server({"/robots.txt": robots, "/": Reply(b"x")}) as server:
            visit = Visit([server.url + "/"] * 3)
            assert visit.texts == ["x"] * 3
            assert visit.time.now() == pytest.approx(2 * kept)
            assert visit.warnings == (
                () if kept < 60 else (f"{server.url}/robots.txt asks for 86400 s between pages: 60 s are kept",)
            )


# Patience


def test_a_host_that_asks_for_an_hour_is_not_asked_again() -> None:
    with Server({"/": Reply(b"later", 429, HTML | {"Retry-After": "3600"})}) as server:
        page, *rest = Visit([server.url + "/"] * 3, robots=False).got
        assert isinstance(page, Page)
        assert [str(one) for one in rest] == [f"{server.url}/: the host asked to be left alone for 3600 s"] * 2
        assert len(server.asked) == 1


def test_a_refusal_slows_the_whole_host_and_doubles_each_time() -> None:
    with Server({"/a": Reply(b"no", 429), "/b": Reply(b"yes")}) as server:
        visit = Visit([server.url + "/a", server.url + "/b"], robots=False, retries=2, pause=1.0)
        assert visit.texts == ["no", "yes"]
        assert visit.time.now() == 1.0 + 2.0 + 4.0


@pytest.mark.parametrize("packing", ["gzip", "deflate"])
def test_a_page_that_is_always_cut_off_is_lost_and_never_served(packing: str) -> None:
    whole = gzip.compress(b"<p>price 10") if packing == "gzip" else zlib.compress(b"<p>price 10")
    for body, why in ((whole[:-3], "has no end"), (b"\x18price", "is broken")):
        with Server({"/": Reply(body, headers=HTML | {"Content-Encoding": packing})}) as server:
            visit = Visit([server.url + "/"], robots=False, retries=1)
            assert [type(one) for one in visit.got] == [AnswerLost]
            assert why in visit.texts[0]
            assert len(server.asked) == 2


def test_deflate_is_read_with_and_without_its_head() -> None:
    raw = zlib.compressobj(wbits=-15)
    bodies = {"/a": zlib.compress(b"<p>hi"), "/b": raw.compress(b"<p>hi") + raw.flush(), "/c": b""}
    script = {path: Reply(body, headers=HTML | {"Content-Encoding": "deflate"}) for path, body in bodies.items()}
    with Server(dict(script)) as server:
        assert Visit([server.url + path for path in bodies], robots=False).texts == ["<p>hi", "<p>hi", ""]


# What goes along


def test_cookies_are_kept_for_the_crawl_and_for_their_host() -> None:
    script = {"/a": Reply(b"x", headers=HTML | {"Set-Cookie": "basket=7; Path=/"}), "/b": Reply(b"y")}
    with Server(dict(script)) as server:
        Visit([server.url + "/a", server.url + "/b"], robots=False)
        assert [sent.get("Cookie") for sent in server.headers] == [None, "basket=7"]
        Visit([server.url + "/b"], robots=False)
        assert server.headers[-1].get("Cookie") is None


def test_a_password_goes_to_its_host_and_into_no_message() -> None:
    with Server({"/a": to("http://nowhere.invalid/")}) as server:
        url = server.url.replace("http://", "http://anna:secret@") + "/a"
        (text,) = Visit([url], robots=False).texts
        assert server.headers[0]["Authorization"] == "Basic " + base64.b64encode(b"anna:secret").decode()
        assert "secret" not in text
        assert text.startswith(server.url.replace("http://", "http://anna:***@"))
    (text,) = Visit([url], robots=False, retries=0).texts
    assert "ConnectError" in text
    assert "secret" not in text


def test_pages_come_through_the_proxy_that_is_named() -> None:
    with Server({"http://shop.example/p": Reply(b"through")}) as proxy:
        named = proxy.url.replace("http://", "http://anna:secret@")
        assert Visit(["http://shop.example/p"], robots=False, proxy=named).texts == ["through"]
        assert proxy.headers[0]["Proxy-Authorization"] == "Basic " + base64.b64encode(b"anna:secret").decode()
    (text,) = Visit(["http://shop.example/p"], robots=False, proxy=named, retries=0).texts
    assert "secret" not in text


# The cache


def test_a_page_that_its_server_calls_unchanged_comes_from_disk(tmp_path: Path) -> None:
    def page(before: int) -> Reply:
        tag = {"ETag": '"v1"', "Last-Modified": "Sat, 31 Jan 2026 12:00:00 GMT"}
        return Reply(b"", 304) if before == 1 else Reply(f"<p>{before}".encode(), headers=HTML | tag)

    with Server({"/": page}) as server:
        texts = [
            Visit([server.url + "/"], cache=PageCache(tmp_path / "c", 10_000), robots=False).texts[0] for _ in range(3)
        ]
        assert texts == ["<p>0", "<p>0", "<p>2"]
        assert [sent.get("If-None-Match") for sent in server.headers] == [None, '"v1"', '"v1"']
        assert server.headers[1]["If-Modified-Since"] == "Sat, 31 Jan 2026 12:00:00 GMT"
    assert (tmp_path / "c" / ".gitignore").read_text().splitlines()[-1] == "*"


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"x"),
        Reply(b"x", headers=HTML | {"ETag": '"v"', "Cache-Control": "private, no-store"}),
        Reply(b"x", 404, HTML | {"ETag": '"v"'}),
    ],
)
def test_what_must_not_or_cannot_be_recognised_is_not_kept(tmp_path: Path, reply: Reply) -> None:
    with Server({"/": reply}) as server:
        Visit([server.url + "/"], cache=PageCache(tmp_path / "c", 10_000), robots=False)
    assert not (tmp_path / "c").exists()
