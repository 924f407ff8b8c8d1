"""A stronger model reads again what witnesses do not agree on: just these fields of just these pages, in one call.

It chooses among what was said, so that it can invent nothing, and sees of a page only where these values stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crawloop.brief.answer import picked
from crawloop.brief.form import choices
from crawloop.brief.prompt import described, fenced, load
from crawloop.carriers import support
from crawloop.carriers.index import index
from crawloop.contract import Completer, Dispute
from crawloop.extract.view import PageView
from crawloop.model.kind import Schema
from crawloop.model.truth import Evidence
from crawloop.schemas.expect import shown

_AROUND = 2
_LONGEST = 160


class SecondReading:
    """An Arbiter through any Completer."""

    def __init__(self, completer: Completer) -> None:
        self._completer = completer

    async def settle(self, disputes: Sequence[Dispute], model: str) -> tuple[Mapping[int, int], str]:
        ways = {str(number): len(one.values) for number, one in enumerate(disputes, 1)}
        fields = tuple(dict.fromkeys(one.field for one in disputes))
        told = "\n\n".join("\n".join(_told(number, one)) for number, one in enumerate(disputes, 1))
        slots = {"fields": described(Schema("", fields)), "disputes": fenced("disputes", told)}
        answer = await load("second_reading").ask(self._completer, model, slots, choices(ways))
        return {int(name) - 1: number - 1 for name, number in picked(answer.text, ways).items()}, answer.key


def _told(number: int, dispute: Dispute) -> Iterator[str]:
    view = PageView(dispute.page.html, dispute.page.base)
    yield f"dispute {number}: {dispute.field.name} on {dispute.page.url}"
    for place, value in enumerate(dispute.values, 1):
        yield f"  {place}: {shown(value)}"
        narrowest: dict[str, Evidence] = {}
        for one in support(view, value, dispute.field):
            narrowest.setdefault(one.carrier, one)
        for one in narrowest.values():
            yield f"     stands in {one.carrier} {one.path}: {one.snippet[:_LONGEST]}"
        if amid := _amid(view, value, dispute):
            yield f"     amid: {amid[:_LONGEST]}"


def _amid(view: PageView, value: Any, dispute: Dispute) -> str:
    """The texts around the narrowest place where the value stands for readers; "" where it does nowhere."""
    page = index(view)
    one, field = (value[0], dispute.field.single) if isinstance(value, list) and value else (value, dispute.field)
    places = () if isinstance(one, bool | list) else page.places(one, field)
    narrow = min(
        (one for one in places if one.carrier == "text"), key=lambda one: len(str(page.raw(one))), default=None
    )
    if narrow is None:
        return ""
    at = narrow.at if narrow.at >= 0 else page.dom.starts[narrow.owner]
    return " | ".join(" ".join(text.split()) for text in page.dom.around(at, _AROUND))
