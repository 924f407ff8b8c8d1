"""What readers of a page see as it is: whole texts, whole items, whole lists."""

from typing import Any

import pytest

from crawloop.extract.view import PageView
from crawloop.model.kind import Field, Kind
from crawloop.witness.sight import in_sight

TEXT, LIST = Field("title"), Field("ingredients", many=True)


def sees(body: str, value: Any, field: Field = TEXT, head: str = "") -> bool:
    html = f"<html><head>{head}</head><body>{body}</body></html>"
    return in_sight(PageView(html, "https://a.example/p"), value, field)


def test_a_text_is_seen_where_an_element_says_it_and_nothing_else() -> None:
    assert sees("<h1>The <b>red</b> kettle</h1>", "The red kettle")
    assert not sees("<h1>The red kettle of 1920</h1>", "The red kettle")


def test_a_word_is_not_seen_where_several_stand_that_have_its_letters() -> None:
    assert not sees("<p>Mug and Pot</p>", "mugandpot")
    assert sees("<p>@mugandpot</p>", "mugandpot")
    assert sees("<p><i>By</i>mugandpot</p>", "mugandpot")


def test_a_text_is_seen_where_an_element_says_it_beside_its_children() -> None:
    assert sees("<a><i>By</i>Ada Lovelace</a>", "Ada Lovelace")
    assert sees("<p>Ada Lovelace<br>12 May</p>", ["Ada Lovelace"], Field("authors", many=True))
    assert not sees("<a><i>By</i>Ada Lovelace and others</a>", "Ada Lovelace")
    assert not sees("<p>Serves <b>one</b> 2 g</p>", "2 g"), "short ones stand so by chance"


@pytest.mark.parametrize(
    "head",
    [
        "<title>Kettle</title>",
        '<meta property="og:title" content="Kettle">',
        '<script type="application/ld+json">{"name": "Kettle"}</script>',
    ],
)
def test_what_only_programs_read_is_not_seen(head: str) -> None:
    assert not sees("<p>Tea</p>", "Kettle", head=head)


def test_a_number_is_seen_amid_other_words_and_a_link_where_something_points_to_it() -> None:
    assert sees("<p>19,90 € incl. VAT</p>", 19.9, Field("price", Kind.MONEY))
    assert sees('<img src="/a.jpg">', "https://a.example/a.jpg", Field("image", Kind.URL))
    assert not sees("<p>/a.jpg</p>", "https://a.example/a.jpg", Field("image", Kind.URL))


ITEMS = ["1 leek", "2 potatoes", "salt"]


def test_a_list_is_seen_where_its_items_are_all_of_their_kind() -> None:
    body = "<ul>" + "".join(f"<li><i>▢</i> {one}</li>" for one in ITEMS) + "</ul>"
    assert sees(body, ITEMS, LIST)
    assert not sees(body.replace("</ul>", "<li>pepper</li></ul>"), ITEMS, LIST)
    assert not sees(body, [*ITEMS, "pepper"], LIST)


def test_items_that_leave_something_out_are_not_seen_whole() -> None:
    body = "<ul><li><b>leek</b> 1</li><li><b>potato</b> 2</li><li><b>salt</b> a pinch</li></ul>"
    assert not sees(body, ["leek", "potato", "salt"], LIST)
