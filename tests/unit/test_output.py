"""What a crawl leaves in files: whole or not at all, one record a row, and resumable."""

from __future__ import annotations

import csv
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from crawloop.crawl.output import Output
from crawloop.crawl.report import PageReport, PageStatus
from crawloop.errors import UserError
from crawloop.model.kind import Field, Kind, Schema

SCHEMA = Schema(
    "Thing@1",
    (
        Field("name"),
        Field("price", Kind.MONEY),
        Field("count", Kind.NUMBER, integer=True),
        Field("new", Kind.BOOL),
        Field("tags", many=True),
    ),
)
ONE = {"name": 'Kä"se, gereift', "price": 3, "count": 2, "new": True, "tags": ["a", "b,c"]}
TWO = {"name": None, "price": 2.5, "count": None, "new": False, "tags": None}
TASK = {"family": "shop", "urls": "1234"}


def report(number: int, *records: dict[str, object], status: PageStatus = PageStatus.OK) -> PageReport:
    return PageReport(f"https://x.example/{number}", "shop", 1, status, records, ("sku",), ("name: odd",))


def written(folder: Path, name: str) -> Path:
    with Output(folder / name, folder / "report.jsonl", SCHEMA, TASK) as out:
        out.add(report(1, ONE, TWO))
        out.add(report(2, status=PageStatus.DRIFT))
        out.add(report(3, ONE))
        out.finish()
    return folder / name


@pytest.mark.parametrize("name", ["items.jsonl", "items.csv", "items.parquet"])
def test_records_say_whence_they_come_where_it_is_asked(name: str, tmp_path: Path) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    with Output(tmp_path / name, None, SCHEMA, TASK, with_url=True) as out:
        out.add(replace(report(1, ONE, TWO), url="https://me:s3cret@x.example/1"))
        out.add(report(3, ONE))
        out.finish()
    assert [row["page_url"] for row in read(tmp_path / name)] == [
        "https://me:***@x.example/1",
        "https://me:***@x.example/1",
        "https://x.example/3",
    ]
    assert list(read(tmp_path / name)[0]) == ["page_url", *SCHEMA.names]


def test_a_field_that_has_the_name_of_the_pages_url_is_told_before_a_page_is_fetched(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Thing@1 has a field page_url of its own"):
        Output(tmp_path / "i.csv", None, replace(SCHEMA, fields=(Field("page_url"),)), TASK, with_url=True)


def read(file: Path) -> list[dict[str, object]]:
    if file.suffix == ".csv":
        return list(csv.DictReader(file.read_text().splitlines()))
    if file.suffix == ".jsonl":
        return [json.loads(line) for line in file.read_text().splitlines()]
    from pyarrow import parquet

    rows: list[dict[str, object]] = parquet.read_table(file).to_pylist()
    return rows


def test_json_lines_and_the_report(tmp_path: Path) -> None:
    items = written(tmp_path, "items.jsonl")
    assert [json.loads(line) for line in items.read_text().splitlines()] == [ONE, TWO, ONE]
    lines = [json.loads(line) for line in (tmp_path / "report.jsonl").read_text().splitlines()]
    assert lines[0] == {
        "url": "https://x.example/1",
        "family": "shop",
        "version": 1,
        "status": "ok",
        "records": [ONE, TWO],
        "residual": ["sku"],
        "problems": ["name: odd"],
    }
    assert [line["status"] for line in lines] == ["ok", "drift", "ok"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["items.jsonl", "report.jsonl"]


def test_csv_has_the_schemas_columns_and_lists_as_json(tmp_path: Path) -> None:
    with written(tmp_path, "items.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0] == {"name": 'Kä"se, gereift', "price": "3", "count": "2", "new": "true", "tags": '["a", "b,c"]'}
    assert rows[1] == {"name": "", "price": "2.5", "count": "", "new": "false", "tags": ""}


def test_parquet_has_typed_columns(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = parquet.read_table(written(tmp_path, "items.parquet"))
    assert table.to_pylist() == [ONE, TWO, ONE]
    assert [str(field.type) for field in table.schema] == ["string", "double", "int64", "bool", "list<element: string>"]


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        UserError, match=r"items\.parquet: Parquet needs an extra: pip install '\.\[parquet\]' from the clone"
    ):
        Output(tmp_path / "items.parquet", None, SCHEMA, TASK)


def test_an_ending_that_means_nothing_is_named_before_the_crawl(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"items\.xlsx: records are written as \.jsonl, \.csv, \.parquet"):
        Output(tmp_path / "items.xlsx", None, SCHEMA, TASK)


@pytest.mark.parametrize("report", [None, "report.jsonl"])
def test_a_folder_that_is_not_there_is_named_before_the_crawl(tmp_path: Path, report: str | None) -> None:
    with pytest.raises(UserError, match=r"i\.csv: there is no folder .*nowhere: make it, or name another one"):
        Output(tmp_path / "nowhere/i.csv", tmp_path / report if report else None, SCHEMA, TASK)


def test_an_interrupted_crawl_leaves_nothing_half_written_and_takes_up_where_it_was(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    items.write_text("the old one\n")
    urls = [f"https://x.example/{n}" for n in (1, 2, 3)]
    with Output(items, None, SCHEMA, TASK) as out:
        out.add(report(1, ONE))
        out.add(report(2, status=PageStatus.ERROR))
    assert items.read_text() == "the old one\n"
    kept = tmp_path / ".items.jsonl.part"
    kept.write_text(kept.read_text() + '{"url": "https://x.example/3", "fam')  # killed while it wrote
    with Output(items, None, SCHEMA, TASK) as out:
        assert list(out.done) == urls[:1]
        out.add(report(2, TWO))
        out.add(report(3, ONE))
        out.finish()
    assert [json.loads(line) for line in items.read_text().splitlines()] == [ONE, TWO, ONE]
    assert not kept.exists()


def test_what_another_task_has_left_is_not_taken_up(tmp_path: Path) -> None:
    with Output(tmp_path / "i.csv", None, SCHEMA, TASK) as out:
        out.add(report(1, ONE))
    with Output(tmp_path / "i.csv", None, SCHEMA, TASK | {"version": 2}) as out:
        assert out.done == {}


def test_what_was_left_yesterday_is_not_taken_up(tmp_path: Path) -> None:
    with Output(tmp_path / "i.csv", None, SCHEMA, TASK) as out:
        out.add(report(1, ONE))
    kept = tmp_path / ".i.csv.part"
    os.utime(kept, (kept.stat().st_atime, kept.stat().st_mtime - 25 * 3600))
    with Output(tmp_path / "i.csv", None, SCHEMA, TASK) as out:
        assert out.done == {}


def test_a_later_report_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    with Output(tmp_path / "i.jsonl", tmp_path / "r.jsonl", SCHEMA, TASK) as out:
        out.add(report(1, status=PageStatus.DRIFT))
        out.add(report(1, TWO))
        out.finish()
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 1
    assert json.loads((tmp_path / "i.jsonl").read_text()) == TWO


def test_without_files_nothing_is_written(tmp_path: Path) -> None:
    with Output(None, None, SCHEMA, TASK) as out:
        out.add(report(1, ONE))
        out.finish()
    assert list(tmp_path.iterdir()) == []


def test_two_crawls_never_write_the_same_files(tmp_path: Path) -> None:
    with (
        Output(tmp_path / "items.jsonl", None, SCHEMA, {"urls": "a"}),
        pytest.raises(UserError, match="another crawl writes the same files"),
        Output(tmp_path / "items.jsonl", None, SCHEMA, {"urls": "b"}),
    ):
        pass
