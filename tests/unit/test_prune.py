"""What a model is shown of a page: what readers see, in order, and the page's JSON, within a limit."""

import json

from crawloop.brief.prune import pruned
from crawloop.model.page import Page


def shown(body: str, head: str = "", limit: int = 5000) -> list[str]:
    page = Page("https://a.example/p", f"<html><head>{head}</head><body>{body}</body></html>")
    return pruned(page, limit).splitlines()


def test_lines_are_block_elements_in_order_with_links_pictures_and_times() -> None:
    body = '<h1>A <b>red</b> kettle</h1>first<br>second<p>See <a href="/x">more</a> <img src="k.jpg" alt="it"></p>'
    body += '<time datetime="2024-05-02">May</time>'
    assert shown(body) == [
        "[1] A red kettle",
        "[2] first",
        "[3] second",
        "[4] See more (-> /x) [picture it -> k.jpg]",
        "[5] May (2024-05-02)",
    ]


def test_what_is_hidden_from_readers_is_hidden_from_the_model() -> None:
    body = (
        "<p>seen</p><p hidden>no</p><p style='color:red; display : none'>no</p><template>no</template><!-- no -->"
        "<style>no</style><script>var no = 'no'</script><noscript>no</noscript><svg><text>no</text></svg>"
    )
    assert shown(body) == ["[1] seen"]


def test_the_head_tells_what_is_about_the_page() -> None:
    head = '<title>Kettle</title><meta name="description" content="It boils"><meta name="theme-color" content="#fff">'
    head += '<link rel="canonical" href="https://a.example/kettle">'
    assert shown("<p>x</p>", head)[:3] == [
        "[1] title: Kettle",
        "[2] description: It boils",
        "[3] canonical -> https://a.example/kettle",
    ]


def test_json_follows_compact_and_gives_way_to_text() -> None:
    island = json.dumps({"@type": "Product", "name": "Kettle", "words": ["x" * 400] * 40})
    body = f'<p>{"word " * 60}</p><script type="application/ld+json">{island}</script>'
    lines = shown(body, limit=3000)
    assert lines[0].startswith("[1] word word")
    assert '"name":"Kettle"' in lines[-1]
    assert len("\n".join(lines)) <= 3000


def test_the_whole_keeps_within_its_limit_and_says_that_it_was_cut() -> None:
    lines = shown("".join(f"<p>line {n} of many</p>" for n in range(500)), limit=1000)
    assert len("\n".join(lines)) <= 1000
    assert lines[-1] == "…"


def test_deep_pages_do_not_exhaust_the_stack() -> None:
    assert shown("<div>" * 1500 + "deep") == ["[1] deep"]
