"""What people get wrong and what the world sends: one clear line, the right exit code, nothing lost or half-written."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from crawloop.cli import run
from tests.fakes import kettles as shop
from tests.fakes import shop as other
from tests.fakes import workspace as home
from tests.fakes.server import Reply, Server
from tests.fakes.warc import warc

NAME = shop.NAME
HUGE = 50_000_000


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with one version and an archive; it is the current folder."""
    made = home.workspace(tmp_path / "ws")
    home.promote(made)
    home.archive(made / "old", home.old_pages(1, 2, 3))
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def refusal(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs a command that must be refused with one line and without a trace, and returns the line."""

    def of(*words: str) -> str:
        before = _files(folder)
        assert run(words) == 2
        out = capsys.readouterr()
        assert out.out == ""
        assert re.fullmatch(r"crawloop: [^\n]+\n", out.err), out.err
        assert _files(folder) == before
        return out.err

    return of


def _files(folder: Path) -> dict[str, bytes]:
    """All that a person would miss. The registry's log and locks are its own affair."""
    kept = (path for path in folder.rglob("*") if path.is_file() and "registry.db" not in str(path))
    return {str(path): path.read_bytes() for path in kept}


BOOTSTRAP = ("bootstrap", "new/family", "--schema", "Product@1", "--archive", "old")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import nothing_of_that_name", r"schemas/product\.py.*nothing_of_that_name"),
        ("class Product(:", r"schemas/product\.py.*line 1"),
        ("class Product: pass", r"no pydantic model Product in .*schemas"),
        ("raise SystemExit(3)", r"schemas/product\.py.*SystemExit"),
        ("1 / 0", r"schemas/product\.py.*ZeroDivisionError"),
    ],
)
def test_a_schema_that_does_not_import(text: str, message: str, folder: Path, refusal: Callable[..., str]) -> None:
    (folder / "schemas" / "product.py").write_text(text)
    assert re.search(message, refusal(*BOOTSTRAP))
    assert re.search(message, refusal("crawl", NAME, "--archive", "old"))


def test_a_corrupt_registry_is_named_and_left_as_it_is(folder: Path, refusal: Callable[..., str]) -> None:
    (folder / "registry.db").write_bytes(b"this is no database, but it was long enough to be one " * 100)
    before = (folder / "registry.db").read_bytes()
    for words in (("families",), ("crawl", NAME, "--archive", "old"), ("regen", NAME, "--archive", "old")):
        assert re.search(r"registry .*registry\.db: .*not a database; it is damaged.*restore a backup", refusal(*words))
    assert (folder / "registry.db").read_bytes() == before


def test_a_program_that_was_changed_in_the_registry_is_never_run(folder: Path, refusal: Callable[..., str]) -> None:
    with sqlite3.connect(folder / "registry.db") as database:
        (table,) = database.execute("select name from sqlite_master where name like '%version%' and type='table'")
        database.execute(f"update {table[0]} set source = 'def extract(page): return [{{}}]'")
    database.close()
    assert NAME in refusal("crawl", NAME, "--archive", "old")


@pytest.mark.parametrize(
    "line", ["ftp://shop.example/x", "/p/4", "shop.example/p/4", "https://", "https://a b/", "http://x:port/"]
)
def test_a_list_of_urls_with_a_junk_line(line: str, folder: Path, refusal: Callable[..., str]) -> None:
    (folder / "urls.txt").write_text(f"{shop.url(1)}\n\n# a remark\n{line}\n{shop.url(2)}\n")
    said = refusal("crawl", NAME, "--archive", "old", "--from", "urls.txt", "-o", "items.jsonl")
    assert f"urls.txt, line 4: {line!r} is not an http(s) URL: mend or remove the line" in said


def test_lists_that_cannot_be_read(folder: Path, refusal: Callable[..., str]) -> None:
    (folder / "urls.txt").write_bytes(b"https://shop.example/\xff\n")
    assert "urls.txt: is not UTF-8 at byte 21" in refusal("crawl", NAME, "--from", "urls.txt")
    assert "nowhere.txt: cannot be read" in refusal("crawl", NAME, "--from", "nowhere.txt")
    assert "'p/4' is not an http(s) URL" in refusal("crawl", NAME, "p/4")
    assert "'p/4' is not an http(s) URL" in refusal("regen", NAME, "p/4")


@pytest.mark.parametrize(
    ("example", "message"),
    [
        ({"url": shop.url(1), "records": [{"title": "x", "price": "cheap"}]}, r"records\[0\]\.price"),
        ({"url": shop.url(1), "records": [{"titel": "x"}]}, "did you mean 'title'"),
        ({"records": []}, "url: is missing"),
        ({"url": shop.url(1), "records": [{"title": "x", "absent": ["title"]}]}, "has a value and is called absent"),
        ("not an object", "is no JSON object"),
    ],
)
def test_an_example_that_contradicts_the_schema(
    example: object, message: str, folder: Path, refusal: Callable[..., str]
) -> None:
    good = json.dumps({"url": shop.url(2), "records": [{"title": "Kettle number 2"}]})
    (folder / "right.jsonl").write_text(f"{good}\n{json.dumps(example)}\n")
    said = refusal(*BOOTSTRAP, "--examples", "right.jsonl")
    assert "right.jsonl:2: " in said
    assert re.search(message, said)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[policy", "not valid TOML"),
        ("[policy]\nsample = 3", "unknown key policy.sample: did you mean samples?"),
        ("[fetch]\nmax_bytes = 50000000", "fetch.max_bytes"),
        ('[places]\nregistry = "mysql://x/y"', "neither a SQLite file nor Postgres"),
    ],
)
def test_a_bad_configuration(text: str, message: str, folder: Path, refusal: Callable[..., str]) -> None:
    (folder / "crawloop.toml").write_text(text)
    assert message in refusal("crawl", NAME, "--archive", "old")


def test_what_is_not_there_is_named_with_what_is(folder: Path, refusal: Callable[..., str]) -> None:
    assert "nowhere: no such archive; --archive takes a folder" in refusal("crawl", NAME, "--archive", "nowhere")
    assert "nowhere: no such archive" in refusal("regen", NAME, "--archive", "nowhere")
    assert "right.jsonl: cannot be read" in refusal("regen", NAME, "--archive", "old", "--examples", "right.jsonl")
    assert f"did you mean {NAME}?" in refusal("crawl", "shop.example/produkt", "--archive", "old")
    assert "no pydantic model Recipe" in refusal("bootstrap", "x", "--archive", "old", "--schema", "Recipe@1")
    assert "Product@1" in refusal("bootstrap", "x", "--archive", "old", "--schema", "Product@7")
    assert "--workspace nowhere: no such folder" in refusal("--workspace", "nowhere", "families")
    assert "--since yesterday: use an ISO date" in refusal("audit", "--since", "yesterday")
    assert "no audit entry 99: `crawloop audit`" in refusal("audit", "show", "99")
    assert "versions are 1" in refusal("rollback", NAME, "9")


def test_each_command_names_the_other_one(folder: Path, refusal: Callable[..., str]) -> None:
    assert f"has version 1 already: use `crawloop regen {NAME}`" in refusal(
        "bootstrap", NAME, "--schema", "Product@1", "--archive", "old"
    )
    said = refusal("regen", "other/family", "--archive", "old")
    assert "no family 'other/family' here: use `crawloop bootstrap other/family URL… --schema NAME@N`" in said


def test_options_that_contradict_each_other(folder: Path, refusal: Callable[..., str]) -> None:
    assert "--no-llm and --model" in refusal("regen", NAME, "--archive", "old", "--no-llm", "--model", "m")
    said = refusal("regen", NAME, "--archive", "old", "--samples", "2", "--min-oracles", "3")
    assert "min_oracles is 3" in said
    assert "lower min_oracles or raise samples" in said
    assert "has no page to look at: name URLs, or --archive PATH" in refusal("bootstrap", "x", "--schema", "Product@1")


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
def test_a_warc_file_that_is_cut_off(packed: bool, share: float, folder: Path, refusal: Callable[..., str]) -> None:
    html = [("Content-Type", "text/html")]
    responses = [(url, "200 OK", html, page.encode()) for url, page in home.old_pages(1, 2, 3).items()]
    whole = warc(*responses, packed=packed)
    (folder / "a.warc").write_bytes(whole[: int(share * len(whole))])
    said = refusal("crawl", NAME, "--archive", "a.warc", "-o", "items.csv")
    assert "a.warc: " in said
    (folder / "a.warc").write_bytes(whole)
    assert run(["crawl", NAME, "--archive", "a.warc", "-o", "items.csv"]) == 0


def hostile() -> dict[str, str]:
    """Pages that must not reach the parser, beside one that may."""
    return {
        shop.url(7): "<html><body>" + "<div>" * 100_000,
        shop.url(8): "<html><body>" + "x" * HUGE,
        shop.url(1): shop.old_page(1),
    }


def test_hostile_pages_of_an_archive_are_errors_in_a_crawl_and_the_rest_is_served(folder: Path) -> None:
    home.archive(folder / "hostile", hostile())
    assert run(["crawl", NAME, "--archive", "hostile", "--report", "report.jsonl"]) == 4
    rows = [json.loads(line) for line in (folder / "report.jsonl").read_text().splitlines()]
    assert [row["status"] for row in rows] == ["error", "error", "ok"]
    assert "nested" in rows[0]["problems"][0] or "deep" in rows[0]["problems"][0]
    assert "larger than 20 MB" in rows[1]["problems"][0]


def test_hostile_pages_are_dropped_by_the_loop_with_the_reason(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.archive(folder / "hostile", hostile())
    assert run(["regen", NAME, "--archive", "hostile", "--no-llm", "--json"]) == 3
    pages = json.loads(capsys.readouterr().out)["pages"]
    roles = {page["url"]: (page["role"], page["why"]) for page in pages}
    assert {url for url, (role, _) in roles.items() if role == "dropped"} == {shop.url(7), shop.url(8)}
    assert all(roles[shop.url(n)][1].startswith("refused: ") for n in (7, 8))


def test_hostile_pages_over_http_are_errors_and_the_rest_is_served(folder: Path) -> None:
    pages = list(hostile().values())
    with Server({f"/{n}": Reply(html.encode()) for n, html in enumerate(pages)}) as server:
        urls = [f"{server.url}/{n}" for n in range(3)]
        assert run(["crawl", NAME, *urls, "--report", "report.jsonl"]) == 4
    rows = [json.loads(line) for line in (folder / "report.jsonl").read_text().splitlines()]
    assert [row["status"] for row in rows] == ["error", "error", "ok"]
    assert "larger than 20 MB" in rows[1]["problems"][0]


def test_half_characters_in_a_page_are_served_as_text_that_every_file_can_hold(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "product.py").write_text(other.SCHEMA)
    pages = {other.url(n): other.old_page(n).replace("solid", "\\ud83d solid", 1) for n in range(1, 7)}
    home.archive(tmp_path / "pages", pages)

    def crawloop(*words: str) -> str:
        where = {"PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONIOENCODING": "ascii"}
        command = [sys.executable, "-m", "crawloop", *words, "--archive", "pages"]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=tmp_path, env=os.environ | where
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    crawloop("bootstrap", other.FAMILY, "--schema", "Product@1", "--no-llm")
    rows = [json.loads(line) for line in crawloop("crawl", other.FAMILY).splitlines()]
    assert rows[0]["material"] == "\ufffd solid oak, batch 1"
    crawloop("crawl", other.FAMILY, "-o", "items.csv")
    assert "\ufffd solid oak, batch 1" in (tmp_path / "items.csv").read_text("utf-8")
