"""Bytes become text as in a browser."""

import pytest

from crawloop.crawl.charset import decode


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        (b"\xef\xbb\xbf<p>\xc3\xa4", "text/html; charset=iso-8859-1", "<p>ä"),
        (b"<meta charset=utf-8>\xe4", "text/html; charset=iso-8859-1", "<meta charset=utf-8>ä"),
        (b"<meta charset=windows-1251>\xe4", "text/html", "<meta charset=windows-1251>д"),
        ("<p>“ä”".encode(), "text/html", "<p>“ä”"),
        (b"<p>\x93\xe4\x94", None, "<p>“ä”"),
        (b"<p>\x80 5", "text/html; charset=latin1", "<p>€ 5"),
        ("<meta charset=utf-16><p>ä".encode(), "text/html", "<meta charset=utf-16><p>ä"),
        ("﻿<p>ä".encode("utf-16-le"), "text/html", "<p>ä"),
        ("<meta charset=hex><p>ä".encode(), "text/html", "<meta charset=hex><p>ä"),
        (b"<meta charset=nonsense><p>\xe4", "", "<meta charset=nonsense><p>ä"),
        ("<p>ä".encode(), "text/html; charset=undefined", "<p>ä"),
        ("<p>ä".encode(), "text/html; charset=idna", "<p>ä"),
        ("<p>ä".encode(), "text/html; charset=punycode", "<p>ä"),
        (b"<p>\\u003cb", "text/html; charset=unicode_escape", "<p>\\u003cb"),
        (b"<meta charset=windows-1251>\xe4", "text/html; charset=cp037", "<meta charset=windows-1251>д"),
        ("<p>ä".encode(), "text/html; charset=utf-32", "<p>ä"),
        (b"+ADw-b+AD4-", "text/html; charset=utf-7", "+ADw-b+AD4-"),
        ("<p>価格".encode("cp932"), "text/html; charset=Shift_JIS", "<p>価格"),
        (b"", "text/html", ""),
    ],
)
def test_as_browsers_decide(body: bytes, content_type: str | None, text: str) -> None:
    assert decode(body, content_type) == text
