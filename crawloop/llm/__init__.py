"""Models: how they are asked, what is kept of their answers, and what they may cost."""

from crawloop.llm.cassette import RecordingCompleter, ReplayCompleter, request_key
from crawloop.llm.litellm import LiteLLMCompleter
from crawloop.llm.metering import Call, Metered
from crawloop.llm.pricing import Price, PricedCompleter, Reply
from crawloop.llm.scripted import Asked, ScriptedCompleter

__all__ = [
    "Asked",
    "Call",
    "LiteLLMCompleter",
    "Metered",
    "Price",
    "PricedCompleter",
    "RecordingCompleter",
    "ReplayCompleter",
    "Reply",
    "ScriptedCompleter",
    "request_key",
]
