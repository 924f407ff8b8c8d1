"""Every piece of JSON on a page, by name."""

import json
import time

import pytest

from crawloop.extract.view import PageView


def page(body: str, url: str = "https://shop.example/p/1") -> PageView:
    return PageView(f"<html><body>{body}</body></html>", url)


def linked(*values: object) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(value)}</script>' for value in values)


@pytest.mark.parametrize(
    "type_",
    ["application/ld+json", "application/ld&#x2B;json", "Application/LD+JSON", "application/ld+json; charset=utf-8"],
)
def test_linked_data_under_any_spelling_of_its_type(type_: str) -> None:
    assert page(f'<script type="{type_}">{{"@type": "Recipe", "name": "Soup"}}</script>').json("@Recipe.name") == "Soup"


def test_types_with_a_vocabulary_and_several_types() -> None:
    view = page(linked({"@type": ["schema:Thing", "https://schema.org/Recipe"], "name": "Soup"}))
    assert view.json("@Recipe.name") == "Soup"
    assert view.json("@Thing.name") == "Soup"


def test_references_are_resolved_across_scripts() -> None:
    view = page(
        linked(
            {"@type": "Article", "author": {"@id": "#jane"}, "publisher": [{"@id": "#x"}, {"@id": "#org"}]},
            {"@graph": [{"@id": "#org", "@type": "Organization", "name": "Org"}, {"@id": "#jane", "name": "Jane"}]},
        )
    )
    assert view.json("@Article.author.name") == "Jane"
    assert view.json("@Article.publisher.name") == "Org"


def test_rows_resolve_references_too() -> None:
    view = page(linked({"@graph": [{"@type": "P", "brand": {"@id": "#b"}}, {"@id": "#b", "name": "Acme"}]}))
    assert [row.json("brand.name") for row in view.json_rows("@P")] == ["Acme"]


def test_a_reference_to_itself_ends() -> None:
    assert page(linked({"@id": "#a", "@type": "A", "b": {"@id": "#a"}, "c": 1})).json("@A.b.b.b.c") == 1


def test_the_type_decides_and_not_the_position_in_the_graph() -> None:
    first, second = {"@type": "WebSite", "name": "Site"}, {"@type": "Recipe", "name": "Soup"}
    for graph in ([first, second], [second, first]):
        assert page(linked({"@graph": graph})).json("@Recipe.name") == "Soup"


def test_the_first_that_has_the_value() -> None:
    view = page(linked({"@type": "Recipe", "name": ""}, {"@type": "Recipe", "name": "Soup"}))
    assert view.json("@Recipe.name") == "Soup"


@pytest.mark.parametrize(
    "mark",
    [
        {"mainEntityOfPage": "http://shop.example/p/1/"},
        {"mainEntityOfPage": {"@type": "WebPage", "@id": "https://shop.example/p/1"}},
        {"mainEntityOfPage": True},
        {"url": "https://shop.example/p/1#top"},
        {"@id": "https://shop.example/p/1"},
    ],
)
def test_the_object_that_the_page_is_about_comes_first(mark: dict[str, object]) -> None:
    other = {"@type": "Product", "name": "Other", "url": "https://shop.example/p/2"}
    view = page(linked(other, {"@type": "Product", "name": "This", **mark}))
    assert view.json("@Product.name") == "This"
    assert view.json_all("@Product.name") == ["This"]


def test_main_entity_of_the_web_page() -> None:
    other = {"@type": "Product", "name": "Other"}
    inside = {"@type": "WebPage", "mainEntity": {"@type": "Product", "name": "This"}}
    assert page(linked(other, inside)).json("@Product.name") == "This"
    by_id = [
        {"@type": "WebPage", "mainEntity": {"@id": "#2"}},
        other,
        {"@id": "#2", "@type": "Product", "name": "This"},
    ]
    assert page(linked({"@graph": by_id})).json("@Product.name") == "This"


def test_the_canonical_address_counts_as_the_pages_own() -> None:
    view = PageView(
        '<link rel="canonical" href="https://shop.example/kettle">'
        + linked(
            {"@type": "Product", "name": "Other"}, {"@type": "Product", "name": "This", "url": "//shop.example/kettle"}
        ),
        "https://shop.example/p/1?ref=x",
    )
    assert view.json("@Product.name") == "This"


def test_nested_objects_come_after_top_ones_and_all_of_a_listing_are_read() -> None:
    view = page(
        linked(
            {"@type": "ItemList", "itemListElement": [{"item": {"@type": "Product", "name": n}} for n in "ab"]},
        )
    )
    assert view.json_all("@Product.name") == ["a", "b"]
    view = page(linked({"@type": "Recipe", "related": [{"@type": "Recipe", "name": "Other"}], "name": "Soup"}))
    assert view.json_all("@Recipe.name") == ["Soup"]


def test_scripts_by_id_and_by_place() -> None:
    view = page(
        '<script type="application/json">{"a": 1}</script>'
        '<script id="__NEXT_DATA__" type="application/json">{"props": {"odd key": [{"t": "x"}]}}</script>'
        '<script type="application/json">{"a": 2}</script><script id="plain">[{"a": 3}]</script>'
    )
    assert view.json("json[0].a") == 1
    assert view.json("json[1].a") == 2
    assert view.json('__NEXT_DATA__.props["odd key"][0].t') == "x"
    assert view.json("plain.a") == 3
    assert view.json("json[2].a") is None


def test_assigned_values() -> None:
    view = page(
        """<script>
        var tracked = {}; tracked = {"sku": "k1"};
        window.STATE = {a: [{"odd key": [{b: 'x'}, {b: 'y'}]}], /* more */ f: function () { return "}" }};
        window["__APOLLO_STATE__"] = {"Product:1": {"name": "Kettle"}};
        shop.config.page = shop.config.page || {"kind": "product"};
        self.__STATE__ = JSON.parse("{\\"price\\": 12.5}");
        dataLayer = [{"event": "view"}]; dataLayer.push({"price": 9});
        Shop.settings("x"); initial({"currency": "EUR"});
        </script>"""
    )
    assert view.json("tracked.sku") == "k1"
    assert view.json_all('window.STATE.a[0]["odd key"][*].b') == ["x", "y"]
    assert view.json("STATE.a[0]..b") == "x"
    assert view.json('window.__APOLLO_STATE__["Product:1"].name') == "Kettle"
    assert view.json("shop.config.page.kind") == "product"
    assert view.json("__STATE__.price") == 12.5
    assert view.json("dataLayer.price") == 9
    assert view.json("initial.currency") == "EUR"
    names = view.islands().names()
    assert {"tracked", "STATE", "__APOLLO_STATE__", "shop.config.page", "__STATE__", "dataLayer", "initial"} <= set(
        names
    )


def test_attributes_inputs_and_hidden_elements() -> None:
    view = page(
        """<div data-product='{"name": "Kettle", "tags": ["a"]}'></div><div data-product='{"name": "Pan"}'></div>
        <input type="hidden" name="cart" value="{&quot;total&quot;: 3}"><my-app :props="{&quot;id&quot;: 5}"></my-app>
        <code id="bpr" hidden><!--{"city": "Ulm"}--></code><div id="seed" hidden>{"k": "v"}</div>"""
    )
    assert view.json("data-product.name") == "Kettle"
    assert view.json_all("data-product.name") == ["Kettle", "Pan"]
    assert view.json("cart.total") == 3
    assert view.json('[":props"].id') == 5
    assert view.json("bpr.city") == "Ulm"
    assert view.json("seed.k") == "v"
    assert set(view.islands().names()) == {"data-product", "cart", ":props", "bpr", "seed"}
    assert [row.json("data-product.name") for row in view.css("div[data-product]")] == ["Kettle", "Pan"]


def test_flight_data_is_joined() -> None:
    text = "Süß und scharf"
    size = f"{len(text.encode()):x}"
    stream = (
        f'1:I["x",[]]\n2:["$","$L1",null,{{"product":{{"name":"Kettle","about":"$3"}}}}]\n3:T{size},{text}4:{{"a":1}}\n'
    )
    pushes = "".join(
        f"<script>self.__next_f.push({json.dumps([1, part])})</script>" for part in (stream[:40], stream[40:])
    )
    view = page("<script>(self.__next_f=self.__next_f||[]).push([0])</script>" + pushes)
    assert view.json("__next_f..product.name") == "Kettle"
    assert view.json('__next_f["2"][3].product.about') == text
    assert view.json('__next_f["4"].a') == 1
    assert "__next_f" in view.islands().names()


def test_nuxt_payloads() -> None:
    view = page(
        '<script>window.__NUXT__=(function(a,b){return {data:[{name:a,price:b,n:[b]}]}}("Kettle",12.5));</script>'
    )
    assert view.json("window.__NUXT__.data[0].name") == "Kettle"
    assert view.json("__NUXT__.data.n") == [12.5]
    flat = [
        ["ShallowReactive", 1],
        {"data": 2},
        ["Reactive", 3],
        {"p": 4},
        {"name": 5, "tags": 6, "self": 4},
        "Kettle",
        [5, 7],
        "x",
    ]
    view = page(f'<script type="application/json" id="__NUXT_DATA__">{json.dumps(flat)}</script>')
    assert view.json("__NUXT_DATA__.data.p.name") == "Kettle"
    assert view.json("__NUXT_DATA__.data.p.tags") == ["Kettle", "x"]
    assert view.json("__NUXT_DATA__.data.p.self") is None


def test_a_payload_that_multiplies_itself_is_bounded() -> None:
    flat = [[n + 1] * 10 for n in range(40)] + ["x"]
    start = time.process_time()
    page(f'<script type="application/json" id="__NUXT_DATA__">{json.dumps(flat)}</script>').json("__NUXT_DATA__")
    assert time.process_time() - start < 2


def test_a_big_page_of_broken_scripts_takes_linear_time() -> None:
    view = page("<script>" + "var abc = {a: '" * 60_000 + "</script>" + "<i data-x='{\"a\": [1, 2'></i>" * 10_000)
    start = time.process_time()
    assert view.islands().names() == []
    assert time.process_time() - start < 5
