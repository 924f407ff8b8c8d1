"""A run as it is told: tables and JSON carry the same, a person is told what to do next, and healing is shown."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from crawloop.cli import outcome, run
from tests.fakes import shop
from tests.fakes import workspace as home

NAME = shop.FAMILY


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace without a family, three labelled pages, and both layouts; it is the current folder."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "product.py").write_text(shop.SCHEMA)
    home.archive(tmp_path / "old", {shop.url(n): shop.old_page(n) for n in range(1, 8)})
    home.archive(tmp_path / "new", {shop.url(n): shop.new_page(n) for n in range(1, 8)})
    label(tmp_path, *((n, {}) for n in (1, 2, 3)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def label(folder: Path, *labelled: tuple[int, dict[str, Any]]) -> None:
    """Writes right.jsonl: for each page its record with some values changed."""
    rows = [{"url": shop.url(n), "records": [shop.product(n) | changes]} for n, changes in labelled]
    (folder / "right.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


BOOTSTRAP = ("bootstrap", NAME, "--schema", "Product@1", "--archive", "old", "--examples", "right.jsonl", "--no-llm")


def told(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[dict[str, Any], str]:
    """A run as JSON, and as the tables of its audit entry."""
    assert run([*words, "--json"]) == code, capsys.readouterr().err
    body = json.loads(capsys.readouterr().out)
    assert run(["audit", "show", str(body["audit"])]) == 0
    return body, capsys.readouterr().out


def test_a_promotion_is_told_the_same_in_both_forms(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body, text = told(capsys, *BOOTSTRAP)
    assert (body["outcome"], body["version"], body["cost"]["calls"]) == ("promoted", 1, 0)
    assert body["fields"] == ["material", "price", "sku", "title"]
    assert set(body["paths"]) == set(body["fields"])
    assert body["witnesses"]["sku"] == {"by": {"examples": 3, "markup": 5}, "supported": 5, "unsupported": 0}
    for word in (
        *(page["url"] for page in body["pages"]),
        "examples 3, markup 5",
        *(one["origin"] for one in body["candidates"]),
        body["source"],
        "fields: material, price, sku, title",
        "residual: none",
        "models called: 0, cost: 0.0000 USD",
        f"{NAME}: promoted version 1 by {body['origin']}; audit {body['audit']}",
    ):
        assert word in text


def test_fields_that_no_sample_taught_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    notes = {"price": ("reads x: right on 3 of 3 pages",), "sku": ("taught by no sample, read by its name: y",)}
    outcome.show_fields(["price", "sku"], outcome.untaught(notes), ["badge"])
    assert capsys.readouterr().out == "fields: price\nread without a sample: sku\nresidual: badge\n"


def test_candidates_of_one_origin_are_told_apart_by_how_much_they_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body, text = told(capsys, *BOOTSTRAP)
    one = body["candidates"][-1]
    assert one["fields"] == body["fields"]
    assert re.search(rf" {re.escape(one['origin'])} +│ {len(one['fields'])} +│ passed", text)


def test_the_run_and_its_audit_entry_print_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(BOOTSTRAP) == 0
    text = capsys.readouterr().out
    number = text.rpartition("audit ")[2].strip()
    assert run(["audit", "show", number]) == 0
    assert capsys.readouterr().out == text


def test_disagreements_are_shown_with_what_was_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label(folder, (1, {"sku": "KX-9999"}), (2, {}), (3, {}), (4, {}))
    assert run([*BOOTSTRAP, "--json"]) in (0, 3)
    body = json.loads(capsys.readouterr().out)
    assert body["conflicts"]
    (one,) = body["conflicts"]
    assert (one["url"], one["field"]) == (shop.url(1), "sku")
    assert run(["audit", "show", str(body["audit"])]) == 0
    assert "examples: KX-9999; markup: KX-4137" in capsys.readouterr().out


def test_an_escalation_names_its_entry_and_ends_with_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "right.jsonl").unlink()
    words = ("bootstrap", NAME, "--schema", "Product@1", "--archive", "new", "--no-llm")
    body, text = told(capsys, *words, code=3)
    assert (body["outcome"], body["version"]) == ("escalated", None)
    assert body["reason"].startswith("insufficient oracles: got 0, need 3")
    assert f"{NAME}: escalated: {body['reason']}; audit {body['audit']}" in text
    *_, last = text.partition("A person is needed. Next:\n")
    assert last.splitlines() == [f"  {command}" for command in body["next"]]
    assert all(command.startswith("crawloop ") for command in body["next"])
    assert body["next"][0].startswith(f"crawloop audit show {body['audit']} ")


def test_a_family_that_was_never_promoted_may_be_bootstrapped_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bootstrap", NAME, "--schema", "Product@1", "--archive", "new", "--no-llm"]) == 3
    escalated, told_twice = capsys.readouterr()
    assert "escalated: insufficient oracles" in escalated
    assert "escalated" not in told_twice
    assert told(capsys, *BOOTSTRAP)[0]["version"] == 1
    assert run(["families", "--json"]) == 0
    (family,) = json.loads(capsys.readouterr().out)
    assert (family["status"], family["cooldown_until"]) == ("healthy", None)


def test_what_was_settled_no_longer_waits_for_a_person(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def waiting() -> list[str]:
        capsys.readouterr()
        assert run(["audit", "--escalated", "--json"]) == 0
        return [entry["family"] for entry in json.loads(capsys.readouterr().out)]

    assert run(["bootstrap", NAME, "--schema", "Product@1", "--archive", "new", "--no-llm"]) == 3
    assert run(["bootstrap", "other", "--schema", "Product@1", "--archive", "new", "--no-llm"]) == 3
    assert waiting() == [NAME, "other"]
    assert run(BOOTSTRAP) == 0
    assert waiting() == ["other"]
    assert run(["audit", "--json"]) == 0
    kinds = [entry["kind"] for entry in json.loads(capsys.readouterr().out)]
    assert kinds.count("FamilyEscalated") == 2, "nothing is taken out of the audit"


def test_a_nightly_regen_of_what_still_fits_adds_no_version(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(BOOTSTRAP) == 0
    capsys.readouterr()
    body, text = told(capsys, "regen", NAME, "--archive", "old", "--no-llm")
    assert (body["outcome"], body["version"], body["new_epoch"]) == ("kept", 1, False)
    assert f"{NAME}: version 1 still fits: nothing to promote; audit {body['audit']}" in text
    assert run(["versions", NAME, "--json"]) == 0
    assert [one["number"] for one in json.loads(capsys.readouterr().out)] == [1]
    assert run(["audit", NAME, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[-1]["kind"] == "VersionKept"


def test_without_litellm_free_witnesses_have_their_turn_before_a_model_is_missed(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "litellm", None)
    (folder / "crawloop.toml").write_text('[models]\ntiers = ["openai/gpt-4.1-mini"]\n')
    unknown = ("bootstrap", "other", "--schema", "Product@1", "--archive", "new")
    assert run(unknown) == 2
    assert "litellm is not installed: pip install '.[llm]' from the clone" in capsys.readouterr().err
    assert run(["audit", "--json"]) == 0
    kinds = {entry["kind"] for entry in json.loads(capsys.readouterr().out)}
    assert "PageSampled" in kinds
    assert "FamilyEscalated" not in kinds
    body, _ = told(capsys, *(word for word in BOOTSTRAP if word != "--no-llm"))
    assert (body["outcome"], body["cost"]["calls"]) == ("promoted", 0)
    assert run(["crawl", NAME, "--archive", "old"]) == 0
    assert "litellm" not in capsys.readouterr().err, "no field is left to a model"


def test_a_redesign_is_noticed_healed_and_served(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(BOOTSTRAP) == 0
    assert run(["crawl", NAME, "--archive", "old", "-o", "old.jsonl"]) == 0
    assert run(["crawl", NAME, "--archive", "new", "--report", "broken.jsonl"]) == 4
    broken = [json.loads(line) for line in (folder / "broken.jsonl").read_text().splitlines()]
    assert {page["status"] for page in broken} == {"drift"}
    capsys.readouterr()
    body, _ = told(capsys, "regen", NAME, "--archive", "new", "--no-llm")
    assert (body["version"], body["new_epoch"]) == (2, True)
    assert run(["crawl", NAME, "--archive", "new", "-o", "new.jsonl"]) == 0
    assert (folder / "new.jsonl").read_text() == (folder / "old.jsonl").read_text()
    assert run(["crawl", NAME, "--archive", "old", "-o", "variant.jsonl"]) == 0
    assert (folder / "variant.jsonl").read_text() == (folder / "old.jsonl").read_text()


def test_a_crawl_heals_by_itself(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(BOOTSTRAP) == 0
    assert run(["crawl", NAME, "--archive", "old", "-o", "old.jsonl"]) == 0
    assert run(["crawl", NAME, "--archive", "new", "-o", "new.jsonl", "--heal", "--no-llm"]) == 0
    assert "healed by version 2; see `crawloop audit show" in capsys.readouterr().err
    assert sorted((folder / "new.jsonl").read_text().splitlines()) == sorted(
        (folder / "old.jsonl").read_text().splitlines()
    )


def test_why_a_field_is_left_out_is_told_with_the_page_that_speaks_against_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = {"material": None, "absent": ["material"]}
    label(folder, (1, {}), (2, lacking), (3, {}), (4, {"price": None}))
    words = ("bootstrap", NAME, "--schema", "Product@1", "--archive", "new", "--examples", "right.jsonl", "--no-llm")
    body, text = told(capsys, *words)
    assert body["fields"] == ["price", "sku", "title"]
    assert list(body["left_out"]) == ["material"]
    why = body["left_out"]["material"]
    assert any(shop.url(2) in line and "solid wool, batch 2" in line for line in why)
    assert "left out" in text


def test_a_field_that_nobody_labelled_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label(folder, *((n, {"material": None}) for n in (1, 2, 3)))
    words = ("bootstrap", NAME, "--schema", "Product@1", "--archive", "new", "--examples", "right.jsonl", "--no-llm")
    body, _ = told(capsys, *words)
    assert body["left_out"] == {"material": ["nobody knows a value of it on these pages"]}


def test_what_to_do_next_keeps_to_the_archive(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "right.jsonl").unlink()
    body, _ = told(capsys, "bootstrap", NAME, "--schema", "Product@1", "--archive", "new", "--no-llm", code=3)
    again = [command for command in body["next"] if " regen " in command]
    assert again
    assert all("--archive new" in command for command in again)


def test_the_audit_tells_once_what_is_so_of_many_pages(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(BOOTSTRAP) == 0
    capsys.readouterr()
    assert run(["audit", NAME, "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert run(["audit", NAME]) == 0
    rows = capsys.readouterr().out
    silent = [one for one in entries if one["kind"] == "WitnessSilent" and one.get("witness") == "history"]
    assert len(silent) > 2
    assert rows.count("witness history") == 1
    assert f"(and of {len(silent) - 1} more)" in " ".join(rows.split())


def test_labels_that_two_pages_exchanged_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label(folder, (1, shop.product(7)), (7, shop.product(1)), (3, {}), (4, {}), (5, {}))
    words = ("bootstrap", NAME, "--schema", "Product@1", "--archive", "new", "--examples", "right.jsonl", "--no-llm")
    body, _ = told(capsys, *words)
    why = {page["url"]: page["why"] for page in body["pages"]}
    for one, other in ((1, 7), (7, 1)):
        said = f"{shop.url(one)} carries nothing of what examples said; {shop.url(other)} does"
        assert why[shop.url(one)] == f"no truth: {said}"


def test_a_second_price_on_a_later_page_is_null_and_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("bootstrap", NAME, "--schema", "Product@1", "--archive", "new", "--examples", "right.jsonl", "--no-llm")
    assert run(words) == 0
    advertised = '<div class="advert"><span class="amount">€ 9.99</span></div><section id="detail">'
    page = shop.new_page(5).replace('<section id="detail">', advertised)
    home.archive(folder / "later", {shop.url(5): page})
    capsys.readouterr()
    run(["crawl", NAME, shop.url(5), "--archive", "later", "--json"])
    (report,) = json.loads(capsys.readouterr().out)["pages"]
    assert report["status"] == "partial"
    assert report["records"] == [shop.product(5) | {"price": None}]
    assert [one.partition(":")[0] for one in report["problems"]] == ["price"]
