"""Time zones by the abbreviations that pages write. Ambiguous ones (IST, AST) are left out: they are no evidence."""

from __future__ import annotations

import re
from datetime import timedelta, timezone

_HOURS = {
    "z": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 1, "bst": 1, "cet": 1, "cest": 2, "mez": 1, "mesz": 2, "eet": 2,
    "eest": 3, "msk": 3, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    "akst": -9, "akdt": -8, "hst": -10, "jst": 9, "kst": 9, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13,
}  # fmt: skip
_OFFSET = re.compile(r"(?:utc|gmt|z)?\s?([+-])(\d{1,2})(?::?(\d{2}))?")


def zone(text: str) -> timezone | None:
    """The zone of "Z", "+0100", "GMT+01:00" or "CEST"; None for an unknown one. Expects lower case."""
    if text in _HOURS:
        return timezone(timedelta(hours=_HOURS[text]))
    found = _OFFSET.fullmatch(text)
    if not found or int(found[2]) > 15 or int(found[3] or 0) > 59:
        return None
    span = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    return timezone(-span if found[1] == "-" else span)


NAMES = "|".join(sorted((name for name in _HOURS if name != "z"), key=len, reverse=True))
