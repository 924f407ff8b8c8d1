"""Records of a listing name pages of another family, which are crawled with it: each once, by their own program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crawloop.cli import run
from crawloop.model.page import Record
from tests.fakes import kettles as shop
from tests.fakes import workspace as home
from tests.fakes.site import document

LIST = home.SHELVES
SHELF = """
from pydantic import BaseModel, Field

class Shelf(BaseModel):
    name: str
    link: str | None = Field(None, json_schema_extra={"format": "uri-reference"})
"""
READS_LIST = """def extract(page):
    return [{"name": row.text("b"), "link": row.attr("a", "href")} for row in page.css("li.entry")]
"""
NAMED = {1: (1, 2), 2: (2, 3), 3: (3, 4, 1)}


def list_url(number: int) -> str:
    return f"https://shop.example/shelf?id={number}"


def records(number: int) -> tuple[Record, ...]:
    elsewhere = {"name": "About us", "link": "/about"}
    return (*({"name": f"Kettle {n}", "link": f"/p/{n}"} for n in NAMED[number]), elsewhere)


def list_page(number: int) -> str:
    rows = (f'<li class="entry"><b>{one["name"]}</b> <a href="{one["link"]}">more</a></li>' for one in records(number))
    return document(f'<h2>Shelf {number}</h2><ul class="entries">{"".join(rows)}</ul>')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a family of shelves and one of kettles, and an archive of both; it is the current folder."""
    made = home.workspace(tmp_path / "ws")
    home.promote(made)
    home.promote_shelves(made, SHELF, READS_LIST, [(list_url(n), list_page(n), records(n)) for n in (1, 2)])
    home.archive(made / "saved", home.old_pages(1, 2, 3, 4) | {list_url(n): list_page(n) for n in NAMED})
    monkeypatch.chdir(made)
    return made


def crawled(*words: str, code: int = 0) -> list[dict[str, Any]]:
    asked = ("crawl", LIST, *map(list_url, (2, 3)), "--archive", "saved", "--report", "report.jsonl", *words)
    assert run(asked) == code
    return [json.loads(line) for line in Path("report.jsonl").read_text().splitlines()]


def test_pages_that_records_name_are_crawled_once_by_their_own_family(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = crawled("--details", "-o", "items.jsonl")
    assert [(row["family"], row["url"]) for row in rows] == [
        *((LIST, list_url(n)) for n in (2, 3)),
        *((shop.NAME, shop.url(n)) for n in (2, 3, 4, 1)),
    ]
    assert rows[2]["records"][0]["title"] == shop.record(2)["title"]
    items = [json.loads(line) for line in Path("items.jsonl").read_text().splitlines()]
    assert items == [*records(2), *records(3), *(shop.record(n) for n in (2, 3, 4, 1))]
    told = capsys.readouterr().err
    assert f"{LIST}: 2 ok" in told
    assert f"{shop.NAME}: 4 ok" in told


def test_without_the_option_no_other_family_is_asked(folder: Path) -> None:
    assert {row["family"] for row in crawled()} == {LIST}


def test_a_page_that_was_given_is_not_crawled_again(folder: Path) -> None:
    asked = ["crawl", list_url(2), shop.url(3), "--archive", "saved", "--report", "report.jsonl", "--details"]
    assert run(asked) == 0
    urls = [json.loads(line)["url"] for line in Path("report.jsonl").read_text().splitlines()]
    assert sorted(urls) == sorted([list_url(2), shop.url(3), shop.url(2)])


def test_records_of_several_schemas_need_a_file_that_holds_them(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["crawl", LIST, "--archive", "saved", "--details", "-o", "items.csv"]) == 2
    assert "items.csv: with --details come records of several schemas" in capsys.readouterr().err
