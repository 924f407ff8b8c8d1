"""The commands over a family that was promoted by hand: what they print, write and return."""

from __future__ import annotations

import csv
import gzip
import json
import os
import pty
import re
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from crawloop.cli import run
from crawloop.cli.console import progress
from crawloop.model.events import PageFetched
from tests.fakes import kettles as shop
from tests.fakes import workspace as home
from tests.fakes.server import Reply, Server

NAME = shop.NAME


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with one version, and archives of both layouts; it is the current folder."""
    made = home.workspace(tmp_path / "ws")
    home.promote(made)
    home.archive(made / "old", home.old_pages(*range(1, 7)))
    home.archive(made / "new", home.new_pages(*range(1, 7)))
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def both(folder: Path) -> Path:
    """The same with a second version, of the redesign."""
    home.promote(folder, home.NEW, new_epoch=True)
    return folder


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Any:
    """What a command prints as JSON."""
    capsys.readouterr()
    assert run(words) == code, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def lines(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """What a command prints for a person."""
    capsys.readouterr()
    assert run(words) == code, capsys.readouterr().err
    return capsys.readouterr().out


def test_families_and_versions_say_the_same_in_both_forms(both: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (family,) = said(capsys, "families", "--json")
    assert (family["name"], family["active"], family["versions"]) == (NAME, 2, 2)
    assert re.search(rf"{NAME} .* healthy .* 2 ", lines(capsys, "families"))
    ladder = said(capsys, "versions", NAME, "--json")
    assert [(one["number"], one["epoch"], one["active"]) for one in ladder] == [(1, 0, False), (2, 1, True)]
    assert re.search(r"2 \* .* dom .* 1 ", lines(capsys, "versions", NAME))


def test_show_prints_the_program_and_with_why_its_paths(both: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert home.NEW.strip() in lines(capsys, "show", NAME)
    assert "3 of 3 pages" not in lines(capsys, "show", f"{NAME}@1")
    old = lines(capsys, "show", f"{NAME}@1", "--why")
    assert shop.OLD.strip() in old
    assert "title\n  h1.title: 3 of 3 pages" in old
    assert said(capsys, "show", f"{NAME}@1", "--json")["notes"] == {"title": ["h1.title: 3 of 3 pages"]}


def test_diff_is_that_of_the_programs(both: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = lines(capsys, "diff", NAME, "1", "2")
    assert '-        "title": page.text("h1.title"),\n' in text
    assert '+        "title": page.text("h2.headline"),\n' in text
    assert said(capsys, "diff", NAME, "1", "2", "--json")["diff"] == text.splitlines()
    assert "the same program" in lines(capsys, "diff", NAME, "2", "2")


def test_after_a_rollback_the_older_version_serves_what_it_fits(both: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = said(capsys, "crawl", NAME, "--archive", "new", "--json")
    assert {(page["version"], page["status"]) for page in before["pages"]} == {(2, "ok")}
    assert said(capsys, "rollback", NAME, "1", "--json")["number"] == 1
    after = said(capsys, "crawl", NAME, "--archive", "old", "--json")
    assert {(page["version"], page["status"]) for page in after["pages"]} == {(1, "ok")}
    again = said(capsys, "crawl", NAME, "--archive", "new", "--json")
    assert {(page["version"], page["status"]) for page in again["pages"]} == {(2, "variant")}
    assert lines(capsys, "rollback", NAME, "2") == f"{NAME}: version 2 is active\n"
    assert len(said(capsys, "versions", NAME, "--json")) == 2


def test_without_files_records_are_lines_on_stdout_and_nothing_else(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [json.loads(line) for line in lines(capsys, "crawl", NAME, "--archive", "old").splitlines()]
    assert rows == [shop.record(n) for n in range(1, 7)]


@pytest.mark.parametrize("name", ["items.jsonl", "items.csv", "items.parquet"])
def test_records_go_to_the_file_one_a_row(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    assert lines(capsys, "crawl", NAME, "--archive", "old", "-o", name) == ""
    assert [row["title"] for row in _rows(folder / name)] == [f"Kettle number {n}" for n in range(1, 7)]
    assert [float(row["price"]) for row in _rows(folder / name)] == [10.5 + n for n in range(1, 7)]


def _rows(file: Path) -> list[dict[str, Any]]:
    if file.suffix == ".csv":
        return list(csv.DictReader(file.read_text().splitlines()))
    if file.suffix == ".jsonl":
        return [json.loads(line) for line in file.read_text().splitlines()]
    from pyarrow import parquet

    rows: list[dict[str, Any]] = parquet.read_table(file).to_pylist()
    return rows


def test_the_report_has_a_line_a_page_in_the_order_of_the_list(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = [shop.url(3), "https://shop.example/p/99", shop.url(1)]
    (folder / "urls.txt").write_text("# three pages\n\n" + "\n".join(wanted) + f"\n{shop.url(3)}\n")
    assert run(["crawl", NAME, "--archive", "old", "--from", "urls.txt", "--report", "report.jsonl"]) == 4
    rows = [json.loads(line) for line in (folder / "report.jsonl").read_text().splitlines()]
    assert [(row["url"], row["status"]) for row in rows] == list(zip(wanted, ["ok", "error", "ok"], strict=True))
    assert list(rows[0]) == ["url", "family", "version", "status", "records", "residual", "problems"]
    assert "not in the archive" in rows[1]["problems"][0]
    assert "2 ok, 1 error" in capsys.readouterr().err


def test_without_urls_all_pages_of_the_archive_are_crawled(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines(capsys, "crawl", NAME, shop.url(2), "--archive", "old")
    home.archive(folder / "more", home.old_pages(8, 9))
    pages = said(capsys, "crawl", NAME, "--archive", "more", "--json")["pages"]
    assert [page["url"] for page in pages] == [shop.url(8), shop.url(9)]


def test_several_captures_of_a_page_are_warned_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, day in (("a", "2026-01-02"), ("b", "2026-01-01")):
        (folder / "old" / f"{name}.html").write_text(shop.old_page(7, brand=f"Brand of {day}"))
        (folder / "old" / f"{name}.json").write_text(json.dumps({"url": shop.url(7), "date": day}))
    assert run(["crawl", NAME, shop.url(7), "--archive", "old"]) == 0
    out = capsys.readouterr()
    assert json.loads(out.out)["brand"] == "Brand of 2026-01-02"
    assert f"{shop.url(7)}: 2 captures" in out.err
    assert "newest (2026-01-02)" in out.err


def test_healing_that_needs_a_person_names_the_audit_entry_and_then_cools_down(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.archive(folder / "junk", {shop.url(n): home.document(f"<h1>Sale {n}</h1>") for n in range(1, 7)})
    assert run(["crawl", NAME, "--archive", "junk", "--heal"]) == 4
    found = re.search(r"not healed: .*; see `crawloop audit show (\d+)`", capsys.readouterr().err)
    assert found
    assert said(capsys, "audit", "show", found[1], "--json")["kind"] == "FamilyEscalated"
    assert run(["crawl", NAME, "--archive", "junk", "--heal"]) == 4
    assert "cools down until" in capsys.readouterr().err
    assert len(said(capsys, "audit", "--escalated", "--json")) == 1


def test_audit_lists_by_family_kind_and_date(both: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines(capsys, "rollback", NAME, "1")
    assert [e["kind"] for e in said(capsys, "audit", NAME, "--json")] == [*["VersionPromoted"] * 2, "RolledBack"]
    assert [e["kind"] for e in said(capsys, "audit", "--since", "2026-02-01", "--json")] == ["RolledBack"]
    assert len(said(capsys, "audit", "--since", "2026-01-01T01:00+01:00", NAME, "--json")) == 3
    assert said(capsys, "audit", "--escalated", "--json") == []
    assert re.search(r"3 .* RolledBack .* version 1, before 2", lines(capsys, "audit"))
    assert lines(capsys, "audit", "--escalated") == "no entries\n"
    assert said(capsys, "audit", "show", "3")["before"] == 2
    assert "promoted version 2 by dom" in lines(capsys, "audit", "show", "2")


def test_a_family_is_forgotten_only_where_it_is_said_twice(both: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Server({"/p/1": Reply(b"<h1>gone</h1>", 404)}) as server:
        assert run(["crawl", NAME, f"{server.url}/p/1"]) == 4
    assert list((both / "archive" / NAME).rglob("*.warc.gz"))
    capsys.readouterr()
    assert run(["forget", NAME]) == 2
    asked = capsys.readouterr().err
    for word in ("2 versions", "the golden pages in", "what is known of", "the kept pages in", "give --yes too"):
        assert word in asked
    assert said(capsys, "families", "--json")
    gone = said(capsys, "forget", NAME, "--yes", "--json")
    assert (gone["family"], gone["versions"], gone["goldens"]) == (NAME, 2, 6)
    assert said(capsys, "families", "--json") == []
    assert not (both / "archive" / NAME).exists()
    assert not (both / "fixtures" / NAME).exists()
    assert said(capsys, "audit", "--json")[-1]["kind"] == "FamilyForgotten"
    assert run(["forget", NAME, "--yes"]) == 2
    assert "no family" in capsys.readouterr().err


def test_a_version_that_is_named_apart_is_told_how_it_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", NAME, "1"]) == 2
    assert f"`crawloop show {NAME}@1`" in capsys.readouterr().err


def test_a_pipe_gets_no_colour_and_no_progress(both: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["versions", NAME], ["families"], ["audit"], ["show", NAME], ["crawl", NAME, "--archive", "new"]):
        assert run(words) == 0
        out = capsys.readouterr()
        assert "\x1b" not in out.out + out.err
        assert out.err in ("", f"{NAME}: 6 ok\n")


def test_a_pipe_gets_lines_of_progress_on_stderr_where_they_are_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["crawl", NAME, "--archive", "old", "--progress", "--with-url"]) == 0
    out = capsys.readouterr()
    first, *_ = out.err.splitlines()
    assert first == f"{NAME}: 0 of 6 pages"
    assert out.err.splitlines()[-1] == f"{NAME}: 6 ok"
    assert [json.loads(line) for line in out.out.splitlines()] == [
        {"page_url": shop.url(n), **shop.record(n)} for n in range(1, 7)
    ]


def test_progress_is_told_after_a_hundred_pages_or_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now, lines = [0.0], list[str]()
    monkeypatch.setattr("crawloop.cli.console.time.monotonic", lambda: now[0])
    monkeypatch.setattr("crawloop.cli.console.click.echo", lambda line, err: lines.append(line))
    with progress("shop", always=True) as show:
        for done in range(251):
            now[0] += 0.001
            show.count(done, 500)
        for n in range(3):
            now[0] += 0.7
            show(PageFetched("shop", shop.AT, "", shop.url(n), 200, 0.7))
    assert lines == [
        "shop: 0 of 500 pages",
        "shop: 100 of 500 pages",
        "shop: 200 of 500 pages",
        "shop: 250 of 500 pages, 2 fetched",
    ]


def test_a_terminal_sees_progress_on_stderr_and_stdout_stays_clean(folder: Path) -> None:
    terminal, side = pty.openpty()
    where = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "xterm"}
    words = [sys.executable, "-m", "crawloop", "crawl", NAME, "--archive", "old"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=side, env=where, text=True) as crawl:
        os.close(side)
        seen = ""
        with suppress(OSError):  # how the end of a terminal is told
            while chunk := os.read(terminal, 10_000):
                seen += chunk.decode()
        assert crawl.stdout
        out = crawl.stdout.read()
    os.close(terminal)
    assert [json.loads(line) for line in out.splitlines()] == [shop.record(n) for n in range(1, 7)]
    assert f"{NAME}: " in seen
    assert "\x1b[" in seen


@pytest.mark.parametrize("mark", ["crawloop.toml", "registry.db", "schemas"])
def test_the_workspace_is_the_nearest_folder_upward(
    mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inner = tmp_path / "home" / "some" / "where"
    inner.mkdir(parents=True)
    (tmp_path / "home" / mark).mkdir() if mark == "schemas" else (tmp_path / "home" / mark).touch()
    monkeypatch.chdir(inner)
    rows = {row["what"]: row["detail"] for row in said(capsys, "doctor", "--json")}
    assert rows["workspace"] == str(tmp_path / "home")
    rows = {row["what"]: row["detail"] for row in said(capsys, "--workspace", ".", "doctor", "--json")}
    assert rows["workspace"] == str(inner)


def test_doctor_names_what_is_broken_and_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOME_API_KEY", "the secret itself")
    rows = {row["what"]: (row["state"], row["detail"]) for row in said(capsys, "doctor", "--json")}
    assert rows["database"] == ("ok", f"{tmp_path / 'registry.db'} is made on first use")
    assert "SOME_API_KEY" in rows["keys"][1]
    assert list(tmp_path.iterdir()) == []
    assert "the secret itself" not in lines(capsys, "doctor")
    (tmp_path / "registry.db").write_text("no database, and long enough not to be an empty one " * 9)
    assert {row["what"]: row["state"] for row in said(capsys, "doctor", "--json")}["database"] == "broken"
    (tmp_path / "crawloop.toml").write_text('[render]\nfamilies = ["shop.example/p"]\nbrowser = "/nowhere/chromium"')
    rows = {row["what"]: (row["state"], row["detail"]) for row in said(capsys, "doctor", "--json")}
    assert rows["browser"][0] == "broken"
    assert rows["browser"][1].startswith("shop.example/p: ")
    (tmp_path / "crawloop.toml").write_text("[polcy]")
    assert "did you mean policy?" in lines(capsys, "doctor")


def test_init_writes_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "init", str(tmp_path / "new"), "--json")
    assert told["written"] == ["schemas/product.py", "crawloop.toml"]
    before = (tmp_path / "new" / "crawloop.toml").read_text()
    assert run(["init", str(tmp_path / "new")]) == 2
    assert "is there already: edit it, or choose another folder" in capsys.readouterr().err
    (tmp_path / "file").touch()
    assert run(["init", str(tmp_path / "file")]) == 2
    assert (tmp_path / "new" / "crawloop.toml").read_text() == before


def test_a_crawl_that_drifts_says_why_and_what_to_do_on_stderr(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(("crawl", NAME, "--archive", "new", "-o", "items.jsonl")) == 4
    err = capsys.readouterr().err
    assert f"{NAME}: 6 drift" in err
    assert re.search(r"drift, for one: \S+: \w", err)
    assert f"`crawloop regen {NAME} --archive new`" in err
    assert run(("crawl", NAME, "--archive", "old", "-o", "items.jsonl")) == 0
    assert capsys.readouterr().err.strip() == f"{NAME}: 6 ok"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("crawl", NAME, "http://anna:secret@127.0.0.1:1/p/1"), 4),
        (("crawl", NAME, "htp://anna:secret@shop.example/p/1"), 2),
        (("bootstrap", "other/p", "http://anna:secret@127.0.0.1:1/p/1", "--schema", "Product@1", "--no-llm"), 3),
    ],
)
def test_no_message_shows_the_password_of_a_url(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int
) -> None:
    (folder / "crawloop.toml").write_text("[fetch]\nretries = 0")
    assert run(words) == code
    out, err = capsys.readouterr()
    assert "secret" not in out + err
    assert "anna:***@" in out + err


def test_no_output_archive_or_audit_holds_the_password_of_a_url(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Server({f"/p/{n}": Reply(shop.new_page(n).encode()) for n in range(1, 9)}) as server:
        urls = [f"{server.url}/p/{n}".replace("http://", "http://anna:secret@") for n in range(1, 9)]
        (folder / "urls.txt").write_text("\n".join(urls))
        words = ["--from", "urls.txt", "--report", "report.jsonl", "-o", "items.jsonl", "--with-url", "--progress"]
        assert run(["crawl", NAME, *words]) == 4
        assert run(["crawl", NAME, *urls, "--json"]) == 4
        assert run(["bootstrap", "other/p", *urls[:3], "--schema", "Product@1", "--no-llm", "--json"]) in (0, 3)
    for words in (["audit", "--json"], ["families", "--json"], ["audit"]):
        assert run(words) == 0
    said = "".join(capsys.readouterr())
    assert "anna:***@" in said
    kept = [file for name in ("archive", "fixtures") for file in (folder / name).rglob("*") if file.is_file()]
    files = [folder / "report.jsonl", folder / "items.jsonl", *kept]
    assert len([file for file in files if file.suffix == ".gz"]) >= 1
    bodies = [gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes() for file in files]
    assert "secret" not in said
    assert not [file for file, body in zip(files, bodies, strict=True) if b"secret" in body]
    with sqlite3.connect(folder / "registry.db") as registry:
        assert not registry.execute("SELECT body FROM audit WHERE body LIKE '%secret%'").fetchall()
