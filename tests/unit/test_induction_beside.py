"""Values that stand beside another field's: a composed heading tells more than a word of the template."""

import json

from crawloop.model.kind import Field
from tests.unit.test_induction_cases import learned, read, sample

FIELDS = Field("name"), Field("kind"), Field("module")
PAGE = (
    '<head><meta name="keywords" content="{module}.{name} {low}"></head><ul><li>Module</li><li>Class</li></ul>'
    '<h1>{kind} {name}</h1><pre>public {low} <span class="called">{name}</span></pre>'
)


def page(kind, name, module):
    return PAGE.format(kind=kind, low=kind.lower(), name=name, module=module)


def sampled(number, kind, name, module):
    return sample(number, page(kind, name, module), kind=kind, name=name, module=module)


def test_a_kind_that_all_samples_share_is_read_beside_the_name_not_in_the_menu():
    plan = learned([sampled(1, "Class", "Basket", "shop.cart"), sampled(2, "Class", "Order", "shop.cart")], *FIELDS)
    assert read(plan, page("Enum Type", "Colour", "shop.paint")) == {
        "kind": "Enum Type",
        "name": "Colour",
        "module": "shop.paint",
    }


def test_where_the_neighbour_is_not_there_nothing_is_guessed():
    plan = learned([sampled(1, "Class", "Basket", "shop.cart"), sampled(2, "Class", "Order", "shop.cart")], *FIELDS)
    html = page("Class", "Colour", "shop.paint").replace("<h1>Class Colour</h1>", "<h1>Overview of paint</h1>")
    assert read(plan, html)["kind"] is None


def test_what_all_samples_share_is_read_where_its_name_stands_rather_than_beside_another():
    def shop(name, title):
        head = f'<meta property="og:site_name" content="Oak Shop"><meta property="og:title" content="{title}">'
        told = json.dumps({"@type": "Product", "name": name})
        return f'<head>{head}<script type="application/ld+json">{told}</script></head><h1>{name}</h1>'

    fields = Field("name"), Field("site_name")
    known = [
        sample(number, shop(name, f"{name} | Oak Shop"), name=name, site_name="Oak Shop")
        for number, name in enumerate(("Amber Lamp", "Birch Table"))
    ]
    assert read(learned(known, *fields), shop("Copper Kettle", "Kettles of copper"))["site_name"] == "Oak Shop"
