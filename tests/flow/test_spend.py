"""`crawloop spend`: what models were asked and what it cost, from the ledger of a workspace."""

import json
from pathlib import Path

import pytest

from crawloop.cli import run
from crawloop.contract import Answer
from crawloop.model.events import ModelCalled
from crawloop.model.family import Family
from crawloop.registry import SqlStore

SHOP = "shop.example/product"


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "schemas").mkdir()
    monkeypatch.chdir(tmp_path)
    store = SqlStore(f"sqlite:///{tmp_path / 'registry.db'}", tmp_path / "fixtures")
    store.save_family(Family(SHOP, "Item@1"))
    first = ("aaa", "small", "oracle", "answer one", 0.25, 1.5, SHOP, "r1", "2026-01-05T00:00:00Z")
    store.save_answer(Answer(*first, "direct_extract@2", "what is it?", 900, 40, "the page bears out 2 fields"))
    store.save_answer(Answer("aab", "strong", "codegen", "program", None, 2.0, "other", "r2", "2026-02-01T00:00:00Z"))
    store.audit(ModelCalled(SHOP, "2026-01-06T00:00:00Z", "r3", "oracle", "small", 0.0, 0.0, cached=True))
    store.close()


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(("spend", *words)) == code
    return capsys.readouterr().out


@pytest.mark.usefixtures("ledger")
def test_what_was_paid_is_summed_up_and_an_unknown_price_is_not_zero(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(said(capsys, "--json"))
    assert [(row["family"], row["calls"], row["dollars"]) for row in rows] == [
        (SHOP, 1, 0.25),
        ("other", 1, None),
        ("answered again from the ledger", 1, None),
    ]
    assert (rows[0]["tokens in"], rows[0]["tokens out"], rows[1]["unpriced"]) == (900, 40, 1)
    assert "unknown" in said(capsys)
    assert [row["month"] for row in json.loads(said(capsys, "--by", "month", "--since", "2026-02-01", "--json"))] == [
        "2026-02"
    ]
    first, *_ = json.loads(said(capsys, SHOP, "--by", "model", "--json"))
    assert first["model"] == "small"


@pytest.mark.usefixtures("ledger")
def test_calls_are_listed_and_one_is_told_whole(capsys: pytest.CaptureFixture[str]) -> None:
    (call, _) = json.loads(said(capsys, "--calls", "--json"))
    assert (call["call"], call["prompt"], call["verdict"]) == ("aaa", "direct_extract@2", "the page bears out 2 fields")
    whole = said(capsys, "--call", "aaa")
    assert "question:\nwhat is it?\n\nanswer:\nanswer one" in whole
    assert "question:\nnot kept" in said(capsys, "--call", "aab")


@pytest.mark.usefixtures("ledger")
def test_a_call_or_family_that_is_not_there_is_a_mistake_of_the_user(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "--call", "aa", code=2)
    said(capsys, "--call", "", code=2)
    said(capsys, "nobody", code=2)


def test_where_no_model_was_asked_there_is_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said(capsys) == "no model was paid\n"
    assert said(capsys, "--json") == "[]\n"
