"""The text of a page's bytes, decided as browsers decide it.

In order: byte order mark, the header's charset, the page's own `<meta>`, then UTF-8 where the bytes are valid UTF-8,
else windows-1252.
"""

from __future__ import annotations

import re

from w3lib.encoding import html_to_unicode, http_content_type_encoding, read_bom

_WIDE_META = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*utf-?(?:16|32)""", re.IGNORECASE)


def decode(body: bytes, content_type: str | None) -> str:
    """Never raises: bytes that do not fit the charset become U+FFFD."""
    if _claims_wide(body, content_type):
        # A <meta> that could be read as ASCII proves that the page is not UTF-16, whatever it says.
        content_type = "text/html; charset=utf-8"
    try:
        return str(html_to_unicode(content_type, body, auto_detect_fun=_sniff)[1])
    except (LookupError, UnicodeError):  # it names a codec of Python's that is no charset, such as "hex" or "idna"
        return body.decode(_sniff(body), "replace")


def _claims_wide(body: bytes, content_type: str | None) -> bool:
    if read_bom(body)[0] or http_content_type_encoding(content_type):
        return False
    return _WIDE_META.search(body[:4096]) is not None


def _sniff(body: bytes) -> str:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
