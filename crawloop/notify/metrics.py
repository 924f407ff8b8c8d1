"""Figures for Prometheus, in a registry of their own: served while a command runs, or written at its end."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from crawloop.errors import ConfigError, UserError
from crawloop.model.events import (
    DriftNoticed,
    Event,
    FamilyEscalated,
    ModelCalled,
    PageFetched,
    PageServed,
    VersionKept,
    VersionPromoted,
)
from crawloop.model.policy import address

_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 90.0)


class Metrics:
    """An Observer that counts."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        own = CollectorRegistry()
        self._registry = own
        self._known: set[tuple[str, int, str]] = set()
        self._pages = Counter("crawloop_pages", "Pages by how they fared.", ["family", "status"], registry=own)
        self._fetched = Histogram(
            "crawloop_fetch_seconds", "Fetching a page.", ["family"], registry=own, buckets=_SECONDS
        )
        self._drifts = Counter("crawloop_drifts", "Causes of drift, each told once.", ["family"], registry=own)
        self._regens = Counter("crawloop_regens", "Regenerations.", ["family", "outcome"], registry=own)
        self._calls = Counter("crawloop_model_calls", "Paid calls of models.", ["family", "purpose"], registry=own)
        self._dollars = Counter("crawloop_model_dollars", "Paid for models.", ["family"], registry=own)
        self._unpriced = Counter("crawloop_model_calls_unpriced", "Calls of no known price.", ["family"], registry=own)
        self._messages = Counter("crawloop_messages", "Messages sent.", ["channel", "outcome"], registry=own)
        self._ended = Gauge("crawloop_ended_timestamp_seconds", "When the command ended.", registry=own)

    def __call__(self, event: Event) -> None:
        match event:
            case PageServed(status=status):
                self._pages.labels(event.family, status).inc()
            case PageFetched(seconds=seconds):
                self._fetched.labels(event.family).observe(seconds)
            case DriftNoticed(run="", version=version, causes=causes):
                self._drifted(event.family, version, causes)
            case VersionPromoted():
                self._regens.labels(event.family, "promoted").inc()
            case VersionKept():
                self._regens.labels(event.family, "kept").inc()
            case FamilyEscalated():
                self._regens.labels(event.family, "escalated").inc()
            case ModelCalled(cached=False):
                self._paid(event)

    def _drifted(self, family: str, version: int, causes: Iterable[str]) -> None:
        """Counts each cause when it is first told: one page may show several, and some that others showed before."""
        new = {(family, version, cause) for cause in causes} - self._known
        self._known |= new
        self._drifts.labels(family).inc(len(new))

    def _paid(self, call: ModelCalled) -> None:
        self._calls.labels(call.family, call.purpose).inc()
        if call.dollars is None:
            self._unpriced.labels(call.family).inc()
        else:
            self._dollars.labels(call.family).inc(call.dollars)

    def sent(self, channel: str, outcome: str) -> None:
        """Counts what became of a message."""
        self._messages.labels(channel, outcome).inc()

    @contextmanager
    def served(self, at: str) -> Iterator[str]:
        """Serves /metrics at "host:port" within the block, and gives its URL. Raises ConfigError where it cannot."""
        from prometheus_client import start_http_server

        where = address(at)
        if where is None:
            raise ConfigError(f"notify.metrics is {at!r}: use an address and a port, as in 127.0.0.1:9464")
        host, port = where
        try:
            server, thread = start_http_server(port, host, self._registry)
        except OSError as error:
            raise ConfigError(f"metrics cannot be served at {at} ({error.strerror}): choose another port") from error
        try:
            yield f"http://{host}:{server.server_port}/metrics"
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def write(self, file: Path) -> None:
        """Writes the figures, whole or not at all. Raises UserError where the file cannot be written."""
        from prometheus_client import write_to_textfile

        self._ended.set(time.time())
        try:
            write_to_textfile(str(file), self._registry)
        except OSError as error:
            raise UserError(f"notify.textfile: {file}: cannot be written ({error.strerror})") from error
