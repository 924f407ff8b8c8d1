"""Pages that must not reach the parser, and pages that must."""

import time
from random import Random

import pytest
from selectolax.lexbor import LexborHTMLParser

from crawloop.errors import PageRefused
from crawloop.extract.bounds.guard import check
from crawloop.extract.bounds.nesting import Nesting

HOSTILE = {
    "nested elements": "<div>" * 100_000,
    "nested and closed": "<div>" * 10_000 + "</div>" * 10_000,
    "nested among paragraphs": "<div><p>x" * 10_000,
    "mixed elements": "<section><span><ul>" * 3_000,
    "end tags that a cell stops": ("<div>" * 500 + "<table><tr><td>" + "</div>" * 500) * 10,
    "end tags that a block stops": "<span><div></span>" * 5_000,
    "stray end tags": "<div></p></x></span>" * 5_000,
    "nested lists": "<ul><li>" * 5_000,
    "items inside one another": "<li><dd>" * 5_000,
    "nested tables": "<table><tr><td>" * 3_000,
    "nested svg": "<svg>" + "<g>" * 5_000,
    "self-closing in html": "<custom-x/>" * 5_000,
    "hidden from raw text": "<svg><title>" + "<div>" * 5_000,
    "broken out of svg": "<svg><p>" + "<path/>" * 5_000,
    "framesets": "<frameset>" * 5_000,
    "inside templates": "<template>" * 5_000,
    "quotes that are none": "<div a\"=1>" * 5_000,
    "upper case": "<DIV>" * 5_000,
    "white space that is none": "<p a=\x0b\"><div><p b=\">" * 5_000,
    "letters that fold to others": "<lin\u212a>" * 5_000,
    "raw text that is none": "<scr\u0131pt>" + "<div>" * 5_000,
    "formatting that multiplies": "".join(f"<p><b a={n}>x" for n in range(2_000)),
    "nested formatting": "<b>" * 5_000,
    "many attributes": "<p " + " ".join(f"a{n}=1" for n in range(5_000)) + ">",
    "many bare attributes": "<p " + "a " * 5_000 + ">",
    "attributes with > in their values": "<p " + " ".join(f'a{n}=">"' for n in range(5_000)) + ">",
    "attributes merged into html": "".join(f"<html a{n}=1>" for n in range(5_000)),
    "attributes after slashes": "<p " + "/a" * 5_000 + ">",
    "too many tags": "<p>" * 1_000_001,
    "too large": "x" * 50_000_000,
    "too large in bytes": "ä" * 10_000_001,
}  # fmt: skip

HARMLESS = {
    "empty": "",
    "no markup": "a < b > c" * 1_000,
    "a long list": "<ul>" + "<li><a href=x>y</a>" * 20_000 + "</ul>",
    "unclosed paragraphs": "<p>x<br>" * 20_000,
    "a long table": "<table>" + "<tr><td><b>x</b><td>y" * 10_000 + "</table>",
    "deep but not too deep": "<div>" * 400 + "x" + "</div>" * 400,
    "many flat blocks": "<div class=a><span>x</span><p>y</div>" * 10_000,
    "old formatting, never closed": "<p><font color=red><b>x" * 3_000,
    "drawings": ('<svg viewBox="0 0 1 1"><title>t</title>' + '<path d="M0"/>' * 300 + "</svg>") * 20,
    "markup in a script": "<script>" + "var a = '<div><div>';" * 5_000 + "</script>",
    "markup in a comment": "<!--" + "<div>" * 5_000 + "-->",
    "markup in attributes": "<i title='<div><div>' data-x=\"<p a='b'>\"></i>" * 5_000,
    "a cut off tag": "<p>x</p><div class='a' " + "b " * 100,
    "a cut off script": "<script>" + "a < b;" * 1_000,
    "code in a script": "<script>" + "if (a<b && c/d e f) x y z;" * 2_000 + "</script>",
    "a large page": ("<p>" + "x" * 990) * 15_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_refused_at_once(name: str) -> None:
    start = time.process_time()
    with pytest.raises(PageRefused, match="the page"):
        check(HOSTILE[name])
    assert time.process_time() - start < 1


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_pages_pass(name: str) -> None:
    start = time.process_time()
    check(HARMLESS[name])
    assert time.process_time() - start < 2


def test_the_refusal_names_the_limit() -> None:
    with pytest.raises(PageRefused, match="larger than 100 bytes"):
        check("x" * 101, max_bytes=100)
    with pytest.raises(PageRefused, match="more than 2,000 deep"):
        check("<div>" * 3_000)
    with pytest.raises(PageRefused, match="more than 1,000 attributes"):
        check("<p " + "a " * 5_000 + ">")


@pytest.mark.parametrize(
    ("html", "depth"),
    [
        ("<div><p>a<p>b<ul><li>c<li>d</ul></div>", 0),
        ("<div><p>a<p>b", 2),
        ("<table><tr><td>a<td>b<tr><td>c", 2),
        ("<div><svg><title>a</title><path/></svg>", 1),
        ("<select><option>a<option>b</select>", 0),
        ("<h1>a<h2>b", 1),
        ("<button>a<button>b", 1),
        ("<a>x<a>y<a>z", 1),
        ("<div><b>x</div>y", 1),
        ("<form><form><form>", 1),
        ("<style><div></style><div>", 1),
    ],
)
def test_tags_are_followed_as_the_parser_does(html: str, depth: int) -> None:
    nesting = Nesting()
    nesting.follow(html)
    assert nesting.depth == depth


def _depth(html: str) -> int:
    """How deep the parser's tree is."""
    node = LexborHTMLParser(html).root
    assert node is not None
    depth = deepest = 1
    while True:
        if node.first_child is not None:
            node, depth = node.first_child, depth + 1
            deepest = max(deepest, depth)
            continue
        while node.next is None:
            node, depth = node.parent, depth - 1
            if node is None or depth < 1:
                return deepest
        node = node.next


class _Watched(Nesting):
    """Keeps how deep the page was at its deepest."""

    __slots__ = ("deepest",)

    def follow(self, html: str) -> None:
        self.deepest = 0
        super().follow(html)

    def _measure(self) -> None:
        super()._measure()
        self.deepest = max(self.deepest, self.depth)


NAMES = """div span p li ul table tr td th b font a button select option form section svg g foreignObject desc title
math mi caption object h1 style script textarea dd dt center custom-x tbody path template frameset noscript input"""


@pytest.mark.parametrize("seed", range(20))
def test_repeated_tag_soup_is_never_much_deeper_than_it_is_taken_for(seed: int) -> None:
    draw = Random(seed)
    for _ in range(25):
        names = draw.sample(NAMES.split(), draw.randint(2, 6))
        soup = [
            draw.choice(("</{}>", "<{}>", "<{}>", "<{} a=1>", "<{}/>", "x")).format(draw.choice(names))
            for _ in range(6)
        ]
        html = draw.choice(("", "<table>", "<svg>", "<table><tr><td>", "<div>")) + "".join(soup) * 40
        watched = _Watched()
        watched.follow(html)
        assert _depth(html) <= 2 * watched.deepest + 12, html
