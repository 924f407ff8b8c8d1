"""What a page says of itself for machines, mapped to a schema; null beats a guess."""

import asyncio
import json
from typing import Any

import pytest

from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.witness.markup import MarkupWitness

URL = "https://shop.example/p/kettle"
PRODUCT = Schema(
    "Product@1",
    (
        Field("title"),
        Field("price", Kind.MONEY),
        Field("currency"),
        Field("in_stock", Kind.BOOL),
        Field("state", Kind.ENUM, choices=("new", "used"), aliases=("item_condition",)),
        Field("brand"),
        Field("rating", Kind.NUMBER),
        Field("ratings_count", Kind.NUMBER, integer=True),
        Field("image", Kind.URL),
        Field("images", Kind.URL, many=True),
    ),
)
RECIPE = Schema(
    "Recipe@1",
    (
        Field("name"),
        Field("total_time", Kind.DURATION, unit="minutes"),
        Field("ingredients", many=True),
        Field("instructions", many=True),
        Field("keywords", many=True),
        Field("published", Kind.DATE),
        Field("nutrition_fatContent"),
        Field("author"),
        Field("language"),
        Field("canonical_url", Kind.URL),
    ),
)


def ld(*objects: Any) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(one)}</script>' for one in objects)


def page(body: str, head: str = "", lang: str = "en") -> Page:
    return Page(URL, f'<!doctype html><html lang="{lang}"><head>{head}</head><body>{body}</body></html>')


def records(page: Page, schema: Schema) -> list[dict[str, Any]]:
    said = asyncio.run(MarkupWitness().testify(page, "shop", schema, None))
    return list(said.records) if said else []


def product(**more: Any) -> dict[str, Any]:
    return {"@context": "https://schema.org", "@type": "Product", "name": "Kettle"} | more


def test_nested_properties_reach_fields_by_name_and_kind() -> None:
    offer = {
        "@type": "Offer",
        "price": "19.90",
        "priceCurrency": "EUR",
        "availability": "https://schema.org/OutOfStock",
        "itemCondition": "https://schema.org/NewCondition",
    }
    body = ld(
        product(
            offers=offer,
            brand={"@type": "Brand", "name": "Acme"},
            aggregateRating={"ratingValue": "4.5", "ratingCount": "12", "bestRating": "5"},
            image={"@type": "ImageObject", "url": "/kettle.jpg", "name": "a kettle"},
        )
    )
    assert records(page(body), PRODUCT) == [
        {
            "title": "Kettle",
            "price": 19.9,
            "currency": "EUR",
            "in_stock": False,
            "brand": "Acme",
            "rating": 4.5,
            "ratings_count": 12,
            "image": "https://shop.example/kettle.jpg",
            "images": ["https://shop.example/kettle.jpg"],
        }
    ]


def test_several_prices_are_ambiguous_and_assert_nothing() -> None:
    offers = [{"@type": "Offer", "price": 10}, {"@type": "Offer", "price": 12}]
    assert "price" not in records(page(ld(product(offers=offers))), PRODUCT)[0]
    assert records(page(ld(product(offers=[offers[0], offers[0]]))), PRODUCT)[0]["price"] == 10


def test_two_images_for_one_field_are_ambiguous_and_fill_a_list() -> None:
    said = records(page(ld(product(image=["/a.jpg", "/b.jpg"]))), PRODUCT)[0]
    assert "image" not in said
    assert said["images"] == ["https://shop.example/a.jpg", "https://shop.example/b.jpg"]


def test_the_two_best_readings_must_agree() -> None:
    share = '<meta property="og:image" content="/share.jpg">'
    assert "image" not in records(page(ld(product(image="/a.jpg")), share), PRODUCT)[0]


def disputed(one: Page, schema: Schema = PRODUCT) -> frozenset[str]:
    said = asyncio.run(MarkupWitness().testify(one, "shop", schema, None))
    return said.disputed if said else frozenset()


def test_what_places_of_one_meaning_say_differently_is_disputed() -> None:
    share = '<meta property="og:image" content="/share.jpg">'
    assert disputed(page(ld(product(image="/a.jpg")), share)) == {"image"}
    assert disputed(page(ld(product(image=["/a.jpg", "/b.jpg"])), share)) == {"image"}
    assert disputed(page(ld(product(image="/share.jpg")), share)) == frozenset()
    assert disputed(page(ld(product(image=["/a.jpg", "/b.jpg"])))) == frozenset(), "one place alone disputes nothing"


def test_one_picture_in_two_sizes_and_one_thing_in_two_wordings_are_no_dispute() -> None:
    share = '<meta property="og:image" content="https://cdn.example/1200/a.jpg?w=1200">'
    assert disputed(page(ld(product(image=["/300/a.jpg", "/b.jpg"])), share)) == frozenset()
    told = '<meta property="og:description" content="A kettle."><meta name="description" content="Of brass.">'
    schema = Schema("Product@1", (Field("title"), Field("description")))
    assert disputed(page(ld(product()), told), schema) == frozenset()


def test_the_head_is_read_where_its_author_mistook_an_attribute() -> None:
    head = '<meta name="og:type" value="product"><meta name="og:image" value="/a.jpg">'
    assert records(page("<h1>Kettle</h1>", head), PRODUCT)[0]["image"] == "https://shop.example/a.jpg"


def test_who_counts_reviews_alone_counts_ratings_so() -> None:
    assert records(page(ld(product(aggregateRating={"reviewCount": 7}))), PRODUCT)[0]["ratings_count"] == 7
    both = {"reviewCount": 7, "ratingCount": 12}
    assert records(page(ld(product(aggregateRating=both))), PRODUCT)[0]["ratings_count"] == 12


def test_a_computed_mean_that_nobody_sees_so_is_left_out() -> None:
    assert "rating" not in records(page(ld(product(aggregateRating={"ratingValue": 4.8206}))), PRODUCT)[0]


def test_a_title_that_is_no_heading_of_the_page_is_left_out() -> None:
    body = "<h1>Steel kettle</h1>" + ld(product(name="Kettle | Shop Example", brand="Acme"))
    assert records(page(body), PRODUCT) == [{"brand": "Acme"}]
    assert disputed(page(body)) == {"title"}, "the page is headed otherwise than it says of itself"


def test_furniture_and_related_things_are_not_the_subject() -> None:
    body = ld(
        {"@type": "WebSite", "name": "Shop", "url": "https://shop.example/"},
        {"@type": "Organization", "name": "Shop Inc."},
        {"@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "name": "Kitchen"}]},
        product(name="Teapot", url="https://shop.example/p/teapot", offers={"price": 5}),
        product(url=URL, offers={"price": 20}, isRelatedTo=product(name="Mug", offers={"price": 3})),
    )
    assert records(page(body), PRODUCT) == [{"title": "Kettle", "price": 20}]


def test_two_things_of_one_kind_of_which_none_is_the_page_s_assert_nothing() -> None:
    assert records(page(ld(product(name="Teapot"), product(name="Mug"))), PRODUCT) == []


def test_two_descriptions_of_one_thing_assert_what_they_agree_on() -> None:
    body = ld(product(sku="1", offers={"price": 20}, brand="Acme"), product(offers={"price": 25}, brand="Acme"))
    assert records(page(body), PRODUCT) == [{"title": "Kettle", "brand": "Acme"}]


def test_references_within_a_graph_are_followed() -> None:
    graph = [product(brand={"@id": "#acme"}), {"@type": "Brand", "@id": "#acme", "name": "Acme"}]
    assert records(page(ld({"@context": "https://schema.org", "@graph": graph})), PRODUCT)[0]["brand"] == "Acme"


def test_an_item_list_gives_one_record_an_item_and_is_complete() -> None:
    items = [{"@type": "ListItem", "item": product(name=name, offers={"price": n})} for n, name in enumerate("abc", 1)]
    said = asyncio.run(
        MarkupWitness().testify(page(ld({"@type": "ItemList", "itemListElement": items})), "shop", PRODUCT, None)
    )
    assert said is not None
    assert said.complete
    assert [record["title"] for record in said.records] == ["a", "b", "c"]


def recipe(**more: Any) -> str:
    return ld({"@context": "https://schema.org", "@type": "Recipe", "name": "Soup"} | more)


def test_durations_dates_lists_and_the_document_take_the_form_of_their_fields() -> None:
    body = recipe(
        totalTime="PT1H15M",
        datePublished="2024-05-02T10:00:00+02:00",
        recipeIngredient=["1 leek", "2 potatoes &amp; salt"],
        recipeInstructions=[{"@type": "HowToStep", "text": "<p>Cook.</p>"}, {"@type": "HowToStep", "text": "Serve."}],
        keywords="soup, winter",
        nutrition={"@type": "NutritionInformation", "fatContent": "3 g"},
        author=[{"@type": "Person", "name": "Ann"}],
    )
    head = '<link rel="canonical" href="/r/soup">'
    assert records(page(body, head, "de-AT"), RECIPE) == [
        {
            "name": "Soup",
            "total_time": 75,
            "ingredients": ["1 leek", "2 potatoes & salt"],
            "instructions": ["Cook.", "Serve."],
            "keywords": ["soup", "winter"],
            "published": "2024-05-02",
            "nutrition_fatContent": "3 g",
            "author": "Ann",
            "language": "de-AT",
            "canonical_url": "https://shop.example/r/soup",
        }
    ]


@pytest.mark.parametrize(
    "instructions",
    [
        "Cook the leek. Serve it.",
        [{"@type": "HowToSection", "name": "Dough", "itemListElement": [{"@type": "HowToStep", "text": "Knead."}]}],
        [{"@type": "HowToStep", "name": "First", "text": "Cook."}, {"@type": "HowToStep", "text": "Serve."}],
        ["For the dough:", "Knead."],
        ["THE DOUGH", "Knead it.", "Bake it."],
        ["Cook.", "Serve.", "Cook.", "Serve."],
    ],
)
def test_lists_that_can_be_read_in_more_ways_than_one_assert_nothing(instructions: Any) -> None:
    assert "instructions" not in records(page(recipe(recipeInstructions=instructions)), RECIPE)[0]


def test_a_text_that_is_cut_short_is_no_value() -> None:
    assert records(page(recipe(name="Soup of leek and …", author="Ann")), RECIPE)[0].keys() & {"name", "author"} == {
        "author"
    }


def test_several_authors_do_not_fit_one_field() -> None:
    assert "author" not in records(page(recipe(author=[{"name": "Ann"}, {"name": "Bo"}])), RECIPE)[0]


def test_a_list_field_never_takes_what_a_thing_has_but_one_of() -> None:
    schema = Schema("Article@1", (Field("headline"), Field("headlines", many=True)))
    body = ld({"@type": "NewsArticle", "headline": "Rain"})
    assert records(page(body), schema) == [{"headline": "Rain"}]


def test_microdata_is_read_where_no_json_says_anything() -> None:
    body = (
        '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Kettle</h1>'
        '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="20">'
        "20,00</span></div></div>"
    )
    assert records(page(body), PRODUCT) == [{"title": "Kettle", "price": 20}]


@pytest.mark.parametrize(("kind", "speaks"), [("product", True), ("website", False), ("", False)])
def test_opengraph_alone_speaks_only_of_pages_about_one_thing_and_never_knows_all(kind: str, speaks: bool) -> None:
    head = f'<meta property="og:type" content="{kind}"><meta property="og:title" content="Kettle">'
    said = asyncio.run(MarkupWitness().testify(page("<h1>Kettle</h1>", head), "shop", PRODUCT, None))
    assert (said is not None) is speaks
    assert said is None or not said.complete


def test_each_value_says_where_it_was_read() -> None:
    said = asyncio.run(MarkupWitness().testify(page(ld(product(offers={"price": 20}))), "shop", PRODUCT, None))
    assert said is not None
    assert said.evidence[0, "price"][0].path == "@Product.offers.price"
