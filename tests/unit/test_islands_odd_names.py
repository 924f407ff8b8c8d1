"""Attributes may carry any name that HTML allows, also those that CSS must escape."""

import pytest

from crawloop.extract.view import PageView


@pytest.mark.parametrize("name", ["0data", "-1x", "1", "--", "x:y", "data-x", "@click", "v.x"])
def test_json_in_an_attribute_is_read_whatever_its_name(name: str) -> None:
    page = PageView(f"<div {name}='{{\"k\": 3}}'>text</div>", "https://shop.example/")
    assert page.json(f'["{name}"][0].k') == 3
