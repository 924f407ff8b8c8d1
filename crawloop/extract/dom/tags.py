"""Kinds of elements: by how they are shown, and by how their tags open and end others as the HTML standard has it."""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Elements that start a line of their own, those that strike their text out, and those of which nothing is shown.
BLOCKS = _names(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre "
    "search section select summary table tbody td tfoot th thead tr ul"
)
STRUCK = _names("s del strike")
MARKS = _names("a b cite em h1 h2 h3 h4 h5 h6 i strong u")  # what makes a text stand out, or lead elsewhere
UNSHOWN = _names("audio canvas datalist head iframe noembed noframes noscript script style svg template video xmp")

# The attributes in which a <meta> names its key, and those in which it says the value: by the book, and by custom.
META_KEYS = ("property", "name")
META_SAYS = ("content", "value")

FORMATTING = _names("b big code em font i s small strike strong tt u")
# Void elements, and those that the parser makes once.
FLAT = _names(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr "
    "html head body frameset"
)
# Formatting of which only one is open at a time.
ALONE = frozenset(("a", "nobr"))
BARRIERS = _names("table td th caption marquee object applet template select")
TABLE = frozenset(("table",))
TABLE_BARRIERS = frozenset(("template",))
ROWS = _names("tr tbody thead tfoot colgroup")
CELLS = _names("td th caption")
CELL_BARRIERS = TABLE_BARRIERS | TABLE
LIST_BARRIERS = BARRIERS | {"ol", "ul"}
# Elements whose end tag reaches across all that is no barrier.
REACHING = _names(
    "address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer header "
    "hgroup listing main menu nav ol pre search section summary ul h1 h2 h3 h4 h5 h6 applet marquee object p "
    "li dd dt"
)
# Elements across which no other end tag reaches.
SPECIAL = BARRIERS | REACHING | _names("form iframe noembed noframes noscript style textarea xmp")
PARAGRAPH = frozenset(("p",))
PARAGRAPH_BARRIERS = BARRIERS | {"button"}
ENDS_PARAGRAPH = (REACHING - {"button", "applet", "marquee", "object"}) | {"form", "table", "hr", "xmp"}
SHOWS_NO_FORMAT = (REACHING - {"applet", "marquee", "object", "button"}) | _names("form table hr rb rt rp rtc template")
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
ITEMS = {"li": frozenset(("li",)), "dd": frozenset(("dd", "dt")), "dt": frozenset(("dd", "dt"))}
ITEM_BARRIERS = {name: SPECIAL - {"address", "div", "p"} - own for name, own in ITEMS.items()}
# Elements of svg and math that hold HTML again.
INTEGRATION = {
    "svg": frozenset(("foreignobject", "desc", "title")),
    "math": frozenset(("mi", "mo", "mn", "ms", "mtext", "annotation-xml")),
}
# HTML start tags that end foreign content.
BREAKOUT = FORMATTING | _names(
    "blockquote body br center dd div dl dt embed h1 h2 h3 h4 h5 h6 head hr img li listing menu meta nobr ol p pre "
    "ruby span sub sup table ul var"
)
# Start tags that may end what is open.
ENDING = ENDS_PARAGRAPH | ALONE | HEADINGS | {"option", "button"}
# Start tags that do more than to open an element, or to end a paragraph before it.
BUSY = FORMATTING | ALONE | HEADINGS | CELLS | ROWS | frozenset(ITEMS) | frozenset(INTEGRATION)
BUSY |= {"", "button", "form", "frameset", "option", "table"}
