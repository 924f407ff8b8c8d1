"""What a provider's failure means: whether asking again is of use, and what is told of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime

from crawloop.model import moment

LONGEST_WAIT = 60.0
_RETRIED = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
# A 429 that no waiting mends.
_NO_CREDIT = ("insufficient_quota", "credit balance", "billing")
# What a server says that does not know answers of a given form.
_FORM_UNKNOWN = ("response_format", "json_schema", "structured output", "grammar")
# What a provider says that does not pass a question on to its model.
_REFUSED = ("content_policy_violation", "contentpolicyviolation", "content_filter")
# The provider said no, or was not reached: nothing is paid. Names of httpx, which every transport of litellm raises.
_UNPAID = frozenset(("HTTPStatusError", "ConnectError"))
_SHORTEST_KEY = 8


def wait(error: Exception, attempt: int) -> float | None:
    """Seconds until the next attempt; None where another one is of no use.

    An answer that was lost on its way may have been paid for, so its question is put once more and not again.
    """
    if is_lost(error):
        return 0.0 if attempt == 1 else None
    if _status(error) not in _RETRIED or _says(error, _NO_CREDIT):
        return None
    asked = _retry_after(error)
    seconds = asked if asked is not None else float(2 ** (attempt - 1))
    return seconds if seconds <= LONGEST_WAIT else None


def is_lost(error: Exception) -> bool:
    """Whether the question was sent and its answer did not come, or not whole: it hung, or the connection broke."""
    if isinstance(error, TimeoutError):
        return True
    kinds = {kind.__name__ for one in _causes(error) for kind in type(one).__mro__}
    return _status(error) in _RETRIED and not kinds & _UNPAID


def is_refusal(error: Exception) -> bool:
    """Whether the provider found fault with what was asked, before any model answered."""
    return _status(error) == 400 and _says(error, _REFUSED)


def is_of_form(error: Exception) -> bool:
    """Whether the question was refused for the form that its answer was to have."""
    return _status(error) in (400, 422) and _says(error, _FORM_UNKNOWN)


def told(error: Exception, model: str, attempt: int) -> str:
    """The provider's error in one line, without the keys that some providers repeat."""
    if isinstance(error, TimeoutError) or _status(error) == 408:
        return f"{model} did not answer in time (models.timeout); asked {attempt} times"
    body = getattr(error, "body", None)
    message = " ".join(str(body.get("message") if isinstance(body, dict) else error).split())
    lost = "the answer did not come whole: " if is_lost(error) else ""
    status = "" if lost or not _status(error) else f" ({_status(error)})"
    asked = _retry_after(error)
    later = f"; it asks to wait {asked:.0f} s" if asked is not None and asked > LONGEST_WAIT else ""
    return f"{model}: {lost}{_keyless(message)[:300]}{status}; asked {attempt} times{later}"


def _keyless(message: str) -> str:
    for name, value in os.environ.items():
        if name.endswith(("_KEY", "_TOKEN", "_SECRET")) and len(value) >= _SHORTEST_KEY:
            message = message.replace(value, "…")
    return message


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _status(error: Exception) -> int | None:
    return getattr(error, "status_code", None)


def _says(error: Exception, marks: tuple[str, ...]) -> bool:
    said = f"{error} {getattr(error, 'body', '')}".lower()
    return any(mark in said for mark in marks)


def _retry_after(error: Exception) -> float | None:
    """Seconds that the provider asks to wait, from a number or a date."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    return moment.retry_after(headers.get("retry-after"), datetime.now(UTC))
