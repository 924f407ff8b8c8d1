"""Microdata: items, their properties, and what does not belong to them."""

import json

from crawloop.extract.view import PageView


def test_properties_by_element() -> None:
    page = PageView(
        """<div itemscope itemtype="https://schema.org/Product" itemid="urn:1"><h1 itemprop="name">Ket<b>tle</b></h1>
        <img itemprop="image" src=" k.jpg "><a itemprop="url" href="/k">x</a><meta itemprop="sku" content="K1">
        <time itemprop="date" datetime="2026-01-02">2 Jan</time><data itemprop="price" value="12.5">12,50</data>
        <span itemprop="color size">blue</span><span itemprop="tag">a</span><span itemprop="tag">b</span>
        <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
        <b itemprop="price" content="9">9.-</b></div>
        <span itemprop="note" content="shown">hidden</span></div>"""
    )
    for key, wanted in {
        "name": "Kettle", "image": "k.jpg", "url": "/k", "sku": "K1", "date": "2026-01-02", "price": "12.5",
        "color": "blue", "size": "blue", "tag": ["a", "b"], "note": "shown",
    }.items():  # fmt: skip
        assert page.json(f"#Product.{key}") == wanted
    assert page.json("#Product.offers.price") == "9"
    assert page.json("#Offer.price") == "9"
    assert page.json('#Product["@id"]') == "urn:1"


def test_an_item_without_a_property_name_is_its_own() -> None:
    page = PageView(
        """<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Main</h1>
        <div itemscope itemtype="http://schema.org/Product"><b itemprop="name">Related</b>
        <i itemprop="price">1</i></div></div>"""
    )
    assert page.json("#Product.name") == "Main"
    assert page.json_all("#Product.name") == ["Main", "Related"]
    assert [row.json("name") for row in page.json_rows("#Product")] == ["Main", "Related"]


def test_references_join_what_stands_elsewhere() -> None:
    page = PageView(
        """<div itemscope itemtype="http://schema.org/Product" itemref="extra gone extra">
        <h1 itemprop="name">Main</h1></div><div id="extra"><span itemprop="price">5</span></div>"""
    )
    assert page.json("#Product.price") == "5"


def test_a_reference_to_another_item_takes_nothing_of_it() -> None:
    page = PageView(
        """<div itemscope itemtype="http://schema.org/Product" itemref="other"><h1 itemprop="name">Main</h1></div>
        <div id="other" itemscope itemtype="http://schema.org/Product"><h2 itemprop="name">Related</h2>
        <span itemprop="price">5</span></div>"""
    )
    assert page.json("#Product.name") == "Main"
    assert page.json_all("#Product.name") == ["Main", "Related"]
    assert [row.json("price") for row in page.json_rows("#Product")] == [None, "5"]


def test_a_related_item_that_refers_to_the_main_one() -> None:
    page = PageView(
        """<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Main</h1>
        <p id="shared"><span itemprop="brand">Acme</span></p></div>
        <div itemscope itemtype="http://schema.org/Product" itemref="shared"><h2 itemprop="name">Related</h2></div>"""
    )
    assert [(row.json("name"), row.json("brand")) for row in page.json_rows("#Product")] == [
        ("Main", "Acme"),
        ("Related", "Acme"),
    ]


def test_circles_end() -> None:
    page = PageView(
        """<div id="a" itemprop="x" itemscope itemtype="http://schema.org/A" itemref="b"><i itemprop="n">1</i></div>
        <div id="b" itemprop="y" itemscope itemtype="http://schema.org/B" itemref="a"></div>"""
    )
    assert page.json("#A.n") == "1"
    assert (
        json.dumps(page.json_all("#B"))
        == '[{"@type": "http://schema.org/B", "x": {"@type": "http://schema.org/A", "n": "1"}}]'
    )


def test_rows_read_their_own_item() -> None:
    page = PageView(
        "".join(f'<li itemscope itemtype="http://schema.org/Thing"><b itemprop="name">{n}</b></li>' for n in "xy")
    )
    assert [row.json("#Thing.name") for row in page.css("li")] == ["x", "y"]
