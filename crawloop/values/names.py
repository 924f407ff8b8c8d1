"""Names of people and companies as they are written in lists."""

from __future__ import annotations

import re

_PERSONS = r"jr|sr|ii|iii|iv|esq|ph\.?\s?d|m\.?\s?d"
_COMPANIES = r"inc|incorporated|llc|l\.l\.c|llp|l\.p|pllc|p\.c|ltd|limited|co|corp|plc|gmbh|s\.a|n\.a"
_END = re.compile(rf"(?:{_PERSONS}|{_COMPANIES})\.?", re.IGNORECASE)


def ends_a_name(text: str) -> bool:
    """Whether a text after a comma belongs to the name before it, as in "Roe, Jr." and "Acme, Inc."."""
    return _END.fullmatch(text) is not None
