"""Every knob of a run, of fetching, of the archive, of the sandbox and of signals, validated once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from crawloop.errors import ConfigError

LARGEST_PAGE = 20_000_000  # in bytes; what the parser is given at most
LAYERS = ("namespaces", "user id", "capabilities", "landlock", "system calls")  # what may stand around a program
LEAST_MEMORY, MOST_MEMORY = 128, 1 << 20  # of a program's process, in megabytes
_HOST = re.compile(r"(?:\[[0-9a-fA-F:.]+\]|[^\s/@:\[\]?#*]+)(?::\d{1,5})?")
_PROXY = re.compile(r"env:\w+|https?://(?:[^\s/@]*@)?(?:\[[0-9a-fA-F:.]+\]|[^\s/@:]+)(?::\d{1,5})?/?")
DEFAULT_MODEL = "openai/gpt-4.1-mini"


@dataclass(frozen=True, slots=True)
class Budget:
    """Hard bounds on one run; `family_dollars` and `month_dollars` on what one family, and all, cost in a calendar
    month. None means no bound."""

    dollars: float | None = None
    calls: int | None = None
    seconds: float | None = None
    family_dollars: float | None = None
    month_dollars: float | None = None

    def __post_init__(self) -> None:
        for name in ("dollars", "calls", "seconds", "family_dollars", "month_dollars"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise ConfigError(f"policy.budget.{name} is {value}: use 0 or more, or leave it out for no bound")

    @property
    def bounds_cost(self) -> bool:
        """Whether there is an end to what may be paid."""
        return self.dollars is not None or self.calls is not None


@dataclass(frozen=True, slots=True)
class Policy:
    """How a run is made. `models` go from cheap to strong; none means that no model is asked."""

    models: tuple[str, ...] = ()
    candidates: int = 2
    max_rounds: int = 3
    samples: int = 5
    min_oracles: int = 3
    agreement_bar: float = 0.98
    deadline: float = 5.0
    cooldown_hours: float = 24.0
    budget: Budget = Budget()

    def __post_init__(self) -> None:
        for name, low in (("candidates", 1), ("max_rounds", 1), ("samples", 1), ("min_oracles", 1)):
            if getattr(self, name) < low:
                raise ConfigError(f"policy.{name} is {getattr(self, name)}: use {low} or more")
        if not 0 < self.agreement_bar <= 1:
            raise ConfigError(f"policy.agreement_bar is {self.agreement_bar}: use a share above 0 and at most 1")
        if self.deadline <= 0:
            raise ConfigError(f"policy.deadline is {self.deadline}: use seconds above 0")
        if self.min_oracles > self.samples:
            raise ConfigError(
                f"policy.min_oracles is {self.min_oracles} but policy.samples is {self.samples}: "
                "lower min_oracles or raise samples"
            )

    def evolve(self, **changes: Any) -> Policy:
        """A copy with `changes`, validated again."""
        return replace(self, **changes)


@dataclass(frozen=True, slots=True)
class FetchRules:
    """How politely pages are fetched, and from where. Times are in seconds, `max_bytes` counts the decompressed body.

    `per_host` and `rate`, in requests a second, are for one host. `timeout` bounds each wait for the server, `deadline`
    the whole page with its retries and redirects. `hosts` may be asked besides those of the URLs that were asked for.
    """

    per_host: int = 2
    at_once: int = 16
    rate: float | None = None
    robots: bool = True
    hosts: tuple[str, ...] = ()
    proxy: str | None = field(default=None, repr=False)
    timeout: float = 20.0
    deadline: float = 90.0
    retries: int = 3
    pause: float = 0.5
    redirects: int = 10
    max_bytes: int = LARGEST_PAGE
    cache_mb: int = 200
    user_agent: str = "crawloop/0.1 (+https://pypi.org/project/crawloop-extract/)"

    def __post_init__(self) -> None:
        lows = (("per_host", 1), ("at_once", 1), ("retries", 0), ("redirects", 0), ("max_bytes", 1), ("cache_mb", 0))
        for name, low in lows:
            if getattr(self, name) < low:
                raise ConfigError(f"fetch.{name} is {getattr(self, name)}: use {low} or more")
        if self.max_bytes > LARGEST_PAGE:
            raise ConfigError(
                f"fetch.max_bytes is {self.max_bytes}: use at most {LARGEST_PAGE}, larger pages are not parsed"
            )
        for name in ("timeout", "deadline"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"fetch.{name} is {getattr(self, name)}: use seconds above 0")
        if self.rate is not None and self.rate <= 0:
            raise ConfigError(f"fetch.rate is {self.rate}: use requests a second above 0, or leave it out")
        for host in self.hosts:
            if not _HOST.fullmatch(host):
                raise ConfigError(
                    f'fetch.hosts names {host!r}: use names alone, as in ["cdn.shop.example", "[::1]:8080"]'
                )
        if self.proxy is not None and not _PROXY.fullmatch(self.proxy):  # it is not shown: it may hold a password
            remedy = 'write "http://user:password@host:8080", or "env:NAME" for a variable that holds it'
            raise ConfigError(f"fetch.proxy is no proxy that can be used: {remedy}")


@dataclass(frozen=True, slots=True)
class ArchiveRules:
    """How many megabytes of pages are kept of each family, so that its runs can be replayed; 0 keeps none."""

    max_mb: int = 100

    def __post_init__(self) -> None:
        if self.max_mb < 0:
            raise ConfigError(f"archive.max_mb is {self.max_mb}: use megabytes, or 0 to keep no pages")


@dataclass(frozen=True, slots=True)
class RenderRules:
    """Which families' pages are rendered, by which browser, and how many at once. `deadline` is in seconds a page."""

    families: tuple[str, ...] = ()
    browser: str | None = None
    at_once: int = 2
    deadline: float = 30.0

    def __post_init__(self) -> None:
        if self.at_once < 1:
            raise ConfigError(f"render.at_once is {self.at_once}: use 1 or more")
        if self.deadline <= 0:
            raise ConfigError(f"render.deadline is {self.deadline}: use seconds above 0")


@dataclass(frozen=True, slots=True)
class SandboxRules:
    """Which layers must hold before a program is run, and how many megabytes of address space its process has."""

    require: tuple[str, ...] = ("system calls",)
    memory: int = 512

    def __post_init__(self) -> None:
        for name in self.require:
            if name not in LAYERS:
                raise ConfigError(f"sandbox.require names {name!r}: there are {', '.join(LAYERS)}")
        if not LEAST_MEMORY <= self.memory <= MOST_MEMORY:
            raise ConfigError(f"sandbox.memory is {self.memory}: use {LEAST_MEMORY} to {MOST_MEMORY} megabytes")


@dataclass(frozen=True, slots=True)
class NotifyRules:
    """Who is told of what happens. `webhook`, `key` and `slack` are secrets, or "env:NAME" for a variable that has one.

    `log` is a file, or "stderr"; `metrics` an address, as in "127.0.0.1:9464"; `textfile` a file for node_exporter.
    `timeout` is in seconds for one attempt, `retries` are attempts after the first.
    """

    log: str | None = None
    metrics: str | None = None
    textfile: str | None = None
    webhook: str | None = field(default=None, repr=False)
    key: str | None = field(default=None, repr=False)
    slack: str | None = field(default=None, repr=False)
    timeout: float = 5.0
    retries: int = 2

    def __post_init__(self) -> None:
        for name in ("webhook", "slack"):
            value = getattr(self, name)
            if value is not None and not value.startswith(("http://", "https://", "env:")):
                raise ConfigError(
                    f'notify.{name} is no URL: write it whole, or "env:NAME" for a variable that holds it'
                )
        if self.metrics is not None and address(self.metrics) is None:
            raise ConfigError(f"notify.metrics is {self.metrics!r}: use an address and a port, as in 127.0.0.1:9464")
        if self.key is not None and self.webhook is None:
            raise ConfigError("notify.key signs what is sent to notify.webhook, which is not set")
        if self.timeout <= 0:
            raise ConfigError(f"notify.timeout is {self.timeout}: use seconds above 0")
        if self.retries < 0:
            raise ConfigError(f"notify.retries is {self.retries}: use 0 or more")


def address(text: str) -> tuple[str, int] | None:
    """(host, port) of "127.0.0.1:9464" or "[::1]:9464"; None where it is no such thing."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        return None
    return host.removeprefix("[").removesuffix("]"), int(port)
