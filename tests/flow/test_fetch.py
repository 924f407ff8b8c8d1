"""The fetcher against a real server on a local port: patient, bounded, polite, and clear about what went wrong."""

import asyncio
import gzip
from typing import Any

import pytest

from crawloop.crawl.fetch import HttpFetcher
from crawloop.crawl.fetch.patience import Timer
from crawloop.errors import ConfigError, FetchError, PageRefused
from crawloop.model.page import Page
from crawloop.model.policy import FetchRules
from tests.fakes.bazaar import Bazaar
from tests.fakes.hourglass import Hourglass
from tests.fakes.server import Reply, Server


def get(url: str, time: Hourglass | None = None, **rules: Any) -> Page:
    time = time or Hourglass()

    async def one() -> Page:
        timer = Timer(time.now, time.sleep, chance=lambda: 1.0)
        said = FetchRules(**{"robots": False} | rules)
        async with HttpFetcher(said, [url], clock=lambda: "2026-01-31T12:00:00Z", timer=timer) as fetcher:
            return await fetcher.fetch(url)

    return asyncio.run(one())


def test_a_page_with_its_charset_redirect_and_time() -> None:
    script = {
        "/old": Reply(status=302, headers={"Location": "/new"}),
        "/new": Reply("<p>Käse".encode("latin-1"), headers={"Content-Type": "text/html; charset=latin1"}),
    }
    with Server(script) as server:
        page = get(server.url + "/old")
        assert (page.html, page.status, page.fetched_at) == ("<p>Käse", 200, "2026-01-31T12:00:00Z")
        assert (page.url, page.final_url) == (server.url + "/old", server.url + "/new")
        assert server.headers[0]["User-Agent"].startswith("crawloop/")


def test_an_error_status_is_a_page_and_is_not_asked_twice() -> None:
    with Server({"/": Reply(b"who are you", 403)}) as server:
        assert get(server.url + "/").status == 403
        assert server.asked == ["/"]


def test_a_busy_server_is_given_the_time_it_asks_for() -> None:
    busy = Reply(b"later", 429, {"Content-Type": "text/html", "Retry-After": "7"})
    time = Hourglass()
    with Server({"/": lambda before: busy if before < 2 else Reply(b"now")}) as server:
        assert get(server.url + "/", time).html == "now"
    assert time.now() == 14.0


def test_back_off_doubles_and_the_last_answer_is_returned() -> None:
    time = Hourglass()
    with Server({"/": Reply(b"down", 503)}) as server:
        assert get(server.url + "/", time, retries=3, pause=0.5).status == 503
        assert len(server.asked) == 4
    assert time.now() == 0.5 + 1.0 + 2.0


def test_a_server_that_asks_for_an_hour_is_left_alone() -> None:
    with Server({"/": Reply(b"later", 503, {"Content-Type": "text/html", "Retry-After": "3600"})}) as server:
        assert get(server.url + "/").status == 503
        assert len(server.asked) == 1


def test_a_broken_connection_is_tried_again_and_then_named() -> None:
    with Server({"/": lambda before: Reply(hang_up=before == 0, body=b"back"), "/no": Reply(hang_up=True)}) as server:
        assert get(server.url + "/").html == "back"
        with pytest.raises(FetchError, match=r"/no: RemoteProtocolError"):
            get(server.url + "/no", retries=1)
        assert server.asked.count("/no") == 2


def test_a_slow_server_is_given_up_at_the_deadline() -> None:
    with (
        Server({"/": Reply(b"x", after=1.0)}) as server,
        pytest.raises(FetchError, match=r"no whole page within 0\.2 s"),
    ):
        get(server.url + "/", deadline=0.2)


def test_a_body_that_drips_is_given_up_at_the_deadline() -> None:
    with (
        Server({"/": Reply(b"x" * 500, every=0.01)}) as server,
        pytest.raises(FetchError, match=r"no whole page within 0\.2 s"),
    ):
        get(server.url + "/", deadline=0.2)


def test_redirects_are_bounded() -> None:
    with (
        Server({"/": Reply(status=302, headers={"Location": "/"})}) as server,
        pytest.raises(FetchError, match="redirect"),
    ):
        get(server.url + "/", redirects=3)


def test_a_page_above_the_cap_is_refused_however_it_was_packed() -> None:
    packed = {"Content-Type": "text/html", "Content-Encoding": "gzip"}
    with Server({"/": Reply(gzip.compress(b" " * 3_000_000), headers=packed)}) as server:
        with pytest.raises(PageRefused, match="larger than 2 MB"):
            get(server.url + "/", max_bytes=2_000_000)
        assert server.asked == ["/"]
        assert len(get(server.url + "/", max_bytes=3_000_000).html) == 3_000_000


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x.example/", "x.example", "http://"])
def test_only_web_addresses_are_fetched(url: str) -> None:
    with pytest.raises(FetchError, match="only http and https"):
        get(url)


def test_a_redirect_away_from_the_web_is_refused() -> None:
    with (
        Server({"/": Reply(status=302, headers={"Location": "file:///etc/passwd"})}) as server,
        pytest.raises(FetchError, match="file"),
    ):
        get(server.url + "/")


def test_an_image_is_no_page() -> None:
    with (
        Server({"/": Reply(b"\x89PNG", headers={"Content-Type": "image/png"})}) as server,
        pytest.raises(FetchError, match="this is image/png, not a page"),
    ):
        get(server.url + "/")


def test_connections_are_used_again_until_the_server_closes_them() -> None:
    async def many() -> None:
        rules = FetchRules(per_host=4, robots=False, retries=0)
        async with Bazaar(str) as shop, HttpFetcher(rules, [shop.root], clock=lambda: "") as fetcher:
            await asyncio.gather(*(fetcher.fetch(shop.url(n)) for n in range(40)))
            assert shop.connections <= 4
            before = shop.connections
            await shop.hang_up()
            assert (await fetcher.fetch(shop.url(41))).html == "41"
            assert shop.connections == before + 1

    asyncio.run(many())


def test_few_requests_at_once_to_one_host() -> None:
    async def many(server: Server) -> None:
        async with HttpFetcher(FetchRules(per_host=2, robots=False), [server.url], clock=lambda: "") as fetcher:
            await asyncio.gather(*(fetcher.fetch(f"{server.url}/{n}") for n in range(8)))

    with Server({f"/{n}": Reply(b"x", after=0.03) for n in range(8)}) as server:
        asyncio.run(many(server))
        assert server.most_at_once == 2
        assert len(server.asked) == 8


def test_rules_that_cannot_work_are_named() -> None:
    with pytest.raises(ConfigError, match=r"fetch\.per_host is 0"):
        FetchRules(per_host=0)
    with pytest.raises(ConfigError, match=r"fetch\.deadline"):
        FetchRules(deadline=0)


@pytest.mark.parametrize("host", ["xn--", "xn--zzzzzzzz99999999.com", "[::1"])
def test_a_redirect_to_a_host_that_cannot_be_is_told(host: str) -> None:
    away = Reply(status=302, headers={"Location": f"http://{host}/"})
    with Server({"/": away}) as server, pytest.raises(FetchError, match=server.url):
        get(server.url + "/")


@pytest.mark.parametrize("url", ["http://[::1", "http://xn--/", "http://127.0.0.1:1/\ud800"])
def test_a_url_that_cannot_be_is_told(url: str) -> None:
    with pytest.raises(FetchError):
        get(url)


@pytest.mark.parametrize("packing", ["gzip, gzip", "br", "deflate,gzip", "zstd"])
def test_what_is_packed_twice_or_not_as_asked_is_not_unpacked(packing: str) -> None:
    bomb = gzip.compress(gzip.compress(bytes(20_000_000)))
    with Server({"/": Reply(bomb, headers={"Content-Type": "text/html", "Content-Encoding": packing})}) as server:
        with pytest.raises(FetchError, match="is packed as"):
            get(server.url + "/")
        assert server.headers[0]["Accept-Encoding"] == "gzip, deflate"


def test_identity_beside_gzip_is_no_second_packing() -> None:
    headers = {"Content-Type": "text/html", "Content-Encoding": "identity, gzip"}
    with Server({"/": Reply(gzip.compress(b"<p>hi"), headers=headers)}) as server:
        assert get(server.url + "/").html == "<p>hi"
