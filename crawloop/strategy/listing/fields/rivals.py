"""Two fields that one place gives alike: the values cannot tell which is meant, but names may.

    Filed        Text                            filed    row.column("Filed")
    3 May 2023   Answer. (Entered: 3 May 2023)   entered  match(row.column("Text"), "Entered:…"), not the same column

Other pages have two values there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from crawloop.carriers.naming import affinity
from crawloop.extract.reading import Expression, steps
from crawloop.model.kind import Field, Schema
from crawloop.strategy.judging.belief import FITTING
from crawloop.strategy.listing.fields.chain import Judged
from crawloop.strategy.listing.fields.read import Found, believed
from crawloop.strategy.listing.fields.table import Row

_GROUP = re.compile(r"(?<!\\)\((?!\?i:)")
_ESCAPED = re.compile(r"\\.|\?i:")
_WORD = re.compile(r"[^\W\d_]+")
_MOST_WORDS = 2


def told_apart(found: dict[str, Found], rows: Sequence[Row], schema: Schema) -> dict[str, Found]:
    """The same, but that of two fields with one reading the one that is named elsewhere in the row is read there."""
    told = dict(found)
    for mine, other in permutations(schema.fields, 2):
        one, rival = told[mine.name].chosen, told[other.name].chosen
        if one is None or rival is None or one.expression != rival.expression:
            continue
        if elsewhere := list(_elsewhere(told[mine.name], mine, other)):
            known = [number for number, row in enumerate(rows) if mine.name in row.truth]
            told[mine.name] = believed(elsewhere, rows, known, mine)
    return told


def _elsewhere(found: Found, field: Field, rival: Field) -> Iterator[Judged]:
    """The readings after a name of the field, and less of its rival, that are as right as the chosen one."""
    for one in found.judged:
        if found.chosen is not None and one.right >= found.chosen.right and not one.wrong:
            names = list(_labels(one.expression))
            mine, theirs = (max((affinity(who, name) for name in names), default=0.0) for who in (field, rival))
            if mine >= FITTING and mine > theirs:
                yield one


def _labels(expression: Expression) -> Iterator[str]:
    """The words right before what a reading cuts out of a text."""
    for one in steps(expression):
        if one.transform == "match":
            before = _GROUP.split(str(one.args[0]), maxsplit=1)[0]
            yield " ".join(_WORD.findall(_ESCAPED.sub(" ", before))[-_MOST_WORDS:])
