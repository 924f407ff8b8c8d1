"""What readers of a page do not see, as far as its own markup says so: such text is not shown to models.

Decided by an element's own attributes. What a stylesheet or a script hides is not known here; `aria-hidden` is shown,
for it hides from screen readers alone.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from crawloop.extract.dom.nodes import hides_itself

_DECLARATION = re.compile(r"([\w-]+)\s*:\s*([^;]*)")
_LENGTH = re.compile(r"(-?\d*\.?\d+)(px|em|rem|ex|ch|pt|vw|vh|%|)(?![\w.])")
_NO_AREA = re.compile(
    r"rect\((?:[01](?:px)?[\s,]*){4}\)|inset\((?:[5-9]\d|100)(?:\.\d+)?%\)|circle\(0[^.\d]|scale[xy]?\(0(?![.\d])"
)
_AWAY = 999  # pixels beyond an edge; a smaller step is layout
_UNREADABLE = 2  # pixels of a letter
_FAINT = 0.05
_EDGES = ("left", "right", "top", "bottom")
_COLOURS = {"white": "#ffffff", "black": "#000000", "rgb(255,255,255)": "#ffffff", "rgb(0,0,0)": "#000000"}
_TRANSPARENT = ("transparent", "#0000", "#00000000")
# One joiner alone is spelling in some scripts, and a break of lines and a tab are layout.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|[\u200c\u200d]{2,}"
)


def without_invisible(text: str) -> str:
    """The text without signs that nobody sees: of no width, of another direction, tags, variants of a sign."""
    return _INVISIBLE.sub("", text)


def is_unseen(node: LexborNode) -> bool:
    """Whether an element says of itself, in words or by a trick of style, that readers see nothing of what it holds."""
    attributes = node.attributes
    if hides_itself(node) or (node.tag == "input" and (attributes.get("type") or "").lower() == "hidden"):
        return True
    style = attributes.get("style") or ""
    return bool(style) and _hides({name: value.strip() for name, value in _DECLARATION.findall(style.lower())})


def _hides(style: dict[str, str]) -> bool:
    return (
        style.get("visibility", "").startswith("collapse")
        or _is_below(style.get("opacity"), _FAINT)
        or _is_below(style.get("font-size"), _UNREADABLE)
        or _is_away(style)
        or _has_no_area(style)
        or _has_no_contrast(style)
    )


def _is_below(said: str | None, bound: float) -> bool:
    """Whether a length, or a plain number, is at most so much; relative ones are so where they are nothing."""
    found = _LENGTH.match(said or "")
    return found is not None and float(found[1]) <= (bound if found[2] in ("px", "pt", "") else 0)


def _is_away(style: dict[str, str]) -> bool:
    """Whether an element, or its text, stands far outside of the window."""
    places = [style.get("text-indent"), style.get("margin-left"), style.get("margin-top"), style.get("transform")]
    if style.get("position", "").startswith(("absolute", "fixed")):
        places += [style.get(edge) for edge in _EDGES]
    return any(_steps_away(one) for one in places if one)


def _steps_away(said: str) -> bool:
    scale = {"em": 16, "rem": 16, "vw": 5, "vh": 5, "%": 5}
    lengths = ((float(number), scale.get(unit, 1)) for number, unit in _LENGTH.findall(said))
    return any(number * factor <= -_AWAY for number, factor in lengths)


def _has_no_area(style: dict[str, str]) -> bool:
    if any(_NO_AREA.match(style.get(name, "")) for name in ("clip", "clip-path", "transform")):
        return True
    cut = style.get("overflow", "").startswith(("hidden", "clip"))
    sides = ("width", "height", "max-width", "max-height")
    return cut and any(_is_below(style.get(side), 1) for side in sides)


def _has_no_contrast(style: dict[str, str]) -> bool:
    """Whether letters have the colour of what they stand on, where the element itself says both."""
    letters = _colour(style.get("color", ""))
    ground = _colour(style.get("background-color") or style.get("background") or "")
    return letters in _TRANSPARENT or (bool(letters) and letters == ground)


def _colour(said: str) -> str:
    """One spelling of a colour."""
    said = "".join(said.replace("!important", "").split())
    said = _COLOURS.get(said, said)
    return "#" + "".join(2 * one for one in said[1:]) if re.fullmatch(r"#[0-9a-f]{3}", said) else said
