"""Readings that are wrong on a few rows, where what they say there looks unlike all that is right: null instead.

    "Roe v. Doe", "Coe v. Poe", … and once "1/28/16"   →   match(row.text("a"), "^(?=.*[a-z])(.+)$")

Whether the few labels are slips is for the loop to say: this is what is left of the field where they are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from crawloop.extract.plan import FieldPlan
from crawloop.extract.reading import Apply
from crawloop.model.kind import Field, Kind, Schema
from crawloop.strategy.listing.fields.read import Found
from crawloop.strategy.listing.fields.table import Row

_ENOUGH = 4  # right values that show what right ones look like
_EACH = 3  # right values for each wrong one
_SIGNS = (r"^(?=.*[a-z])(.+)$", r"^([A-Z].*)$", r"^(\D+)$", r"^(.+[.!?])$")
_WORD = re.compile(r"[^\W\d_]+")


def guarded(found: Mapping[str, Found], rows: Sequence[Row], schema: Schema) -> dict[str, FieldPlan]:
    """Plans that are silent where the chosen readings are wrong, for those of these fields that have such."""
    plans = {}
    for name, one in found.items():
        if one.chosen is not None and one.chosen.wrong and _is_text(schema[name]):
            right, wrong = (
                [str(rows[number].read(one.chosen.expression)) for number in sorted(some)]
                for some in (one.chosen.right, one.chosen.wrong)
            )
            if len(right) >= max(_ENOUGH, _EACH * len(wrong)) and (sign := next(_telling(right, wrong), None)):
                plans[name] = FieldPlan((Apply("match", (one.chosen.expression,), (sign,)),))
    return plans


def _is_text(field: Field) -> bool:
    return field.kind is Kind.TEXT and not field.many


def _telling(right: Sequence[str], wrong: Sequence[str]) -> Iterator[str]:
    """Patterns that all right values have and no wrong one, the plainest first."""
    shared = set.intersection(*(set(_WORD.findall(one.casefold())) for one in right))
    words = (rf"(?i)^(.*\b{re.escape(one)}\b.*)$" for one in sorted(shared))
    for sign in (*_SIGNS, *words):
        if all(re.search(sign, one) for one in right) and not any(re.search(sign, one) for one in wrong):
            yield sign
