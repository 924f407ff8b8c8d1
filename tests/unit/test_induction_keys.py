"""Keys of a page's JSON that number its content: no path through one leads anywhere on another page."""

import json

import pytest

from crawloop.extract.reading import Read
from crawloop.model.kind import Field
from tests.unit.test_induction_cases import TITLE, learned, read, sample

TEASER = Field("teaser")
STORIES = ("A storm", "No one slept that night."), ("A calm", "The sea was as flat as glass.")


def page(number: str, title: str, teaser: str) -> str:
    state = json.dumps({"cache": {number: {"heading": title, "teaser": teaser}}, "visits": 3})
    return f'<h1>{title}</h1><p class="lead">{teaser}</p><script>window.STATE = {state}</script>'


@pytest.mark.parametrize("number", ["story-481516", "1b9d6bcd-bbfd-4b2d-9b5d"])
def test_a_dearer_place_goes_before_one_under_the_number_of_a_story(number: str) -> None:
    title, teaser = STORIES[0]
    plan = learned([sample(1, page(number, title, teaser), title=title, teaser=teaser)], TITLE, TEASER)
    assert plan.fields["teaser"].readers[0] == Read("text", ("p.lead",), alone=True)
    assert read(plan, page("story-234218", *STORIES[1]))["teaser"] == STORIES[1][1]
