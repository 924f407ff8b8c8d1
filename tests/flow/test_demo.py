"""The first minute, whole: right before, noticed and not wrong during, right after, and no model."""

from __future__ import annotations

import pytest

from crawloop.cli import run as command
from crawloop.demo.run import run


@pytest.mark.slow
def test_the_shop_is_learnt_its_redesign_noticed_and_healed() -> None:
    said: list[str] = []
    rows, calls = run(said.append)
    before, during, after = (one for _, one in rows)
    assert calls == 0
    assert (before.pages, before.is_all_right) == ({"ok": 40}, True)
    assert during.pages["ok"] == 0
    assert (during.noticed, during.wrong) == (40, 0)
    assert during.missing > 200, "what nobody else knows is null"
    assert during.right > 200, "and the rest is filled by what is known without the extractor"
    assert (after.pages, after.is_all_right) == ({"ok": 40}, True)
    assert any("noticed, for one:" in line for line in said)


@pytest.mark.slow
def test_the_command_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["demo"]) == 0
    out = capsys.readouterr().out
    assert [line.split("│")[0].strip() for line in out.splitlines() if "│" in line] == [
        "before the redesign",
        "after it, old extractor",
        "after crawloop regen",
    ]
    assert "models called: 0" in out
