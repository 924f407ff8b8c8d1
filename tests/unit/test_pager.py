"""The link to the next page of a listing: what is taken for it, and what only looks like it."""

from __future__ import annotations

import pytest

from crawloop.shape import Pager, learnt_pager

URL = "https://shop.example/lamps?page=2"


def page(*links: str) -> str:
    return f"<main>{''.join(links)}</main>"


def link(target: str, text: str, more: str = "") -> str:
    return f'<a href="{target}"{more}>{text}</a>'


NEXT = link("?page=3", "Next")
NUMBERS = "".join(link(f"?page={n}", str(n)) for n in (1, 3, 4))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (page('<link rel="next" href="?page=3">', NUMBERS), Pager(rel=True)),
        (page(link("?page=3", "›", ' rel="nofollow next"')), Pager(rel=True)),
        (page(NUMBERS, NEXT), Pager(label="next")),
        (page(link("?page=1", "‹"), link("?page=3", "›")), Pager(label="›")),
        (page(link("?page=3", "<svg></svg>", ' aria-label="Next page"')), Pager(label="next page")),
        (page(link("?after=x1", "Weiter &raquo;")), Pager(label="weiter »")),
        (page(NUMBERS), Pager()),
    ],
    ids=["link rel", "a rel", "a word", "a sign", "a label for readers that see nothing", "a cursor", "numbers alone"],
)
def test_the_surest_way_that_leads_on_is_learnt(html: str, expected: Pager) -> None:
    pager = learnt_pager([(URL, html)])
    assert pager == expected
    assert pager.following(URL, html) in {"https://shop.example/lamps?page=3", "https://shop.example/lamps?after=x1"}


@pytest.mark.parametrize(
    "html",
    [
        page(),
        page(link("https://other.example/lamps?page=3", "Next", ' rel="next"')),
        page(link(URL, "Next", ' rel="next"')),
        page(link("/delivery", "Next day delivery")),
        page(link("?page=1", "1"), link("?page=9", "9")),
        page(link("?after=x1", "Next"), link("?after=x2", "Next")),
        page(link("javascript:go(3)", "Next")),
    ],
    ids=["no link", "another host", "the page itself", "another page", "no step on", "two", "no address"],
)
def test_what_only_looks_like_it_is_not_followed(html: str) -> None:
    assert learnt_pager([(URL, html)]) is None


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://shop.example/lamps", "https://shop.example/lamps?page=2"),
        ("https://shop.example/lamps/", "https://shop.example/lamps/page/2/"),
        ("https://shop.example/lamps/page/9", "https://shop.example/lamps/page/10"),
        ("https://shop.example/2024/lamps?p=1", "https://shop.example/2024/lamps?p=2"),
    ],
)
def test_numbers_lead_from_the_first_page_too(url: str, target: str) -> None:
    assert Pager().following(url, page(link(target, "2"))) == target


def test_the_last_page_names_none() -> None:
    last = page(link("?page=1", "Previous"))
    assert learnt_pager([(URL, page(NEXT)), ("https://shop.example/lamps?page=3", last)]) == Pager(label="next")
    assert Pager(label="next").following("https://shop.example/lamps?page=3", last) is None


def test_a_page_that_is_all_links_is_read_in_linear_time() -> None:
    assert learnt_pager([(URL, "<a href=?page=3 " * 20_000 + "<a>" * 20_000)]) is None


@pytest.mark.parametrize("target", ["?page=", "/lamps/page/"])
def test_a_number_of_thousands_of_digits_is_no_step(target: str) -> None:
    for url in (URL, "https://shop.example/lamps", "https://shop.example/lamps/page/2"):
        assert Pager().following(url, page(link(target + "9" * 5_000, "more"))) is None
