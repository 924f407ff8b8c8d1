"""Signals: what people and machines outside are told while a command runs, and how."""

from crawloop.notify.messages import Message, message
from crawloop.notify.outbox import Outbox
from crawloop.notify.signals import Signals

__all__ = ["Message", "Outbox", "Signals", "message"]
