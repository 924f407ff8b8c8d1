"""One truth out of several testimonies: who is believed, what is named, and what is kept apart."""

import json
from typing import Any

import pytest

from crawloop.errors import OracleRefused
from crawloop.model import truth
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.witness.reconcile import reconcile

URL = "https://shop.example/p/kettle"
FIELDS = (
    Field("title", required=True),
    Field("price", Kind.MONEY, volatile=True),
    Field("colour"),
    Field("badge"),
    Field("state", Kind.ENUM, choices=("new", "used")),
)
SCHEMA = Schema("Product@1", FIELDS)


def said(witness: str, *records: dict[str, Any], **more: Any) -> Any:
    return truth.Testimony(witness, records, **more)


def shop(price: str = "19.90 €", json_price: float | None = None, extra: str = "") -> Page:
    island = json.dumps({"@type": "Product", "name": "Kettle", "offers": {"price": json_price}}) if json_price else "{}"
    body = (
        f'<script type="application/ld+json">{island}</script><h1>Kettle</h1><p class="price">{price}</p>'
        f"<dl><dt>Colour</dt><dd>red</dd></dl>{extra}"
    )
    return Page(URL, f"<html><head><title>Kettle | Shop</title></head><body>{body}</body></html>")


def kept(page: Page, *testimonies: Any, schema: Schema = SCHEMA) -> dict[str, Any]:
    (record,) = reconcile(page, testimonies, schema).values()
    return record


def test_a_label_stands_against_everybody_and_the_conflict_is_named() -> None:
    found = reconcile(shop(), [said("markup", {"title": "Kettle"}), said("examples", {"title": "red"})], SCHEMA)
    assert found.values() == ({"title": "red"},)
    assert found.conflicts == (truth.Conflict(URL, 0, "title", (("examples", "red"), ("markup", "Kettle")), "red"),)


def test_two_that_agree_outvote_a_third() -> None:
    extra = "<p>Teapot</p>"
    testimonies = [
        said("history", {"title": "Teapot"}),
        said("markup", {"title": "Kettle"}),
        said("llm", {"title": "kettle"}),
    ]
    assert kept(shop(extra=extra), *testimonies) == {"title": "Kettle"}


def test_history_that_is_still_there_outranks_a_model() -> None:
    found = kept(shop(extra="<p>Teapot</p>"), said("llm", {"title": "Teapot"}), said("history", {"title": "Kettle"}))
    assert found == {"title": "Kettle"}


def test_a_history_value_that_is_gone_is_unknown_and_contradicts_nobody() -> None:
    known = said("history", {"title": "Kettle", "colour": "green"})
    found = reconcile(shop(), [known, said("llm", {"title": "Kettle", "colour": "red"})], SCHEMA)
    assert found.values() == ({"title": "Kettle", "colour": "red"},)
    assert found.conflicts == ()


def test_a_history_value_that_is_gone_and_that_nobody_replaces_is_kept_apart() -> None:
    found = reconcile(shop(), [said("history", {"title": "Kettle", "colour": "green"})], SCHEMA)
    assert found.values() == ({"title": "Kettle"},)
    assert found.unsupported == {"colour"}


def test_a_history_value_that_is_gone_is_still_known_where_markup_alone_says_another_that_nobody_sees() -> None:
    schema = Schema("Product@1", (*FIELDS, Field("image", Kind.URL)))
    head = '<meta property="og:image" content="/new.jpg">'
    page = Page(URL, f"<html><head>{head}</head><body><h1>Kettle</h1></body></html>")
    history = said("history", {"title": "Kettle", "image": "https://shop.example/old.jpg"})
    found = reconcile(
        page, [history, said("markup", {"image": "https://shop.example/new.jpg"}, complete=False)], schema
    )
    assert found.values() == ({"title": "Kettle"},)
    assert found.records[0]["image"].value == "https://shop.example/old.jpg"
    assert found.unsupported == {"image"}


def test_history_that_no_reader_sees_any_more_is_still_known_where_nobody_says_another() -> None:
    schema = Schema("Product@1", (*FIELDS, Field("image", Kind.URL)))
    page = Page(
        URL, '<html><head><meta property="og:image" content="/a.jpg"></head><body><h1>Kettle</h1></body></html>'
    )
    history = said("history", {"title": "Kettle", "image": "https://shop.example/a.jpg"})
    found = reconcile(page, [history], schema)
    assert found.values() == ({"title": "Kettle"},)
    assert found.unsupported == {"image"}


@pytest.mark.parametrize(
    ("was", "today"),
    [
        ("Mugs, pots and kettles", "Mugs, pots & and kettles!"),
        (["1 cup milk ((warm))", "salt"], ["1 cup milk (warm)", "salt"]),
        (["1 cup milk", "salt"], ["1 cup milk", "• salt"]),
    ],
)
def test_history_of_other_signs_agrees_and_is_spelled_as_today(was: Any, today: Any) -> None:
    schema = Schema("Thing@1", (Field("title"), Field("said", many=isinstance(was, list))))
    island = json.dumps({"old": was, "new": today})
    page = shop(extra=f'<script type="application/json">{island}</script>')
    history, markup = said("history", {"title": "Kettle", "said": was}), said("markup", {"said": today})
    found = reconcile(page, [history, markup], schema)
    assert found.records[0]["said"].value == today
    assert set(found.records[0]["said"].witnesses) == {"history", "markup"}
    assert found.conflicts == ()


def test_history_that_markup_spells_alike_is_spelled_so_whatever_a_model_makes_of_it() -> None:
    page = shop(extra="<h2>Mugs, pots and kettles</h2><p>mugs-pots-and-kettles</p>")
    said_so, otherwise = {"badge": "Mugs, pots and kettles"}, {"badge": "mugs-pots-and-kettles"}
    testimonies = said("history", {"title": "Kettle", **said_so}), said("markup", said_so), said("llm", otherwise)
    assert kept(page, *testimonies)["badge"] == said_so["badge"]


def test_history_of_another_figure_is_another_value() -> None:
    schema = Schema("Thing@1", (Field("title"), Field("size")))
    page = shop(extra='<p>1.5 cups each</p><script type="application/json">{"size": "15 cups each"}</script>')
    history = said("history", {"title": "Kettle", "size": "1.5 cups each"})
    found = reconcile(page, [history, said("markup", {"size": "15 cups each"})], schema)
    assert found.records[0]["size"].value == "1.5 cups each"
    assert len(found.conflicts) == 1


def test_a_picture_that_the_head_gives_out_for_the_page_is_believed_though_nobody_sees_it() -> None:
    schema = Schema("Product@1", (*FIELDS, Field("lead_image", Kind.URL), Field("logo", Kind.URL)))
    markup = said("markup", {"title": "Kettle", "lead_image": "https://shop.example/k.jpg"}, complete=False)
    island = '<script type="application/ld+json">{"@type": "Product", "image": "/k.jpg"}</script>'
    for head, carried in (('<meta property="og:image" content="/k.jpg">', True), (island, False)):
        page = Page(URL, f"<html><head>{head}</head><body><h1>Kettle</h1></body></html>")
        assert ("lead_image" in kept(page, markup, schema=schema)) is carried
        logo = said("markup", {"title": "Kettle", "logo": "https://shop.example/k.jpg"}, complete=False)
        assert "logo" not in kept(page, logo, schema=schema)


def test_what_the_page_disputes_with_itself_is_open_until_somebody_knows_it() -> None:
    markup = said("markup", {"title": "Kettle"}, disputed=frozenset({"colour", "badge"}))
    found = reconcile(shop(), [markup, said("examples", {"title": "Kettle", "colour": "red"})], SCHEMA)
    assert found.disputed == {"badge"}


def test_a_volatile_value_does_not_anchor_a_record() -> None:
    with pytest.raises(OracleRefused, match="no witness knows"):
        reconcile(shop(), [said("history", {"title": "Teapot", "price": 19.9})], SCHEMA)


def test_a_volatile_value_of_history_counts_while_readers_see_it() -> None:
    known = said("history", {"title": "Kettle", "price": 19.9})
    assert kept(shop(), known) == {"title": "Kettle", "price": 19.9}
    assert kept(shop("14.90 €", json_price=19.9), known) == {"title": "Kettle"}


def test_an_old_number_that_stands_on_any_page_says_nothing() -> None:
    schema = Schema("Book@1", (Field("title"), Field("pages", Kind.NUMBER), Field("rating", Kind.NUMBER)))
    page = shop(extra="<p>5 of 5 stars</p><p>320 pages</p>")
    assert kept(page, said("history", {"title": "Kettle", "pages": 320, "rating": 5}), schema=schema) == {
        "title": "Kettle",
        "pages": 320,
    }


def test_an_old_text_of_a_sign_or_two_counts_where_the_page_calls_it_so() -> None:
    schema = Schema("Soup@1", (Field("title"), Field("serving_size"), Field("colour")))
    known = said("history", {"title": "Kettle", "serving_size": "1", "colour": "red"})
    assert kept(shop(extra="<p>Page <b>1</b> of 3</p>"), known, schema=schema) == {"title": "Kettle", "colour": "red"}
    served = shop(extra="<dl><dt>Serving size</dt><dd>1</dd></dl>")
    assert kept(served, known, schema=schema)["serving_size"] == "1"


def test_an_old_duration_of_figures_alone_counts_where_the_page_calls_it_so() -> None:
    schema = Schema("Soup@1", (Field("title"), Field("total_time", Kind.DURATION)))
    known = said("history", {"title": "Kettle", "total_time": 30})
    markup = said("markup", {"title": "Kettle", "total_time": 45})
    island = '<script type="application/json">{"totalTime": "PT45M"}</script>'
    assert kept(shop(extra=island + "<p><b>30</b></p>"), known, markup, schema=schema)["total_time"] == 45
    for extra in ("<p>30 min</p>", "<dl><dt>Total time</dt><dd>30</dd></dl>"):
        assert kept(shop(extra=island + extra), known, markup, schema=schema)["total_time"] == 30


def test_history_that_only_a_part_of_the_page_s_words_bears_out_yields_to_markup_in_sight() -> None:
    page = shop(extra="<h2>Kettle deluxe</h2>").html.replace("<h1>Kettle</h1>", "")
    known, markup = said("history", {"title": "Kettle", "colour": "red"}), said("markup", {"title": "Kettle deluxe"})
    assert kept(Page(URL, page), known, markup)["title"] == "Kettle deluxe"
    assert "title" not in kept(Page(URL, page), known)


def test_markup_that_misses_a_sale_yields_to_the_price_that_readers_see() -> None:
    page = shop("14.90 €", json_price=19.9)
    testimonies = [
        said("history", {"title": "Kettle", "price": 19.9}),
        said("markup", {"title": "Kettle", "price": 19.9}),
        said("llm", {"title": "Kettle", "price": 14.9}),
    ]
    found = reconcile(page, testimonies, SCHEMA)
    assert found.values() == ({"title": "Kettle", "price": 14.9},)
    assert [(one.field, one.kept) for one in found.conflicts] == [("price", 14.9)]


def test_markup_alone_asserts_no_amount_that_readers_do_not_see() -> None:
    markup = said("markup", {"title": "Kettle", "price": 19.9})
    assert kept(shop("14.90 €", json_price=19.9), markup) == {"title": "Kettle"}
    assert kept(shop("19.90 €", json_price=19.9), markup) == {"title": "Kettle", "price": 19.9}


def test_a_label_that_the_page_carries_nowhere_is_kept_apart() -> None:
    found = reconcile(shop(), [said("examples", {"title": "Kettle", "badge": "Bestseller"})], SCHEMA)
    assert found.values() == ({"title": "Kettle"},)
    assert found.unsupported == {"badge"}
    assert found.records[0]["badge"].value == "Bestseller"


def test_a_page_that_carries_nothing_of_what_is_said_is_refused() -> None:
    with pytest.raises(OracleRefused, match="carries nothing of what examples said"):
        reconcile(shop(), [said("examples", {"title": "Samovar"})], SCHEMA)
    with pytest.raises(OracleRefused, match="no witness knows"):
        reconcile(shop(), [], SCHEMA)


def test_equal_witnesses_that_differ_assert_nothing_and_refuse_the_page_where_the_field_is_required() -> None:
    page = shop(extra='<p class="colour">blue</p><p class="title">Teapot</p>')
    one, other = said("llm", {"title": "Kettle", "colour": "red"}), said("peer", {"title": "Kettle", "colour": "blue"})
    found = reconcile(page, [one, other], SCHEMA)
    assert found.values() == ({"title": "Kettle"},)
    assert [(conflict.field, conflict.kept) for conflict in found.conflicts] == [("colour", None)]
    with pytest.raises(OracleRefused, match="required field title"):
        reconcile(page, [said("llm", {"title": "Kettle"}), said("peer", {"title": "Teapot"})], SCHEMA)


def test_absence_holds_only_when_a_person_says_it() -> None:
    page = shop(extra="<b>Sale</b>")
    label = said("examples", {"title": "Kettle"}, absent=frozenset({(0, "badge")}))
    other = said("llm", {"title": "Kettle", "badge": "Sale"}, absent=frozenset({(0, "colour")}))
    found = reconcile(page, [label, other], SCHEMA)
    assert found.absent == {(0, "badge")}
    assert found.values() == ({"title": "Kettle"},)
    assert [(one.field, one.said) for one in found.conflicts] == [("badge", (("examples", None), ("llm", "Sale")))]


def test_a_valid_empty_listing_is_a_truth_when_a_person_says_so() -> None:
    found = reconcile(shop(), [said("examples")], SCHEMA)
    assert found.records == ()
    assert found.complete


def test_an_enum_is_supported_by_a_witness_s_own_words_of_the_page() -> None:
    quote = {(0, "state"): (truth.Evidence("quote", "", "almost mint"),)}
    page = shop(extra='<p class="state">almost mint</p>')
    assert kept(page, said("llm", {"title": "Kettle", "state": "used"}, evidence=quote)) == {
        "title": "Kettle",
        "state": "used",
    }


def test_a_model_s_word_counts_where_the_page_calls_the_value_so() -> None:
    page = shop(extra="<p>blue</p>")
    assert kept(page, said("llm", {"title": "Kettle", "colour": "red", "price": 19.9})) == {
        "title": "Kettle",
        "colour": "red",
        "price": 19.9,
    }
    found = reconcile(page, [said("llm", {"title": "Kettle", "colour": "blue"})], SCHEMA)
    assert found.values() == ({"title": "Kettle"},)
    assert found.unsupported == {"colour"}


LIST = Schema("Case@1", (Field("number", required=True), Field("name"), Field("court")))


def listing(*rows: tuple[str, str]) -> Page:
    body = "".join(f"<tr><td>{number}</td><td>{name}</td><td>Supreme Court</td></tr>" for number, name in rows)
    return Page("https://court.example/cases", f"<html><body><table>{body}</table></body></html>")


def case(number: str, name: str) -> dict[str, str]:
    return {"number": number, "name": name, "court": "Supreme Court"}


def test_records_that_moved_are_aligned_by_content() -> None:
    page = listing(("12-3", "Doe v. Roe"), ("12-1", "State v. Poe"), ("12-2", "In re Moe"))
    known = said("history", case("12-1", "State v. Poe"), case("12-2", "In re Moe"), case("12-3", "Doe v. Roe"))
    model = said("llm", {"number": "12-3"}, {"number": "12-1"}, {"number": "12-2"})
    found = reconcile(page, [known, model], LIST)
    assert found.complete
    assert {record["number"].value: record["number"].witnesses for record in found.records} == dict.fromkeys(
        ("12-1", "12-2", "12-3"), ("history", "llm")
    )
    assert all(record["name"].supported for record in found.records)
    assert found.conflicts == ()


def test_history_of_a_listing_keeps_the_records_that_are_left_and_is_not_complete_then() -> None:
    page = listing(("12-3", "Doe v. Roe"), ("12-4", "Lee v. Lie"))
    found = reconcile(page, [said("history", case("12-1", "State v. Poe"), case("12-3", "Doe v. Roe"))], LIST)
    assert [record["number"].value for record in found.records] == ["12-3"]
    assert not found.complete


def test_history_is_not_complete_where_the_listing_has_grown() -> None:
    page = listing(("12-1", "State v. Poe"), ("12-3", "Doe v. Roe"), ("12-4", "Lee v. Lie"))
    found = reconcile(page, [said("history", case("12-1", "State v. Poe"), case("12-3", "Doe v. Roe"))], LIST)
    assert len(found.records) == 2
    assert not found.complete


def test_a_complete_witness_says_how_many_records_there_are() -> None:
    page = listing(("12-3", "Doe v. Roe"), ("12-4", "Lee v. Lie"))
    known = said("history", case("12-1", "State v. Poe"), case("12-3", "Doe v. Roe"))
    found = reconcile(page, [known, said("llm", case("12-3", "Doe v. Roe"), case("12-4", "Lee v. Lie"))], LIST)
    assert [record["number"].value for record in found.records] == ["12-3", "12-4"]
    assert found.complete


def test_witnesses_that_count_differently_leave_the_count_open() -> None:
    page = listing(("12-3", "Doe v. Roe"), ("12-4", "Lee v. Lie"))
    both = [said("llm", case("12-3", "Doe v. Roe"), case("12-4", "Lee v. Lie")), said("markup", {"number": "12-3"})]
    found = reconcile(page, both, LIST)
    assert len(found.records) == 2
    assert not found.complete


def test_a_person_knows_every_record_of_the_page() -> None:
    page = listing(("12-3", "Doe v. Roe"), ("12-4", "Lee v. Lie"))
    found = reconcile(
        page,
        [said("llm", case("12-3", "Doe v. Roe"), case("12-4", "Lee v. Lie")), said("examples", {"number": "12-3"})],
        LIST,
    )
    assert [record["number"].value for record in found.records] == ["12-3"]
    assert found.complete


def test_a_number_of_two_decimals_is_carried_by_the_longer_number_of_an_island() -> None:
    rating = Schema("Recipe@1", (Field("title"), Field("rating", Kind.NUMBER)))
    page = Page(URL, '<h1>Stew</h1><script type="application/ld+json">{"@type":"Recipe","rating":4.77188}</script>')
    assert kept(page, said("examples", {"title": "Stew", "rating": 4.77}), schema=rating)["rating"] == 4.77


@pytest.mark.parametrize("tag", ["del", "s", "strike"])
def test_an_old_price_that_is_struck_out_is_no_longer_the_price(tag: str) -> None:
    page = shop(f"<{tag}>19.90 €</{tag}> <strong>17.50 €</strong>")
    assert kept(page, said("history", {"title": "Kettle", "colour": "red", "price": 19.9})) == {
        "title": "Kettle",
        "colour": "red",
    }


TIMES = tuple(Field(f"{one}_time", Kind.DURATION, unit="minutes") for one in ("total", "prep", "cook"))


def soup(prep: int, cook: int) -> Page:
    island = json.dumps({"@type": "Recipe", "prepTime": f"PT{prep}M", "cookTime": f"PT{cook}M"})
    return Page(URL, f'<script type="application/ld+json">{island}</script><h1>Soup</h1>')


def test_a_total_that_stands_nowhere_is_carried_by_the_parts_that_do() -> None:
    times = {"total_time": 95.0, "prep_time": 20.0, "cook_time": 75.0}
    found = reconcile(soup(20, 75), [said("examples", times)], Schema("Soup@1", TIMES))
    assert found.values() == (times,)
    (evidence,) = found.records[0]["total_time"].evidence
    assert evidence == truth.Evidence("sum", "", "prep_time 20.0 + cook_time 75.0")


@pytest.mark.parametrize("total", [94.0, 20.0 + 7500])
def test_a_total_that_its_parts_do_not_come_to_stays_unsupported(total: float) -> None:
    times = {"total_time": total, "prep_time": 20.0, "cook_time": 75.0}
    found = reconcile(soup(20, 75), [said("examples", times)], Schema("Soup@1", TIMES))
    assert found.unsupported == {"total_time"}


def test_parts_that_stand_nowhere_themselves_carry_no_total() -> None:
    times = {"total_time": 95.0, "prep_time": 20.0, "cook_time": 75.0}
    found = reconcile(soup(20, 61), [said("examples", times)], Schema("Soup@1", TIMES))
    assert found.unsupported == {"total_time", "cook_time"}
