"""A reading that had one match on every sample does not choose among several on a later page."""

import json

import pytest

from crawloop.extract.plan import Plan
from crawloop.extract.view import PageView
from crawloop.model.family import Version
from crawloop.model.kind import Field
from tests.fakes import listings
from tests.unit.test_induction_cases import PRICE, TITLE, learned, propose, read, sample

PAGE = "{}<article><h1>{}</h1><p class=price>{} EUR</p></article>{}"
SHOWN = [("Oak lamp", 24.5), ("Pine desk", 310.0), ("Red chair", 89.9)]
AD = "<aside><h1>Cyber week</h1><p class=price>9.99 EUR</p></aside>"


def page(title, price, before="", after=""):
    return PAGE.format(before, title, f"{price:.2f}", after)


def pages(around=lambda _: ("", "")):
    return [sample(n, page(*one, *around(n)), title=one[0], price=one[1]) for n, one in enumerate(SHOWN)]


@pytest.mark.parametrize(("before", "after"), [(AD, ""), ("", AD)])
def test_a_second_match_that_says_something_else_makes_the_value_null(before, after):
    plan = learned(pages(), TITLE, PRICE)
    assert read(plan, page("Blue stool", 45, before, after)) == {"title": None, "price": None}


def test_a_second_match_that_says_the_same_costs_nothing():
    plan = learned(pages(), TITLE, PRICE)
    again = "<footer><h1>Blue stool</h1><p class=price>45.00 EUR</p></footer>"
    assert read(plan, page("Blue stool", 45, after=again)) == {"title": "Blue stool", "price": 45.0}


def test_what_is_hidden_or_struck_out_is_no_second_match():
    plan = learned(pages(), TITLE, PRICE)
    hidden = "<div hidden><p class=price>0.00 EUR</p></div><s><p class=price>60.00 EUR</p></s>"
    assert read(plan, page("Blue stool", 45, hidden)) == {"title": "Blue stool", "price": 45.0}


def test_where_a_sample_has_several_matches_the_first_is_what_is_learnt():
    plan = learned(pages(lambda n: ("", AD if n == 1 else "")), TITLE, PRICE)
    assert "alone" not in plan.dumps()
    assert read(plan, page("Blue stool", 45, after=AD)) == {"title": "Blue stool", "price": 45.0}


def test_a_second_object_of_the_type_makes_the_value_null():
    island = '<script type="application/ld+json">{}</script>'

    def thing(name):
        return island.format(json.dumps({"@type": "Product", "name": name}))

    plan = learned([sample(n, thing(one[0]), title=one[0]) for n, one in enumerate(SHOWN)], TITLE)
    assert read(plan, thing("Blue stool")) == {"title": "Blue stool"}
    assert read(plan, thing("Rival") + thing("Blue stool")) == {"title": None}


def test_another_reading_answers_where_the_first_has_too_many_matches():
    html = "<h1>{0}</h1><table><tr><th>Name</th><td>{0}</td></tr></table>"
    plan = learned([sample(n, html.format(one[0]), title=one[0]) for n, one in enumerate(SHOWN[:2])], TITLE)
    assert read(plan, f"<h1>Cyber week</h1>{html.format('Blue stool')}") == {"title": "Blue stool"}


def test_rows_of_a_listing_do_not_choose_either():
    row = "<li class=item><a href=/{0}>{1}</a><b class=code>A-{0}</b>{2}</li>"

    def listing(names, extra=""):
        rows = "".join(row.format(100 + n, name, extra if n == 1 else "") for n, name in enumerate(names))
        return f"<html><body><h1>All</h1><ul class=items>{rows}</ul></body></html>"

    names = ["Amber Lamp", "Birch Table", "Copper Kettle", "Daisy Chair"]
    records = [
        {"title": name, "code": f"A-{100 + n}", "link": f"https://site.example/{100 + n}"}
        for n, name in enumerate(names)
    ]
    plan = listings.proposed(listings.sample(listing(names), records))
    got = listings.read(plan, listing(names, "<b class=code>Z-9</b>"))
    assert [one["code"] for one in got] == ["A-100", None, "A-102", "A-103"]


def test_a_redesign_with_several_matches_is_learnt_from_the_pages_of_today():
    before = propose(pages(), TITLE, PRICE)
    active = Version("shop", 1, before.source, before.origin, "Item@1", 1, "", plan=before.plan)
    plan = Plan.loads(propose(pages(lambda _: ("", AD)), TITLE, PRICE, active=active).plan)
    assert read(plan, page("Blue stool", 45, after=AD)) == {"title": "Blue stool", "price": 45.0}


def test_in_the_head_the_first_one_counts_by_custom():
    html = '<head><meta property="og:title" content="{}"></head><p>Welcome</p>'
    plan = learned([sample(n, html.format(one[0]), title=one[0]) for n, one in enumerate(SHOWN)], TITLE)
    assert "alone" not in plan.dumps()


def test_an_end_that_every_sample_has_is_demanded():
    page = "<main><h2>{} (hardcover)</h2></main>"
    plan = learned([sample(n, page.format(one), title=one) for n, one in enumerate(["Oak lamp", "Pine desk"])], TITLE)
    assert read(plan, page.format("Red chair")) == {"title": "Red chair"}
    assert read(plan, "<main><h2>Red chair (pocket book)</h2></main>") == {"title": None}


def test_an_end_that_a_sample_lacks_is_left_out_where_it_is_there():
    page = "<main><h2>{}{}</h2></main>"
    shown = [("Oak lamp", ", new"), ("Pine desk", ", new"), ("Red chair", "")]
    plan = learned([sample(n, page.format(*one), title=one[0]) for n, one in enumerate(shown)], TITLE)
    assert read(plan, page.format("Blue stool", "")) == {"title": "Blue stool"}


def test_what_an_element_says_itself_is_read_without_what_stands_in_it():
    page = "<main><h2>{}<small> ({})</small></h2></main>"
    plan = learned([sample(1, page.format("Oak lamp", "hardcover"), title="Oak lamp")], TITLE)
    assert read(plan, page.format("Red chair", "pocket book")) == {"title": "Red chair"}


def test_a_text_that_is_a_web_address_on_all_samples_is_one_later():
    page = "<dl><dt>Website:<dd>{}<dt>Office:<dd>{}</dl>"
    site = Field("website")
    plan = learned([sample(1, page.format("www.moor.example", "Aid"), website="www.moor.example")], site)
    assert read(plan, page.format("www.lake.example/home", "Aid")) == {"website": "www.lake.example/home"}
    assert read(plan, page.format("Office of financial aid", "Aid")) == {"website": None}


LINES = Field("lines", many=True)
STORY = "<main><h1>Story</h1>{}</main>"
FIRST = ["The lamp is back.", "It was <b>gone</b> for years.", "Nobody missed it."]
LAST = ["A desk was found.", "It has <a href=/four>four</a> legs."]


def story(*lines):
    return STORY.format("".join(f"<p>{one}</p>" for one in lines))


def said(lines):
    return [PageView(story(one)).text("p") for one in lines]


@pytest.mark.parametrize("other", ["<a href=/more>Read more</a>", "<b>THE DESK</b>", "<span><i>More</i></span>"])
def test_an_element_that_is_a_link_or_a_heading_as_a_whole_makes_a_list_of_plain_ones_null(other):
    plan = learned([sample(1, story(*FIRST), lines=said(FIRST))], LINES)
    assert read(plan, story(*LAST)) == {"lines": said(LAST)}
    assert read(plan, story(*LAST, other)) == {"lines": []}


def test_a_list_of_which_a_sample_has_such_elements_may_have_them():
    first = [*FIRST, "<b>The end</b>"]
    plan = learned([sample(1, story(*first), lines=said(first))], LINES)
    assert read(plan, story(*LAST, "<i>More</i>")) == {"lines": said([*LAST, "More"])}


CONTACT = "<ul><li><b>Phone:</b> {}</li><li><b>Kitchen:</b> {}</li></ul>"
NUMBERS = ["555/243-0507 |", "555/276-3546 |", "555/274-2739 |"]


def contact(value):
    return CONTACT.format(value, "open")


def test_a_text_beside_a_label_that_takes_in_what_no_sample_had_is_null():
    phone = Field("phone")
    plan = learned([sample(n, contact(one), phone=one.rstrip(" |")) for n, one in enumerate(NUMBERS)], phone)
    assert read(plan, contact("555/279-1000 |")) == {"phone": "555/279-1000"}
    assert read(plan, contact("555/279-1000 | <a href=/book>Reserve online</a>")) == {"phone": None}


def test_a_text_beside_a_label_may_take_in_what_a_sample_had():
    phone = Field("phone")
    shown = [*NUMBERS[:2], "555/274-2739 | <a>Fax</a>"]
    said = [PageView(contact(one)).labelled("Phone") for one in shown]
    plan = learned([sample(n, contact(one), phone=said[n]) for n, one in enumerate(shown)], phone)
    assert read(plan, contact("555/279-1000 | <a>Call us</a>")) == {"phone": "555/279-1000 | Call us"}


def test_a_list_line_by_line_that_takes_in_lines_of_another_sort_is_null():
    page = "<h3>Parts</h3><div>{}</div>"
    parts = Field("parts", many=True)
    short = page.format("<ul><li>2 legs</li><li>1 top</li></ul>")
    plan = learned([sample(1, short, parts=["2 legs", "1 top"])], parts)
    assert read(plan, page.format("<ul><li>4 legs</li></ul><ul><li>1 seat</li></ul>")) == {
        "parts": ["4 legs", "1 seat"]
    }
    titled = page.format("<p>The frame</p><ul><li>4 legs</li></ul><p>On top</p><ul><li>1 seat</li></ul>")
    assert read(plan, titled) == {"parts": []}


ARTICLE = ["<p>The lamp is back.</p>", "<p>It was gone for years.</p>", "<p>Nobody missed it.</p>"]
NEXT = ["<p>A desk was found.</p>", "<p>It has four legs.</p>"]
TEASER = "<p class=teaser>Chairs are next.</p>"


def article(lines):
    return STORY.format("".join(lines))


def test_an_element_of_other_classes_makes_a_list_of_elements_that_were_alike_null():
    plan = learned([sample(1, article(ARTICLE), lines=PageView(article(ARTICLE)).texts("p"))], LINES)
    assert read(plan, article(NEXT)) == {"lines": ["A desk was found.", "It has four legs."]}
    assert read(plan, article([*NEXT, TEASER])) == {"lines": []}


def test_elements_that_were_alike_may_be_links_or_emphasis_as_a_whole():
    first = [*ARTICLE, "<p><b>The end</b></p>"]
    plan = learned([sample(1, article(first), lines=PageView(article(first)).texts("p"))], LINES)
    assert read(plan, article([*NEXT, "<p><i>More</i></p>"])) == {
        "lines": ["A desk was found.", "It has four legs.", "More"]
    }
    assert read(plan, article([*NEXT, TEASER])) == {"lines": []}


def test_a_list_of_which_a_sample_has_elements_of_other_classes_may_have_them():
    first = [*ARTICLE, "<p class=last>The end.</p>"]
    plan = learned([sample(1, article(first), lines=PageView(article(first)).texts("p"))], LINES)
    assert read(plan, article([*NEXT, TEASER])) == {"lines": PageView(article([*NEXT, TEASER])).texts("p")}


def test_two_elements_do_not_tell_how_those_of_a_list_look():
    plan = learned([sample(1, article(ARTICLE[:2]), lines=PageView(article(ARTICLE[:2])).texts("p"))], LINES)
    assert "alike" not in plan.dumps()
