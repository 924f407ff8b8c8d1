"""Moments, and how long somebody asks to wait."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from crawloop.model import moment


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("12", 12.0),
        ("Sat, 31 Jan 2026 12:00:30 GMT", 30.0),
        ("Sat, 31 Jan 2026 11:00:00 GMT", 0.0),
        ("1.5", 1.5),
        ("-3", 0.0),
        ("inf", None),
        ("soon", None),
        ("\xb2", None),
        ("Mon, 01 Jan 99999999999 00:00:00 GMT", None),
    ],
)
def test_retry_after_in_both_forms(header: str | None, seconds: float | None) -> None:
    assert moment.retry_after(header, datetime(2026, 1, 31, 12, tzinfo=UTC)) == seconds
