"""The text of a page's bytes, decided as browsers decide it.

In order: byte order mark, the header's charset, the page's own `<meta>`, then UTF-8 where the bytes are valid UTF-8,
else windows-1252. A name that is no charset of the web's is no name, though Python may have a codec for it.
"""

from __future__ import annotations

import re

from w3lib.encoding import html_to_unicode, http_content_type_encoding, read_bom

_WIDE_META = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*utf-?(?:16|32)""", re.IGNORECASE)
_OF_THE_WEB = re.compile(
    r"utf-8|utf-16(?:-[lb]e)?|cp125[0-8]|iso8859-(?:[2-8]|1[03-6])|cp8(?:66|74)|koi8-[ru]|mac-(?:roman|cyrillic)"
    r"|gb18030|big5hkscs|euc_jp|iso2022_jp|cp932|cp949"
)


def decode(body: bytes, content_type: str | None) -> str:
    """Never raises: bytes that do not fit the charset become U+FFFD."""
    if _claims_wide(body, content_type):
        # A <meta> that could be read as ASCII proves that the page is not UTF-16, whatever it says.
        content_type = "text/html; charset=utf-8"
    for said in (content_type, None):  # None: the header's name was none, so the page's own word counts
        try:
            charset, text = html_to_unicode(said, body, auto_detect_fun=_sniff)
        except (LookupError, UnicodeError):  # it names a codec that makes no text, such as "hex", or fails, as "idna"
            continue
        if _OF_THE_WEB.fullmatch(charset):
            return str(text)
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
