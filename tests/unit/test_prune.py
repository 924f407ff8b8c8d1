"""What a model is shown of a page: what readers see, in order, and the JSON that can hold the fields, in windows."""

import json

import pytest

from crawloop.brief.prune import Window, pruned
from crawloop.brief.tokens import tokens
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page

TEXTS = Schema("Item@1", (Field("title"), Field("price", Kind.MONEY)))
LINKS = Schema("Item@1", (Field("title"), Field("link", Kind.URL)))


def page(body: str, head: str = "") -> Page:
    return Page("https://a.example/p", f"<html><head>{head}</head><body>{body}</body></html>")


def shown(body: str, head: str = "", schema: Schema = TEXTS, *beside: str) -> list[str]:
    windows = pruned(page(body, head), schema, [page(one) for one in beside])
    return [line for window in windows for line in window.text.splitlines()]


def test_lines_are_block_elements_in_order_with_links_pictures_and_times() -> None:
    body = '<h1>A <b>red</b> kettle</h1>first<br>second<p>See <a href="/x">more</a> <img src="k.jpg" alt="it"></p>'
    body += '<time datetime="2024-05-02">May</time>'
    assert shown(body, schema=LINKS) == [
        "[1] A red kettle",
        "[2] first",
        "[3] second",
        "[4] See more </x> [picture it <k.jpg>]",
        "[5] May (2024-05-02)",
    ]


def test_links_are_shown_where_a_field_wants_one_those_of_the_page_s_host_without_it() -> None:
    body = '<a href="https://a.example/kettle 1">one</a><p onclick="go(\'https://b.example/2\')">two</p>'
    assert shown(body, schema=LINKS) == ["[1] one </kettle 1>", "[2] two <https://b.example/2>"]
    assert shown(body) == ["[1] one", "[2] two"]


def test_places_that_are_linked_to_are_named() -> None:
    assert shown('<a name="boil"></a>boil<p id="boil(int)">x</p><p id="intro">y</p>') == [
        "[1] #boil boil",
        "[2] x #boil(int)",
        "[3] y",
    ]


def test_what_is_hidden_from_readers_is_hidden_from_the_model() -> None:
    body = (
        "<p>seen</p><p hidden>no</p><p style='color:red; display : none'>no</p><template>no</template><!-- no -->"
        "<style>no</style><script>var no = 'no'</script><noscript>no</noscript><svg><text>no</text></svg>"
    )
    assert shown(body) == ["[1] seen"]


@pytest.mark.parametrize(
    "style",
    [
        "visibility: hidden",
        "visibility:collapse !important",
        "opacity:0",
        "opacity: .01;",
        "font-size:0",
        "font-size: 1px",
        "font-size:0em",
        "text-indent:-9999px",
        "position:absolute;left:-9999px",
        "position: fixed; top: -200em",
        "margin-left:-10000px",
        "transform: translateX(-9999px)",
        "transform:scale(0)",
        "position:absolute;clip:rect(0 0 0 0)",
        "clip: rect(1px, 1px, 1px, 1px)",
        "clip-path: inset(50%)",
        "clip-path:circle(0)",
        "width:0;overflow:hidden",
        "height: 1px; overflow: hidden",
        "color:#fff;background:white",
        "color: #FFFFFF; background-color: rgb(255, 255, 255)",
        "color:transparent",
    ],
)
def test_what_style_keeps_from_readers_is_hidden_from_the_model(style: str) -> None:
    assert shown(f'<p>seen</p><p style="{style}">no <b>no</b></p>') == ["[1] seen"]


@pytest.mark.parametrize(
    "style",
    [
        "opacity:.6",
        "opacity:1",
        "font-size:0.8em",
        "font-size:12px",
        "text-indent:-20px",
        "position:absolute;left:-50px",
        "left:-9999px",
        "transform:scale(0.9)",
        "clip-path:inset(5%)",
        "width:0",
        "height:300px;overflow:hidden",
        "width:100%;overflow:hidden",
        "color:#fff;background:#000",
        "color:white",
        "background:white",
        "color:#fff",
    ],
)
def test_what_style_leaves_in_sight_is_shown(style: str) -> None:
    assert shown(f'<p style="{style}">seen</p><p aria-hidden="true">too</p>') == ["[1] seen", "[2] too"]


def test_the_value_of_a_hidden_input_is_not_shown() -> None:
    assert shown('<p>x <input type="hidden" value="no"><input value="yes"></p>') == ["[1] x", "[2] (yes)"]


def test_the_head_tells_what_is_about_the_page() -> None:
    head = '<title>Kettle</title><meta name="description" content="It boils"><meta name="theme-color" content="#fff">'
    head += '<meta name="product:price" content="12.50"><link rel="canonical" href="https://a.example/kettle">'
    assert shown("<p>x</p>", head)[:3] == ["[1] title: Kettle", "[2] description: It boils", "[3] product:price: 12.50"]
    assert "canonical: <https://a.example/kettle>" in "".join(shown("<p>x</p>", head, LINKS))


def test_linked_data_is_shown_without_what_is_empty_seen_or_not_wanted() -> None:
    text = "A long description that readers of the page see as well as programs do."
    island = {"@context": "https://schema.org", "@type": "Product", "name": "Kettle", "description": text, "gtin": ""}
    body = f'<p>{text}</p><script type="application/ld+json">{json.dumps({**island, "image": "https://x/k"})}</script>'
    assert shown(body)[-1] == '[2] @Product: {"@type":"Product","name":"Kettle"}'
    assert '"image":"https://x/k"' in shown(body, schema=LINKS)[-1]


def test_of_other_json_what_is_named_after_a_field_is_shown() -> None:
    state = {"session": {"token": "abc"}, "item": {"salePrice": 12.5, "stock": 3}}
    assert shown(f"<p>x</p><script>window.state = {json.dumps(state)}</script>")[-1] == (
        '[2] state: {"item":{"salePrice":12.5}}'
    )


def test_runs_of_lines_that_all_siblings_have_are_left_out_but_for_their_ends() -> None:
    menu = "".join(f"<li>Menu {n}</li>" for n in range(6))
    one, two, three = (f"{menu}<h1>{name}</h1>{menu}" for name in ("Kettle", "Samovar", "Pot"))
    assert shown(one, "", TEXTS, two, three) == ["[1] Menu 5", "[2] Kettle", "[3] Menu 0"]
    assert len(shown(one, "", TEXTS, two, f"<h1>no menu</h1>{'x<br>' * 20}")) == 13


def test_lines_that_siblings_share_by_chance_stay() -> None:
    one = "<h1>Cake</h1><li>salt</li><li>sugar</li><li>flour</li><li>eggs</li>"
    assert len(shown(one, "", TEXTS, "<h1>Bread</h1><li>salt</li><li>sugar</li><li>flour</li><li>yeast</li>")) == 5


def test_a_large_object_is_told_in_parts() -> None:
    reviews = [{"text": f"review {n} " + "good " * 60} for n in range(40)]
    island = json.dumps({"@type": "Product", "name": "Kettle", "review": reviews})
    lines = shown(f'<p>x</p><script type="application/ld+json">{island}</script>')
    assert lines[1] == '[2] @Product: {"@type":"Product","name":"Kettle"}'
    assert lines[2].startswith("[3] @Product.review[0]: ")
    assert max(map(len, lines)) < 4100


def test_windows_hold_every_line_within_their_measure_and_overlap() -> None:
    long = "".join(f"<p>line {n} of many more lines</p>" for n in range(500)) + "<p>" + "word " * 3000
    windows = pruned(page(long), TEXTS, window=1500)
    assert all(tokens(one.text) <= 1500 for one in windows)
    lines = [number for one in windows for number, _ in one.lines]
    assert set(lines) == set(range(1, max(lines) + 1))
    assert len(lines) > len(set(lines))
    assert "word word" in windows[-1].text


def test_a_page_without_a_word_has_no_window() -> None:
    assert pruned(page(""), TEXTS) == ()
    assert Window(((3, "a"),)).text == "[3] a"


def test_deep_pages_do_not_exhaust_the_stack() -> None:
    assert shown("<div>" * 1500 + "deep") == ["[1] deep"]


def test_tokens_are_counted_by_length_script_and_signs() -> None:
    assert tokens("a plain line of six words") == 6
    assert tokens("1234567") == 3
    assert tokens("internationalization") > tokens("words")
    assert tokens("") == 0
