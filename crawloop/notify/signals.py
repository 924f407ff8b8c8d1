"""All signals of a command as one Observer: the log, the figures, the messages, as the rules say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType

from crawloop.contract import Observer
from crawloop.errors import UserError
from crawloop.model.events import Event
from crawloop.model.policy import NotifyRules
from crawloop.notify.channels import Channel, Slack, Webhook
from crawloop.notify.log import EventLog
from crawloop.notify.messages import message
from crawloop.notify.metrics import Metrics
from crawloop.notify.outbox import Outbox


class Signals:
    """`with Signals(rules, warn) as observe:`; `others` are told of each event too.

    `rules` hold secrets as such, and paths that are whole. A place that cannot be used is warned of, and done without:
    nothing here fails a command. `metrics` is the URL of the figures while they are served.
    """

    def __init__(self, rules: NotifyRules, warn: Callable[[str], None], *others: Observer) -> None:
        self._rules = rules
        self._warn = warn
        self._observers: list[Observer] = list(others)
        self._open = ExitStack()
        self.metrics: str | None = None

    def __enter__(self) -> Signals:
        with ExitStack() as opened:
            self._start(opened)
            self._open = opened.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._open.close()

    def __call__(self, event: Event) -> None:
        for observe in self._observers:
            observe(event)

    def _start(self, opened: ExitStack) -> None:
        """What is begun first ends last: messages that are delivered at the very end are counted too."""
        rules = self._rules
        with self._warned():
            if rules.log:
                log = EventLog(rules.log, self._warn)
                opened.callback(log.close)
                self._observers.append(log)
        figures = Metrics() if rules.metrics or rules.textfile else None
        if figures is not None:
            self._observers.append(figures)
            with self._warned():
                if rules.metrics:
                    self.metrics = opened.enter_context(figures.served(rules.metrics))
            if rules.textfile:
                opened.callback(self._write, figures, Path(rules.textfile))
        channels = _channels(rules)
        if channels:
            count = figures.sent if figures is not None else _uncounted
            outbox = Outbox(channels, self._warn, count, timeout=rules.timeout, retries=rules.retries)
            opened.callback(outbox.close)
            self._observers.append(lambda event: _send(outbox, event))

    def _write(self, figures: Metrics, file: Path) -> None:
        with self._warned():
            figures.write(file)

    @contextmanager
    def _warned(self) -> Iterator[None]:
        """That nobody is told of a command is no reason to fail it."""
        try:
            yield
        except UserError as why:
            self._warn(str(why))


def _channels(rules: NotifyRules) -> list[Channel]:
    found: list[Channel] = []
    if rules.webhook:
        found.append(Webhook(rules.webhook, rules.key))
    if rules.slack:
        found.append(Slack(rules.slack))
    return found


def _send(outbox: Outbox, event: Event) -> None:
    told = message(event)
    if told is not None:
        outbox.send(told)


def _uncounted(channel: str, outcome: str) -> None:
    """Nobody asked for figures."""
