"""Regular expressions that cut a page into tags as the HTML standard's tokenizer does; all possessive, so linear."""

from __future__ import annotations

import re

MAX_ATTRIBUTES = 1_000
# Runs of this many tokens are matched at a time: the engine keeps a mark for each.
_RUN = 5_000

# White space as the standard has it; Python's \s holds more.
_W = r" \t\n\r\f"
_ATTRIBUTE = (
    rf"(?:[{_W}]++[^{_W}/>=\"']++=\"[^\"]*+\"|[{_W}/]++"
    rf"|[^{_W}/>][^{_W}/>=]*+(?:[{_W}]*+=[{_W}]*+(?:\"[^\"]*+\"|'[^']*+'|[^{_W}>\"'][^{_W}>]*+)?+)?+)"
)
_ATTRIBUTES = rf"(?:{_ATTRIBUTE}){{0,{2 * MAX_ATTRIBUTES}}}+"
# The usual tag, read faster: few attributes, their values in double quotes directly after the equals sign.
_USUAL = rf"[a-zA-Z][^{_W}/>\"'=]*+(?:[^>\"'=]{{0,200}}+(?<=[^{_W}/\"'=])=\"[^\"]*+\"){{0,20}}+[^>\"'=]{{0,200}}+>"
_RAW = ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
_MAY_BE_RAW = "(?=[sS][cCtT]|[tT][eEiI]|[xX][mM]|[iI][fF]|[nN][oO])"
_RAW_ELEMENTS = "|".join(
    rf"(?ai:{name})(?=[{_W}/>]){_ATTRIBUTES}>(?:[^<]++|<(?!/(?ai:{name})[{_W}/>]))*+" for name in _RAW
)
_COMMENT = r"!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))|(?:[!?][^>]*+|/(?![a-zA-Z])[^>]*+)(?:>|\Z)"

# From the position given: as much of the page as can be cut into tokens, none of them with too many attributes.
TOKENS = re.compile(
    rf"""(?:[^<]*+<(?:
        /[a-zA-Z][^{_W}/>]*+> | {_MAY_BE_RAW}(?:{_RAW_ELEMENTS}) | {_USUAL}
      | /?[a-zA-Z][^{_W}/>]*+{_ATTRIBUTES}> | {_COMMENT} | (?!/?[a-zA-Z!?])
    )){{0,{_RUN}}}+[^<]*+""",
    re.X,
)
# A tag that the page's end cuts off: the parser drops it.
CUT_OFF = re.compile(rf"</?[a-zA-Z][^{_W}/>]*+{_ATTRIBUTES}\Z")
# One tag after the other, where raw text is not told from markup; one that the page's end cuts off is the last.
TAG = re.compile(rf"<(?:(/?)([a-zA-Z][^{_W}/>]*+)((?:{_ATTRIBUTE})*+)(?:>|\Z)|{_COMMENT})")
RAW_TEXT = {name: re.compile(rf"(?:[^<]++|<(?!/{name}[{_W}/>]))*+", re.I | re.A) for name in _RAW}
NAME = re.compile(r"<(/?[a-zA-Z][a-zA-Z0-9]*)")
ATTRIBUTE_NAME = re.compile(rf"[^{_W}/=\"'>]+")
