"""What a whole crawl tells outside, from the command line; and that none of it can fail the crawl."""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
from pathlib import Path
from urllib.request import urlopen

import pytest

from crawloop.cli import run
from tests.fakes import kettles as shop
from tests.fakes import workspace as home
from tests.fakes.receiver import receiver
from tests.fakes.server import Reply, Server

JUNK = {shop.url(n): home.document(f"<h1>Sale {n}</h1>") for n in range(1, 7)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home.workspace(tmp_path)
    home.promote(tmp_path)
    home.archive(tmp_path / "junk", JUNK)
    home.archive(tmp_path / "old", home.old_pages(1, 2, 3))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_one_message_a_cause_and_one_for_the_escalation(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with receiver() as there:
        monkeypatch.setenv("HOOK", f"{there.url}/hook")
        rules = f'[notify]\nwebhook = "env:HOOK"\nkey = "a key"\nslack = "{there.url}/slack"\ntextfile = "night.prom"\n'
        (folder / "crawloop.toml").write_text(rules + 'log = "events.jsonl"\n')
        assert run(["crawl", shop.NAME, "--archive", "junk", "--heal"]) == 4
        assert run(["crawl", shop.NAME, "--archive", "junk", "--heal"]) == 4, "the night after: nothing is news"
    hooks = [(headers, body) for path, headers, body in there.took if path == "/hook"]
    bodies = [json.loads(body) for _, body in hooks]
    assert [one["event"] for one in bodies] == ["drift", "escalation"]
    assert bodies[0]["version"] == 1
    assert len([path for path, _, _ in there.took if path == "/slack"]) == 2
    headers, body = hooks[0]
    signed = hmac.new(b"a key", headers["x-crawloop-timestamp"].encode() + b"." + body, hashlib.sha256)
    assert headers["x-crawloop-signature"] == f"sha256={signed.hexdigest()}"
    events = [json.loads(line)["event"] for line in (folder / "events.jsonl").read_text().splitlines()]
    assert events.count("FamilyEscalated") == 1
    figures = (folder / "night.prom").read_text()
    assert f'crawloop_pages_total{{family="{shop.NAME}",status="drift"}} 6.0' in figures
    assert there.url not in figures + capsys.readouterr().err + (folder / "events.jsonl").read_text()


def test_figures_are_served_while_pages_are_fetched(folder: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    seen: list[str] = []

    def page(before: int) -> Reply:
        with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            seen.append(answer.read().decode())
        return Reply(shop.old_page(1).encode())

    with Server({"/p/1": page}) as site:
        run(["crawl", shop.NAME, f"{site.url}/p/1", "--metrics", str(port), "-o", "items.jsonl"])
    assert "crawloop_pages_total" in seen[0]


def test_nobody_listening_and_a_full_disk_fail_no_crawl(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/s3cret"
    rules = f'[notify]\nwebhook = "{url}"\nretries = 0\ntextfile = "no/such/folder.prom"\nlog = "/dev/full"\n'
    (folder / "crawloop.toml").write_text(rules)
    assert run(["crawl", shop.NAME, "--archive", "old"]) == 0
    assert run(["crawl", shop.NAME, "--archive", "junk"]) == 4
    err = capsys.readouterr().err
    assert "webhook: not delivered (ConnectError): shop.example/product drifted" in err
    assert "notify.textfile" in err
    assert err.count("notify.log cannot be written") == 1
    assert "s3cret" not in err


def test_a_secret_that_is_not_set_is_warned_of_and_the_crawl_goes_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "crawloop.toml").write_text('[notify]\nslack = "env:NOT_SET_ANYWHERE"\n')
    assert run(["crawl", shop.NAME, "--archive", "old"]) == 0
    out = capsys.readouterr()
    assert "warning: notify.slack is in the variable NOT_SET_ANYWHERE, which is not set" in out.err
    assert len(out.out.splitlines()) == 3
    assert run(["families"]) == 0, "who sends nothing needs no secret"
