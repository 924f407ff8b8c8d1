"""A page's markup as a program's author sees it: what selectors need, within a limit, known values kept."""

from crawloop.brief.skeleton import skeleton
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Sample, Truth


def shown(body: str, room: int = 6000, head: str = "", **values: str) -> str:
    page = Page("https://a.example/p", f'<html lang="en"><head>{head}</head><body>{body}</body></html>')
    claims = {name: Claim(value, ("examples",)) for name, value in values.items()}
    return skeleton(Sample(page, Truth(page.url, (claims,))), room)


def test_tags_keep_what_selectors_use_and_lose_what_only_browsers_do() -> None:
    body = '<h1 class="t" style="x" onclick="y">A &amp; B</h1><script>no</script><svg><path/></svg><!-- no -->'
    assert '<body><h1 class="t">A &amp; B</h1></body>' in shown(body)


def test_what_is_hidden_from_readers_is_not_shown() -> None:
    assert "<body><p>seen</p></body>" in shown('<p>seen</p><div style="display:none"><p>no</p></div><p hidden>no</p>')


def test_the_head_is_shown_without_its_scripts_and_styles() -> None:
    head = '<title>T</title><meta property="og:title" content="T"><link rel="stylesheet" href="x"><style>no</style>'
    assert shown("", head=head).splitlines()[:3] == [
        '<html lang="en">',
        "<title>T</title>",
        '<meta property="og:title" content="T">',
    ]


def test_of_many_alike_the_first_are_shown_and_the_rest_are_counted() -> None:
    text = shown("<ul>" + "".join(f"<li class='i'>item {n}</li>" for n in range(30)) + "</ul>")
    assert "item 11" in text
    assert "item 12" not in text
    assert "<!-- 18 more <li i> -->" in text


def test_a_page_that_is_too_large_is_cut_around_the_known_values() -> None:
    menu = "".join(f'<div class="m{n}"><p>menu entry number {n} of many</p></div>' for n in range(200))
    text = shown(f"<main>{menu}<section><b class='price'>19.90 EUR</b></section></main>", room=4_000, price="19.90")
    assert '<b class="price">19.90 EUR</b>' in text
    assert "menu entry" not in text
    assert len(text) <= 4_000


def test_the_limit_holds_whatever_the_page() -> None:
    for room in (1_000, 3_000, 10_000):
        assert len(shown("<div><p>" * 50 + "word " * 3_000, room)) <= room


def test_json_stands_below_by_the_names_that_paths_use() -> None:
    island = '<script type="application/ld+json">{"@type": "Product", "name": "Kettle"}</script>'
    assert '@Product: {"@type":"Product","name":"Kettle"}' in shown(
        island + "<script id='S' type='application/json'>[1]</script>"
    )
