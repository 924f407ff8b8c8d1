"""`crawl --evidence`: for every served value the reader that gave it, what that one read, what became of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from crawloop.cli import run
from crawloop.crawl.evidence import Tracer
from crawloop.crawl.ladder import Served
from crawloop.crawl.report import PageStatus
from crawloop.crawl.stopgap import Filled
from crawloop.crawl.verdict.expect import Expectation
from crawloop.crawl.verdict.judge import Judgement
from crawloop.extract.plan import FieldPlan, Plan, Rows
from crawloop.extract.reading import Apply, Read
from crawloop.extract.view import PageView
from crawloop.model.family import Version
from crawloop.model.page import Page
from crawloop.sandbox import ProcessSandbox
from tests.fakes import kettles, listings, shop
from tests.fakes import workspace as home


def crawled(capsys: pytest.CaptureFixture[str], family: str, *words: str) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert run(["crawl", family, "--json", *words]) == 0, capsys.readouterr().err
    pages: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["pages"]
    return pages


@pytest.fixture
def learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shop, learnt from four labelled pages."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "product.py").write_text(shop.SCHEMA)
    home.archive(tmp_path / "pages", {shop.url(n): shop.old_page(n) for n in range(1, 9)})
    lines = [json.dumps({"url": shop.url(n), "records": [shop.product(n)]}) for n in range(1, 5)]
    (tmp_path / "right.jsonl").write_text("\n".join(lines))
    monkeypatch.chdir(tmp_path)
    words = ["--schema", "Product@1", "--examples", "right.jsonl", "--archive", "pages", "--no-llm"]
    assert run(["bootstrap", shop.FAMILY, *words]) == 0
    return tmp_path


@pytest.mark.usefixtures("learnt")
def test_each_value_of_a_learnt_family_names_its_reader(capsys: pytest.CaptureFixture[str]) -> None:
    program = json.loads(_shown(capsys))["source"]
    for page in crawled(capsys, shop.FAMILY, shop.url(6), shop.url(7), "--archive", "pages", "--evidence"):
        (record,), (told,) = page["records"], page["evidence"]
        assert set(told) == set(record)
        for name, value in record.items():
            one = told[name]
            assert one["by"] == "program"
            assert one["path"] in program
            assert all(step.partition("(")[0] in program for step in one["transform"])
            assert str(value).removeprefix("solid ")[:5] in one["snippet"]


def _shown(capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert run(["show", shop.FAMILY, "--json"]) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("learnt")
def test_the_report_holds_evidence_only_where_it_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert "evidence" not in crawled(capsys, shop.FAMILY, shop.url(6), "--archive", "pages")[0]
    words = ["crawl", shop.FAMILY, shop.url(6), "--archive", "pages"]
    assert run([*words, "--evidence", "--report", "report.jsonl", "-o", "items.jsonl"]) == 0
    (line,) = Path("report.jsonl").read_text().splitlines()
    assert json.loads(line)["evidence"][0]["title"]["snippet"] == shop.product(6)["title"]
    assert "evidence" not in Path("items.jsonl").read_text()
    assert run([*words, "--evidence"]) == 2
    assert "--report FILE" in capsys.readouterr().err


def test_of_a_program_without_a_plan_it_is_told_where_the_value_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = home.workspace(tmp_path / "ws")
    home.promote(made)
    home.archive(made / "old", home.old_pages(2))
    monkeypatch.chdir(made)
    (told,) = crawled(capsys, kettles.NAME, "--archive", "old", "--evidence")[0]["evidence"]
    assert told["badge"] is None
    assert (told["price"]["by"], told["price"]["snippet"], told["price"]["transform"]) == ("page", "12.50 €", None)
    assert told["price"]["path"].endswith("b")


CODES = Plan(
    {
        "title": FieldPlan((Read("text", ("p",)),)),
        "code": FieldPlan((Apply("before", (Read("text", ("p",)),), (" ",)),)),
        "note": FieldPlan((Apply("after", (Read("text", ("p",)),), (" x",)),)),
    },
    Rows(Read("css", ("li",))),
)


def explained(sandbox: ProcessSandbox, rows: int, kept: Sequence[int]) -> tuple[dict[str, Any], ...]:
    """The evidence of a listing with long texts, of which the records `kept` are served."""
    html = "".join(f"<li><p>C-{n} {'x' * 200}</p></li>" for n in range(rows))
    version = Version("site", 1, "", "listing", "Entry@1", 0, "", plan=CODES.dumps())
    records = CODES.read(PageView(html, listings.URL))
    verdict = Judgement(PageStatus.DRIFT, tuple(records[n] for n in kept), (), kept=tuple(kept))
    served = Served(Page(listings.URL, html), Expectation(version, listings.SCHEMA), verdict)
    return asyncio.run(Tracer(sandbox, 30.0)(served, Filled(verdict.records, verdict.kept)))


def test_rows_that_are_not_served_do_not_shift_the_evidence_of_the_others(sandbox: ProcessSandbox) -> None:
    told = explained(sandbox, 9, [1, 4, 8])
    assert [one["code"]["snippet"].partition(" ")[0] for one in told] == ["C-1", "C-4", "C-8"]


def test_a_long_listing_is_told_whole(sandbox: ProcessSandbox) -> None:
    told = explained(sandbox, 6000, range(6000))
    assert len(told) == 6000
    assert {one[name]["by"] for one in told for name in CODES.fields} == {"program"}
