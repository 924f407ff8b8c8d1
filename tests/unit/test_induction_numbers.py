"""Texts that a page's JSON says as numbers: codes, years, sizes."""

import json
from typing import Any

import pytest

from crawloop.model.kind import Field
from tests.unit.test_induction_cases import TITLE, learned, read, sample


def page(title: str, said: Any) -> str:
    told = json.dumps({"@type": "Product", "name": title, "variant": said})
    return f'<script type="application/ld+json">{told}</script><h1>{title}</h1>'


@pytest.mark.parametrize("said", [48151, 48151.0, "48151"])
def test_a_number_in_json_is_a_text_where_one_is_asked_for(said: float | str) -> None:
    plan = learned([sample(1, page("Desk", 62342), title="Desk", variant="62342")], TITLE, Field("variant"))
    assert read(plan, page("Lamp", said))["variant"] == "48151"


def test_so_are_those_of_a_list() -> None:
    sizes = Field("variant", many=True)
    plan = learned([sample(1, page("Shoe", [38, 39, 40]), title="Shoe", variant=["38", "39", "40"])], TITLE, sizes)
    got = read(plan, page("Boot", [41, 42]))["variant"]
    assert got == ["41", "42"]
