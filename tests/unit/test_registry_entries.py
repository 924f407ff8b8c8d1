"""Events and the rows that they become."""

from __future__ import annotations

import dataclasses

import pytest

from crawloop.model import events
from crawloop.model.events import CandidateJudged, Event, FamilyEscalated
from crawloop.registry.entries import ForeignEvent, from_entry
from crawloop.registry.packing import plain

EVERY_KIND = [
    cls for cls in vars(events).values() if isinstance(cls, type) and issubclass(cls, Event) and cls is not Event
]
EXAMPLES = {"str": "x", "int": 3, "bool": True, "float": 1.5, "Any": ["y"]}


def example(annotation: str) -> object:
    if annotation.startswith("tuple"):
        return ("a", "b")
    if annotation.startswith("dict"):
        return {"deep": {"list": [1, None]}}
    return EXAMPLES[annotation.removesuffix(" | None")]


@pytest.mark.parametrize("cls", EVERY_KIND, ids=lambda cls: cls.__name__)
def test_every_kind_of_event_comes_back_as_it_was(cls: type[Event]) -> None:
    given = {f.name: example(str(f.type)) for f in dataclasses.fields(cls)}
    event = cls(**given)
    assert from_entry(event.kind, plain(event.body()), family="x", at="x", run="x") == event


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("ReviewDecided", {"by": "me"}),
        ("CandidateJudged", {"origin": "x"}),
        ("PageDropped", {"url": "u", "why": "w", "new": 1}),
    ],
)
def test_what_another_program_wrote_stays_readable(kind: str, body: dict[str, object]) -> None:
    event = from_entry(kind, body, family="f", at="t", run="r")
    assert isinstance(event, ForeignEvent)
    assert (event.kind, event.body(), event.family) == (kind, body, "f")
    assert from_entry(event.kind, event.body(), family="f", at="t", run="r") == event


def test_facts_with_a_default_may_be_missing() -> None:
    event = from_entry("FamilyEscalated", {"reason": "no samples"}, family="f", at="t", run="r")
    assert event == FamilyEscalated("f", "t", "r", reason="no samples")


def test_evidence_that_json_cannot_hold_does_not_stop_a_run() -> None:
    event = FamilyEscalated("f", "t", "r", reason="x", evidence={"fields": frozenset({"b", "a"}), "nested": (1, {2})})
    assert plain(event.body())["evidence"] == {"fields": ["a", "b"], "nested": [1, [2]]}
    assert CandidateJudged.__name__ in {cls.__name__ for cls in EVERY_KIND}
