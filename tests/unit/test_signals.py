"""Signals: which events are told outside, what is said, and what is never said."""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
import threading
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

import pytest

from crawloop.config import reachable, read_settings, revealed
from crawloop.errors import ConfigError
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
from crawloop.model.policy import NotifyRules
from crawloop.notify import Outbox, Signals, message
from crawloop.notify.channels import Slack, Webhook
from crawloop.notify.messages import Message
from tests.fakes.receiver import receiver

OF = "shop.example/product", "2026-01-01T00:00:00Z"
DRIFT = DriftNoticed(*OF, "", 3, "https://shop.example/p/1", ("price: is gone: it was 9.5",), ("price: gone",))
HEALED = VersionPromoted(*OF, "run", 4, "dom", {"cost": {"calls": 0}, "residual": ["badge"], "pages": ["much"]})
ESCALATED = FamilyEscalated(*OF, "run", "no samples", {"pages": ["much"]})


def nothing(channel: str, outcome: str) -> None:
    return None


def test_a_message_says_what_happened_and_what_to_do() -> None:
    said = [message(one) for one in (DRIFT, HEALED, ESCALATED, VersionKept(*OF, "run", 4, "dom"))]
    assert [one.kind for one in said if one] == ["drift", "heal", "escalation", "heal"]
    texts = [one.text for one in said if one]
    assert texts[0].endswith("version 3 does not fit https://shop.example/p/1\nprice: is gone: it was 9.5")
    assert "version 4, by dom, serves" in texts[1]
    assert "crawloop audit shop.example/product --escalated" in texts[2]
    assert "was kept" in texts[3]
    assert said[1] is not None
    assert said[1].facts["residual"] == ["badge"]
    assert "much" not in json.dumps([one.body() for one in said if one])


@pytest.mark.parametrize(
    "event",
    [
        VersionPromoted(*OF, "run", 1, "dom"),
        DriftNoticed(*OF, "run", 3, "https://shop.example/p/1", ()),
        PageServed(*OF, "", "https://shop.example/p/1", "drift"),
    ],
    ids=["a first version", "a drift that a run finds", "a page"],
)
def test_nobody_is_told_of_what_is_no_news(event: Event) -> None:
    assert message(event) is None


def test_what_a_page_says_is_cut_and_put_on_one_line() -> None:
    long = DriftNoticed(*OF, "", 3, "https://shop.example/p/1", tuple(f"title: {'x' * 999}\n{n}" for n in range(9)))
    said = message(long)
    assert said
    lines = said.text.splitlines()
    assert len(lines) == 7
    assert lines[-1] == "and 4 more"
    assert max(map(len, lines)) <= 400


def test_the_signature_is_over_the_moment_and_the_very_body() -> None:
    post = Webhook("https://ops.example/hook", "a key").post(Message("drift", *OF, "text – und Ümlaut"), 1_700_000_000)
    right = hmac.new(b"a key", b"1700000000." + post.body, hashlib.sha256).hexdigest()
    assert post.headers["X-Crawloop-Signature"] == f"sha256={right}"
    assert post.headers["X-Crawloop-Timestamp"] == "1700000000"
    assert "X-Crawloop-Signature" not in Webhook("https://ops.example/hook").post(Message("drift", *OF, ""), 1).headers


def test_in_slack_a_page_can_call_nobody() -> None:
    body = json.loads(Slack("https://slack.example").post(Message("drift", *OF, "<!channel> & <http://x|y>"), 1).body)
    assert body["text"] == "&lt;!channel&gt; &amp; &lt;http://x|y&gt;"


def test_a_receiver_that_is_down_for_a_moment_is_asked_again_with_the_same_id() -> None:
    warnings: list[str] = []
    with receiver(lambda before: 503 if before == 0 else 204) as there:
        out = Outbox([Webhook(there.url)], warnings.append, nothing)
        out.send(Message("drift", *OF, "text"))
        out.close()
    assert warnings == []
    assert len({json.loads(body)["id"] for _, _, body in there.took}) == 1
    assert len(there.took) == 2


@pytest.mark.parametrize("status", [404, 302])
def test_what_is_refused_is_warned_of_without_the_secret_url_and_never_followed(status: int) -> None:
    warnings: list[str] = []
    outcomes: list[tuple[str, str]] = []
    with receiver(lambda before: status) as there:
        out = Outbox([Webhook(f"{there.url}/secret")], warnings.append, lambda *pair: outcomes.append(pair))
        out.send(Message("drift", *OF, "shop drifted\nmore"))
        out.close()
    assert warnings == [f"webhook: not delivered (HTTP {status}): shop drifted"]
    assert outcomes == [("webhook", "failed")]
    assert len(there.took) == 1


def test_nobody_listening_fails_nothing_and_says_no_secret() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/secret"
    warnings: list[str] = []
    out = Outbox([Slack(url)], warnings.append, nothing, retries=0)
    out.send(Message("drift", *OF, "shop drifted"))
    out.close()
    assert warnings == ["slack: not delivered (ConnectError): shop drifted"]


def test_a_receiver_that_hangs_keeps_nobody_waiting() -> None:
    """The sender is stopped in its first answer until the end: whoever sends goes on, and what waits is dropped."""
    going_on = threading.Event()
    warnings: list[str] = []

    def hang(before: int) -> int:
        going_on.wait(20)
        return 200

    with receiver(hang) as there:
        out = Outbox([Webhook(there.url)], warnings.append, nothing)
        for n in range(205):
            out.send(Message("drift", *OF, f"message {n}"))
        out.close(grace=0.05)
        going_on.set()
    assert len(there.took) <= 2
    assert all("too many waited" in one for one in warnings)
    assert len(warnings) >= 200


def test_figures_are_served_by_family_and_status_and_written_at_the_end(tmp_path: Path) -> None:
    file = tmp_path / "crawloop.prom"
    rules = NotifyRules(metrics="127.0.0.1:0", textfile=str(file))
    with Signals(rules, print) as observe:
        for event in (
            PageFetched(*OF, "", "https://shop.example/p/1", 200, 0.2),
            PageServed(*OF, "", "https://shop.example/p/1", "ok"),
            PageServed(*OF, "", "https://shop.example/p/2", "ok"),
            DRIFT,
            replace(DRIFT, url="https://shop.example/p/2", causes=("price: gone", "title: missing", "title: repeated")),
            HEALED,
            ModelCalled(*OF, "run", "oracle", "m", 1.0, 0.25, cached=False),
            ModelCalled(*OF, "run", "oracle", "m", 0.0, 0.0, cached=True),
            ModelCalled(*OF, "run", "oracle", "m", 1.0, None, cached=False),
        ):
            observe(event)
        assert observe.metrics
        with urlopen(observe.metrics) as answer:
            served = answer.read().decode()
    family = 'family="shop.example/product"'
    for line in (
        f'crawloop_pages_total{{{family},status="ok"}} 2.0',
        f"crawloop_fetch_seconds_count{{{family}}} 1.0",
        f"crawloop_drifts_total{{{family}}} 3.0",
        f'crawloop_regens_total{{{family},outcome="promoted"}} 1.0',
        f'crawloop_model_calls_total{{{family},purpose="oracle"}} 2.0',
        f"crawloop_model_dollars_total{{{family}}} 0.25",
        f"crawloop_model_calls_unpriced_total{{{family}}} 1.0",
    ):
        assert line in served
        assert line in file.read_text()
    with pytest.raises(OSError, match="refused"):
        urlopen(observe.metrics)


def test_a_port_that_is_taken_and_a_log_that_cannot_be_written_are_warned_of(tmp_path: Path) -> None:
    warnings: list[str] = []
    seen: list[Event] = []
    with Signals(NotifyRules(metrics="127.0.0.1:0"), print) as first:
        port = (first.metrics or "").removesuffix("/metrics").rpartition(":")[2]
        rules = NotifyRules(metrics=f"127.0.0.1:{port}", log=str(tmp_path / "no folder" / "log"))
        with Signals(rules, warnings.append, seen.append) as second:
            second(DRIFT)
    assert (seen, second.metrics) == ([DRIFT], None)
    assert ["name another file" in one or "choose another port" in one for one in warnings] == [True, True]


def test_events_are_lines_of_json_without_pages_evidence_or_colour(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    with Signals(NotifyRules(log=str(file)), print) as observe:
        for event in (DRIFT, HEALED, PageServed(*OF, "", "https://shop.example/p/1", "ok")):
            observe(event)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(one["event"], one["level"]) for one in lines] == [("DriftNoticed", "warning"), ("VersionPromoted", "info")]
    assert lines[0]["problems"] == ["price: is gone: it was 9.5"]
    assert "evidence" not in lines[1]
    assert "\x1b" not in file.read_text()


def settings(folder: Path, text: str) -> NotifyRules:
    (folder / "crawloop.toml").write_text(f"[notify]\n{text}\n")
    return read_settings(folder).notify


def test_secrets_come_from_the_environment_and_stand_in_no_text(tmp_path: Path) -> None:
    rules = settings(tmp_path, 'webhook = "env:HOOK"\nkey = "a plain key"')
    known = revealed(rules, {"HOOK": "https://ops.example/secret"})
    assert (known.webhook, known.key) == ("https://ops.example/secret", "a plain key")
    assert "secret" not in repr(known)
    assert "plain" not in repr(known)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('webhook = "env:HOOK"', (None, None)),
        ('webhook = "https://ops.example"\nkey = "env:HOOK"', (None, None)),  # and nothing is sent unsigned
        ('webhook = "https://ops.example"\nslack = "env:HOOK"', ("https://ops.example", None)),
    ],
)
def test_a_channel_whose_secret_is_not_set_is_left_out_and_warned_of(
    tmp_path: Path, text: str, left: tuple[str | None, str | None]
) -> None:
    warnings: list[str] = []
    known = reachable(settings(tmp_path, text), {}, warnings.append)
    assert (known.webhook, known.key) == left
    assert known.slack is None
    (warning,) = warnings
    assert "is in the variable HOOK, which is not set: set it, or remove the key; nothing is sent there" in warning


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('webhook = "ops.example/s3cret"', "notify.webhook is no URL"),
        ('slack = ["https://x.example/s3cret"]', "notify.slack is not a text"),
        ('key = "s3cret"', "notify.key signs what is sent"),
        ('metrics = "9464"', "notify.metrics is '9464'"),
        ("retries = -1", "notify.retries is -1"),
        ("timeout = 0", "notify.timeout is 0"),
    ],
)
def test_a_mistake_is_named_and_no_secret_is_shown(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigError, match="crawloop.toml") as error:
        settings(tmp_path, text)
    assert says in str(error.value)
    assert "s3cret" not in str(error.value)
