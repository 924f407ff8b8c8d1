"""Listing induction where the records stand in the page's JSON."""

import json

from tests.fakes.listings import proposed, read, sample

WARES = [("Amber Lamp", 12.5, "2024-07-02"), ("Birch Table", 199, "2024-08-03"), ("Copper Kettle", 31.9, "2024-09-04")]


def page(wares: list[tuple[str, float, str]]) -> str:
    items = [
        {"id": 70 + n, "name": name, "offers": {"price": price, "currency": "EUR"}, "added": f"{day}T10:00:00Z",
         "labels": ["new", name.split()[0].lower()]}
        for n, (name, price, day) in enumerate(wares)
    ]  # fmt: skip
    state = json.dumps({"props": {"menu": [{"name": "Home"}, {"name": "About"}], "items": items}})
    return f'<body><div id=root></div><script id="__NEXT_DATA__" type="application/json">{state}</script></body>'


def records(wares: list[tuple[str, float, str]]) -> list[dict[str, object]]:
    return [
        {"title": name, "price": price, "date": day, "tags": ["new", name.split()[0].lower()]}
        for name, price, day in wares
    ]


def test_objects_of_a_list_are_rows() -> None:
    found = proposed(sample(page(WARES), records(WARES)))
    more = [*WARES, ("Daisy Chair", 80, "2025-01-05")]
    assert read(found, page(more)) == records(more)
    assert read(found, page([])) == []


def test_truth_in_another_order() -> None:
    found = proposed(sample(page(WARES), records(WARES)[::-1]))
    assert read(found, page(WARES)) == records(WARES)
