"""Every protocol: what the loop needs from the world, and what each part promises it.

Implementations say what they are (`SqlStore`, `LiteLLMCompleter`); one contract suite per protocol runs over all.
"""

from __future__ import annotations

from crawloop.contract.parts import (
    Accountable,
    Arbiter,
    Brief,
    Case,
    Clock,
    Completer,
    Dispute,
    FetchContext,
    Fetcher,
    Gate,
    Ledger,
    Observer,
    Sandbox,
    Source,
    Strategy,
    Witness,
)
from crawloop.contract.store import Answer, Entry, Known, Store

__all__ = [
    "Accountable",
    "Answer",
    "Arbiter",
    "Brief",
    "Case",
    "Clock",
    "Completer",
    "Dispute",
    "Entry",
    "FetchContext",
    "Fetcher",
    "Gate",
    "Known",
    "Ledger",
    "Observer",
    "Sandbox",
    "Source",
    "Store",
    "Strategy",
    "Witness",
]
