"""Blocks, losses, empty lists and shells are told from real pages, in linear time."""

import time

import pytest

from crawloop.model.page import Page
from crawloop.triage import PageKind, triage

URL = "https://shop.example/p/12"
PROSE = "<p>" + "A page about soup, with a great many words in it, one after the other. " * 20 + "</p>"


def kind(html: str, *, status: int = 200, url: str = URL, final_url: str = "") -> PageKind:
    found, why = triage(Page(url, html, status, final_url))
    assert bool(why) == (found is not PageKind.REAL)
    return found


CHALLENGES = {
    "cloudflare": "<title>Just a moment...</title><noscript>Enable JavaScript and cookies to continue</noscript>"
    "<script>(function(){window._cf_chl_opt={cvId:'3'};}());</script>",
    "cloudflare-ban": "<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>",
    "datadome": "<title>shop.example</title><p id=cmsg>Please enable JS and disable any ad blocker</p>"
    "<script>var dd={'rt':'c','cid':'A'}</script><script src=https://ct.captcha-delivery.com/c.js></script>",
    "perimeterx": '<title>Access to this page has been denied</title><h1>Before we continue</h1><div id="px-captcha">',
    "akamai": "<TITLE>Access Denied</TITLE><H1>Access Denied</H1>You don't have permission to access this page."
    " Reference #18.2d351ab8.1557333295.a4e16ab<p>https://errors.edgesuite.net/18.2d351ab8",
    "imperva": '<script src="/_Incapsula_Resource?SWUDNSAI=31"></script><iframe src=x>Request unsuccessful.</iframe>',
    "recaptcha": "<title>Robot Check</title><h4>Enter the characters you see below</h4><p>Sorry, we just need to make"
    " sure you're not a robot.</p>",
    "plain": "<html><head><title>403 Forbidden</title></head><body><center><h1>403 Forbidden</h1></center><hr>nginx",
    "german": "<title>Zugriff verweigert</title><p>Ihre Anfrage wurde abgelehnt.",
    "imperva-incident": "<title>Request unsuccessful</title>Request unsuccessful. Incapsula incident ID: 459-1",
    "akamai-interstitial": '<div id="sec-if-cpt-container"></div><script src="/x/bm.js?bm-verify=A"></script>',
    "aws": "<script>window.gokuProps = {'key':'A'};</script><script src='https://a.token.awswaf.com/challenge.js'>"
    "</script><noscript><h1>JavaScript is disabled</h1></noscript>",
    "hcaptcha": '<title>shop.example</title><form><div class="h-captcha" data-sitekey="a"></div></form><p>One step.',
    "turnstile": "<title>shop.example</title><div class='cf-turnstile' data-sitekey='a'></div>",
    "busy": "<title>Too Many Requests</title><h1>Too Many Requests</h1>",
}


@pytest.mark.parametrize("name", CHALLENGES)
@pytest.mark.parametrize("status", [200, 202, 403, 405, 503])
def test_a_challenge_is_a_block_whatever_its_status(name: str, status: int) -> None:
    assert kind(CHALLENGES[name], status=status) is PageKind.BLOCKED


@pytest.mark.parametrize("status", [401, 403, 405, 429, 451])
def test_a_refusing_status_is_never_a_sample(status: int) -> None:
    assert kind(PROSE, status=status) is PageKind.BLOCKED


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504, 521])
def test_the_trouble_of_a_server_passes(status: int) -> None:
    """Also where Cloudflare tells of it, on pages that are set like its refusals."""
    assert kind(PROSE, status=status) is PageKind.TRANSIENT
    assert kind("<title>Service Unavailable</title><h1>Service Unavailable</h1>", status=status) is PageKind.TRANSIENT
    if status != 503:
        assert kind('<title>Web server is down</title><div id="cf-error-details">', status=status) is PageKind.TRANSIENT


def test_the_vendor_is_named() -> None:
    assert triage(Page(URL, CHALLENGES["datadome"], 403))[1] == "HTTP 403, a challenge by DataDome"


@pytest.mark.parametrize(
    "html",
    [
        "<script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script><h1>Soup</h1>" + PROSE,
        "<title>How captchas work</title><h1>Are you a robot?</h1>" + PROSE,
        "<title>Soup</title><h1>Soup</h1><p>4 bowls</p><p>Protected by reCAPTCHA</p><p>" + "salt " * 60,
        '<script>var px={"px-captcha":1}</script><h1>Soup</h1>',
        '<h1>Soup</h1><p>4 bowls</p><form><div class="g-recaptcha"></div>' + "<p>Say what you think of it.</p>" * 9,
        '<div class="h-captcha"></div><script type="application/ld+json">{"@type":"Product","name":"Soup"}</script>',
        "<title>Captcha Cat Plush Toy</title><h1>Captcha Cat Plush Toy</h1>" + PROSE,
        "<script>window._pxAppId='PXa1'</script><script src=https://a.token.awswaf.com/challenge.js></script>" + PROSE,
    ],
)
def test_a_real_page_may_speak_of_captchas(html: str) -> None:
    assert kind(html) is PageKind.REAL


@pytest.mark.parametrize("status", [404, 410])
def test_gone_by_status(status: int) -> None:
    assert kind(PROSE, status=status) is PageKind.GONE


@pytest.mark.parametrize(
    "html",
    [
        "<title>Page not found | Shop</title><h1>Oops!</h1>",
        "<title>404 - Shop</title><p>Try our search.",
        "<title>Shop</title><h1>Sorry, this product is no longer available.</h1><p>See others.",
        "<title>Shop</title><h1>404</h1>",
        "<title>Seite nicht gefunden – Laden</title><h1>Seite nicht gefunden</h1>" + PROSE,
        "<title>Página no encontrada</title>",
        "<title>Error 404: Page Not Found</title><h1>Not Found</h1>" + PROSE,
    ],
)
def test_gone_by_words(html: str) -> None:
    assert kind(html) is PageKind.GONE


@pytest.mark.parametrize(
    "html",
    [
        "<title>Wreckage not found after search | News</title><h1>Wreckage not found</h1>" + PROSE,
        "<title>NotFoundException (API)</title><h1>Class NotFoundException</h1><p>Thrown when not found",
        "<title>Peugeot 404 history</title><h1>Peugeot 404</h1>" + PROSE,
        "<title>Soup</title><h1>Soup</h1><p>Page not found? Tell us.</p>",
    ],
)
def test_a_real_page_may_speak_of_loss(html: str) -> None:
    assert kind(html) is PageKind.REAL


@pytest.mark.parametrize(
    ("asked", "came", "expected"),
    [
        ("https://x.example/p/12", "https://x.example/", PageKind.GONE),
        ("https://x.example/p/12", "https://x.example/en/", PageKind.GONE),
        ("https://x.example/p/12", "https://x.example/not-found?from=12", PageKind.GONE),
        ("https://x.example/p/12", "https://x.example/login?next=/p/12", PageKind.BLOCKED),
        ("https://x.example/p/12", "https://www.x.example/p/12/", PageKind.REAL),
        ("https://x.example/p/12", "https://x.example/p/blue-shirt-12", PageKind.REAL),
        ("https://x.example/", "https://x.example/en/", PageKind.REAL),
    ],
)
def test_where_a_redirect_leads(asked: str, came: str, expected: PageKind) -> None:
    assert kind(PROSE, url=asked, final_url=came) is expected


@pytest.mark.parametrize(
    "html",
    [
        "<title>Search</title><h1>Search results</h1><p>No results found for “qwertz”.</p>",
        "<title>Opinions</title><h2>Opinions</h2><div>There are currently no documents to display.</div>",
        "<h1>Suche</h1><p>Leider keine Treffer</p>",
        "<title>0 results</title>" + PROSE,
    ],
)
def test_a_list_that_says_it_is_empty(html: str) -> None:
    assert kind(html) is PageKind.EMPTY


def test_a_list_with_rows_is_not_empty_whatever_a_hidden_box_says() -> None:
    rows = "".join(f"<li class='result-item'>Soup {n}</li>" for n in range(5))
    assert kind("<h1>Soups</h1><ul>" + rows + "</ul><p>No results found.</p>") is PageKind.REAL


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<!doctype html><html><head><title>Shop</title></head><body><div id=root></div><script src=/a.js></script>",
        '<div id="app"></div><noscript>You need to enable JavaScript to run this app.</noscript>',
        "<body><p>Loading…</p><script src=a.js></script>",
        "<script>" + "x" * 1000,
    ],
)
def test_a_frame_without_content_is_a_shell(html: str) -> None:
    assert kind(html) is PageKind.SHELL


@pytest.mark.parametrize(
    "html",
    [
        '<div id=root></div><script type="application/ld+json">{"@type":"Product","name":"Soup"}</script>',
        '<div id=__next></div><script id="__NEXT_DATA__" type="application/json">{}</script>',
        '<div id="app"></div><script>window.__INITIAL_STATE__={"a":1}</script>',
        "<h1>Soup</h1>",
    ],
)
def test_data_in_a_script_is_content(html: str) -> None:
    assert kind(html) is PageKind.REAL


@pytest.mark.parametrize(
    "unit",
    [
        "<svg>",
        "<script",
        "<",
        "<div ",
        "&#9",
        "&",
        "<!--",
        "<noscript><template>",
        "<li class='card ",
        "<title>",
        "\n",
        "<h1",
    ],
)
def test_a_hostile_page_costs_linear_time(unit: str) -> None:
    start = time.process_time()
    triage(Page(URL, unit * (1_000_000 // len(unit)) + "no results px-captcha"))
    triage(Page(URL, "<title>Just a moment</title>" + unit * (1_000_000 // len(unit))))
    triage(Page(URL, "<title>captcha</title>&#" + "9" * 20_000 + ";"))
    assert time.process_time() - start < 3
