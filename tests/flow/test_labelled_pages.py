"""Which labelled pages a run looks at: all that a person gave for the family, and none of another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crawloop.cli import run
from tests.fakes import shop
from tests.fakes import workspace as home
from tests.fakes.site import document

OTHER = f"{shop.HOST}/guides/kettles/brass"
ELSEWHERE = f"{shop.HOST}/sale/kettles/9"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace without a family, and the new layout's pages in an archive with a page of another family."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "product.py").write_text(shop.SCHEMA)
    pages = {shop.url(n): shop.new_page(n) for n in range(1, 9)}
    others = {OTHER: document("<h1>How to choose a kettle</h1>"), ELSEWHERE: shop.new_page(9)}
    home.archive(tmp_path / "pages", pages | others)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bootstrap(capsys: pytest.CaptureFixture[str], labelled: dict[str, dict[str, Any]], *words: str) -> set[str]:
    """The URLs that were sampled, for a family whose `labelled` pages are known."""
    lines = [json.dumps({"url": url, "records": [record]}) for url, record in labelled.items()]
    Path("right.jsonl").write_text("\n".join(lines))
    command = ["bootstrap", shop.FAMILY, "--schema", "Product@1", "--examples", "right.jsonl", "--archive", "pages"]
    assert run([*command, "--no-llm", "--json", *words]) == 0, capsys.readouterr().err
    body = json.loads(capsys.readouterr().out)
    return {page["url"] for page in body["pages"] if page["role"] == "sample"}


@pytest.mark.usefixtures("folder")
def test_every_labelled_page_is_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    known = {shop.url(n): shop.product(n) for n in range(1, 8)}
    assert bootstrap(capsys, known) == set(known)


@pytest.mark.usefixtures("folder")
def test_labelled_pages_of_another_family_are_not_meant(capsys: pytest.CaptureFixture[str]) -> None:
    known = {shop.url(n): shop.product(n) for n in range(2, 5)}
    seen = bootstrap(capsys, known | {OTHER: {"title": "How to choose a kettle"}}, shop.url(1))
    assert set(known) <= seen
    assert OTHER not in seen


@pytest.mark.usefixtures("folder")
def test_where_no_labelled_page_looks_like_the_given_one_all_are_meant(capsys: pytest.CaptureFixture[str]) -> None:
    known = {shop.url(n): shop.product(n) for n in range(1, 4)}
    assert set(known) <= bootstrap(capsys, known, ELSEWHERE)
