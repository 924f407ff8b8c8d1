"""Layers that a workspace requires: where one is off nothing is run, and the refusal names it and the remedy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crawloop.cli import run
from crawloop.errors import SandboxError
from crawloop.model.page import Page
from crawloop.model.policy import LAYERS, SandboxRules
from crawloop.sandbox import ProcessSandbox, template
from tests.fakes import kettles as shop
from tests.fakes import workspace as home
from tests.fakes.plain_worker import without

PAGE = Page(url="https://shop.example/p/1", html="<h1>Thing</h1>")
TITLE = "def extract(page):\n    return [{'title': page.text('h1')}]\n"


@pytest.mark.parametrize("layer", LAYERS)
def test_a_required_layer_that_is_off_refuses_to_run(layer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "_BOOT", without(layer))
    for _ in range(2):
        with (
            ProcessSandbox(rules=SandboxRules(require=(layer,))) as sandbox,
            pytest.raises(SandboxError, match=rf"'{layer}' is off: switched off, .* Either .*, or take it out"),
        ):
            sandbox.run(TITLE, [PAGE])


@pytest.mark.parametrize("layer", LAYERS)
def test_one_that_is_not_required_is_reported_and_the_rest_goes_on(layer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "_BOOT", without(layer))
    with ProcessSandbox(rules=SandboxRules(require=())) as sandbox:
        (run,) = sandbox.run(TITLE, [PAGE])
        assert run.records == ({"title": "Thing"},)
        assert tuple(sandbox.layers()) == LAYERS
        assert sandbox.layers()[layer] == "off: switched off"


def test_the_filter_is_required_unless_somebody_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "_BOOT", without("system calls"))
    with ProcessSandbox() as sandbox, pytest.raises(SandboxError, match="layer 'system calls' is off"):
        sandbox.admit(TITLE)
    monkeypatch.setattr(template, "_BOOT", without("landlock", "namespaces"))
    with ProcessSandbox() as sandbox:
        sandbox.admit(TITLE)


@pytest.mark.parametrize("megabytes", [128, 256])
def test_memory_is_what_the_rules_say(megabytes: int) -> None:
    source = f"def extract(page):\n    return [{{'n': len('x' * {(megabytes - 100) << 20})}}]\n"
    over = f"def extract(page):\n    return [{{'n': len('x' * {megabytes << 20})}}]\n"
    with ProcessSandbox(rules=SandboxRules(memory=megabytes)) as sandbox:
        assert sandbox.run(source, [PAGE])[0].failure is None
        (run,) = sandbox.run(over, [PAGE])
        assert run.failure is not None
        assert run.failure.kind == "memory"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = home.workspace(tmp_path / "ws")
    home.promote(made)
    home.archive(made / "old", home.old_pages(1, 2))
    (made / "crawloop.toml").write_text('[sandbox]\nrequire = ["landlock"]\n')
    monkeypatch.chdir(made)
    monkeypatch.setattr(template, "_BOOT", without("landlock", "namespaces"))
    return made


@pytest.mark.parametrize("command", ["crawl", "regen"])
def test_commands_refuse_before_anything_is_done(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [command, shop.NAME, "--archive", "old"]
    assert run(words) == 2
    told = capsys.readouterr().err
    assert "'landlock' is off: switched off" in told
    assert "out of sandbox.require in crawloop.toml" in told
    assert "required" in told
    (folder / "crawloop.toml").write_text("[sandbox]\nrequire = []\n")
    run(words)
    assert "landlock" not in capsys.readouterr().err


def test_doctor_shows_which_are_required(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--json"]) == 0
    rows = {row["what"]: (row["state"], row["detail"]) for row in json.loads(capsys.readouterr().out)}
    assert rows["sandbox: landlock"] == ("broken", "required, and missing: switched off")
    assert rows["sandbox: namespaces"] == ("missing", "switched off")
    assert rows["sandbox: system calls"] == ("ok", "")
    (folder / "crawloop.toml").unlink()
    assert run(["doctor", "--json"]) == 0
    rows = {row["what"]: (row["state"], row["detail"]) for row in json.loads(capsys.readouterr().out)}
    assert rows["sandbox: landlock"] == ("missing", "switched off")
    assert rows["sandbox: system calls"] == ("ok", "required")
