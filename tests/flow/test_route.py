"""Mixed URLs are divided among families by their patterns; a page of another family is not read with this program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crawloop.app import open_workspace
from crawloop.cli import run
from crawloop.model.family import Status
from tests.fakes import kettles as shop
from tests.fakes import workspace as home
from tests.fakes.site import document

LIST = home.SHELVES
SHELF = """
from pydantic import BaseModel

class Shelf(BaseModel):
    name: str
"""
READS_LIST = 'def extract(page):\n    return [{"name": row.text("b.name")} for row in page.css("li.entry")]\n'


def list_url(number: int) -> str:
    return f"https://shop.example/shelf?id={number}"


def list_page(number: int) -> str:
    rows = "".join(
        f'<li class="entry"><b class="name">Kettle {number}.{n}</b><i class="more">more</i></li>' for n in "123"
    )
    return document(f'<div class="shelf"><h2 class="heading">Shelf {number}</h2><ul class="entries">{rows}</ul></div>')


def names(number: int) -> list[dict[str, str]]:
    return [{"name": f"Kettle {number}.{n}"} for n in "123"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with two families of one host, and an archive of pages of both; it is the current folder."""
    made = home.workspace(tmp_path / "ws")
    home.promote(made)
    home.promote_shelves(made, SHELF, READS_LIST, [(list_url(n), list_page(n), names(n)) for n in (1, 2)])
    pages = home.old_pages(1, 2, 3, 4) | {list_url(n): list_page(n) for n in (3, 4)}
    home.archive(made / "saved", pages | {shop.url(9): list_page(9)})
    (made / "urls.txt").write_text("\n".join([*pages, "https://shop.example/about"]))
    monkeypatch.chdir(made)
    return made


def rows(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_mixed_urls_go_to_the_families_that_they_belong_to(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--from", "urls.txt", "--archive", "saved", "-o", "items.jsonl", "--report", "report.jsonl"]
    assert run(["crawl", *asked]) == 4
    out = capsys.readouterr()
    assert out.out == ""
    assert f"{shop.NAME}: 4 ok\n{LIST}: 2 ok\nno family: 1 error\n" in out.err
    assert "no family here has pages with such a URL" in out.err
    assert rows(folder / "items.jsonl") == [*(shop.record(n) for n in (1, 2, 3, 4)), *names(3), *names(4)]
    reports = {one["url"]: one for one in rows(folder / "report.jsonl")}  # type: ignore[index, call-overload]
    assert reports[list_url(3)]["family"] == LIST
    assert (reports["https://shop.example/about"]["family"], len(reports)) == ("", 7)


def test_urls_alone_are_enough(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["crawl", list_url(4), shop.url(1), "--archive", "saved"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [*names(4), shop.record(1)]


def test_the_pages_of_an_archive_are_divided_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["crawl", "--archive", "saved"]) == 4  # one has a product's URL, and is a list
    assert f"{shop.NAME}: 4 ok, 1 error\n{LIST}: 2 ok\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "name a FAMILY, or URLs"),
        (["https://other.example/p/1", "--archive", "saved"], "no family here has pages with such a URL"),
        (
            ["--from", "urls.txt", "--archive", "saved", "-o", "items.csv"],
            r"several schemas (Product@1, Shelf@1): give the file the ending",
        ),
    ],
)
def test_what_cannot_be_divided_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], why: str
) -> None:
    assert run(["crawl", *words]) == 2
    assert why in capsys.readouterr().err


def test_a_page_that_looks_like_another_familys_is_named_and_is_no_drift(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["crawl", shop.NAME, *map(shop.url, (1, 2, 9)), "--archive", "saved", "--json"]) == 4
    said = json.loads(capsys.readouterr().out)
    assert [one["status"] for one in said["pages"]] == ["ok", "ok", "error"]
    assert said["pages"][2]["problems"] == [f"it looks like a page of {LIST}, and not of this family"]
    assert said["pages"][2]["records"] == []
    with open_workspace(folder) as workspace:
        family = workspace.store.family(shop.NAME)
        assert family
        assert family.status is Status.HEALTHY
        assert workspace.store.entries(shop.NAME, kinds=["DriftNoticed"]) == []


def test_a_redesign_is_a_drift_all_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home.archive(folder / "new", home.new_pages(1, 2, 3))
    assert run(["crawl", shop.NAME, "--archive", "new", "--json"]) == 4
    assert {one["status"] for one in json.loads(capsys.readouterr().out)["pages"]} == {"drift"}
