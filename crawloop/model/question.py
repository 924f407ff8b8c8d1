"""What a model is asked, and what it said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Question:
    """`prompt` names the prompt file and its version, `form` is the JSON schema that the answer is to have."""

    system: str
    user: str
    model: str
    prompt: str = ""
    form: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """An answer; `key` is that of the ledger, "" where no ledger keeps it."""

    text: str
    key: str = ""
