"""Keys of a page's JSON that number its content: no path through one leads anywhere on another page."""

import json

from crawloop.extract.plan import Plan
from crawloop.model.kind import Field
from tests.unit.test_induction_cases import TITLE, learned, read, sample

TEASER = Field("teaser")
STORIES = ("A storm", "No one slept that night."), ("A calm", "The sea was as flat as glass.")


def page(number: str, title: str, teaser: str) -> str:
    state = json.dumps({"cache": {number: {"heading": title, "teaser": teaser}}, "visits": 3})
    return f"<h1>{title}</h1><script>window.STATE = {state}</script>"


def taught(number: str) -> Plan:
    title, teaser = STORIES[0]
    return learned([sample(1, page(number, title, teaser), title=title, teaser=teaser)], TITLE, TEASER)


def test_what_stands_under_the_number_of_a_story_is_read_under_any_number() -> None:
    for number, other in (("story-481516", "story-234218"), ("1b9d6bcd-bbfd-4b2d-9b5d", "9b1deb4d-3b7d-4bad-9bdd")):
        assert read(taught(number), page(other, *STORIES[1]))["teaser"] == STORIES[1][1]


def test_where_such_a_path_leads_to_several_nothing_is_guessed() -> None:
    two = page("story-234218", *STORIES[1]).replace('{"cache": {', '{"cache": {"story-108": {"teaser": "Ice"}, ')
    assert read(taught("story-481516"), two)["teaser"] is None
