"""A registry that is damaged, full, newer or tampered with says so, and is left as it was."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from crawloop.errors import ConfigError, CrawloopError, RegistryError
from crawloop.registry import SqlStore
from crawloop.registry.golden import GoldenFolder
from tests.fakes.promotions import SHOP, T1, T2, golden, promote


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "registry.db"


def opened(path: Path) -> SqlStore:
    return SqlStore(f"sqlite:///{path}", path.parent / "fixtures")


def closed(store: SqlStore) -> None:
    store.close()


def execute(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def refused(path: Path) -> str:
    """The message of the refusal to open `path`, which must stay byte for byte as it was."""
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(RegistryError) as caught:
        opened(path)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    return str(caught.value)


def test_a_file_that_is_no_database_is_left_alone(path: Path) -> None:
    path.write_bytes(b"this is not a database, but somebody may still need it\n" * 100)
    message = refused(path)
    assert str(path) in message
    assert "restore a backup" in message


def test_a_damaged_registry_is_left_alone(path: Path) -> None:
    store = opened(path)
    promote(store)
    closed(store)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    assert "damaged" in refused(path)


def test_a_registry_of_a_newer_program_is_left_alone(path: Path) -> None:
    closed(opened(path))
    execute(path, "UPDATE crawloop_schema SET version = 99")
    message = refused(path)
    assert "schema 99" in message
    assert "Upgrade crawloop" in message


def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    execute(path, "CREATE TABLE families (anything TEXT)")
    assert "crawloop did not make" in refused(path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match="folder exists"):
        opened(tmp_path / "nowhere" / "registry.db")


@pytest.mark.parametrize("url", ["registry.db", "mysql://x/y", "sqlite://", "sqlite:///:memory:"])
def test_a_url_that_cannot_be_a_registry_is_a_mistake_of_the_user(url: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="sqlite:///registry.db"):
        SqlStore(url, tmp_path)


def test_a_password_is_never_shown(tmp_path: Path) -> None:
    with pytest.raises(CrawloopError) as caught:
        SqlStore("postgresql://user:s3cret@127.0.0.1:1/x", tmp_path)
    assert "s3cret" not in str(caught.value)


def test_a_source_that_was_changed_is_not_run(path: Path) -> None:
    store = opened(path)
    promote(store)
    execute(path, "UPDATE versions SET source = source || '# changed'")
    with pytest.raises(RegistryError, match="hash differs"):
        store.versions(SHOP.name)
    with pytest.raises(RegistryError, match="hash differs"):
        store.rollback(SHOP.name, 1, T2)
    closed(store)


def test_a_failed_transaction_takes_its_golden_files_back(path: Path) -> None:
    store = opened(path)
    promote(store, golden("one"))
    execute(path, "CREATE TRIGGER no BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no more entries'); END")
    fixtures = path.parent / "fixtures"
    before = sorted(fixtures.rglob("*"))
    with pytest.raises(RegistryError, match="no more entries"):
        promote(store, golden("one", html="<h1>new</h1>"), golden("two"), run="r2", at=T2)
    assert sorted(fixtures.rglob("*")) == before
    assert len(store.versions(SHOP.name)) == 1
    execute(path, "DROP TRIGGER no")
    assert promote(store, golden("one"), run="r3", at=T2) == 2
    closed(store)


def test_golden_files_that_cannot_be_written_promote_nothing(path: Path) -> None:
    store = opened(path)
    fixtures = path.parent / "fixtures"
    fixtures.write_text("a file stands where the folder should")
    with pytest.raises(RegistryError, match="nothing was promoted"):
        promote(store, golden("one"))
    assert store.versions(SHOP.name) == []
    assert store.entries() == []
    closed(store)


def test_leftovers_of_a_killed_promotion_are_written_over(path: Path) -> None:
    left = path.parent / "fixtures" / "shop.example" / "product" / "v1-one"
    left.mkdir(parents=True)
    (left / "page.html").write_text("half")
    store = opened(path)
    assert store.goldens(SHOP.name) == []
    promote(store, golden("one"))
    assert [g.records for g in store.goldens(SHOP.name, 0)] == [golden("one").records]
    closed(store)


def test_a_page_that_is_written_again_keeps_what_the_new_program_does_not_read(tmp_path: Path) -> None:
    """As after a fresh clone: golden pages are in git, the registry is not."""
    shelf = GoldenFolder(tmp_path)
    old = golden("one", records=({"title": "Käse", "was": 19.9, "sku": None},), saved_at=T1)
    shelf.write([old], "Product@1")
    shelf.write([replace(old, records=({"title": "Käse"},), saved_at=T2)], "Product@1")
    assert shelf.read(SHOP.name, "one") == old
    shelf.write([replace(old, records=({"title": "Cheese", "sku": "7"},), saved_at=T2)], "Product@1")
    again = shelf.read(SHOP.name, "one")
    assert again
    assert (again.records, again.saved_at) == (({"title": "Cheese", "was": 19.9, "sku": "7"},), T2)
    shelf.write([replace(old, html="<h1>another page", records=({"title": "Cheese"},))], "Product@1")
    assert [one.records for one in [shelf.read(SHOP.name, "one")] if one] == [({"title": "Cheese"},)]


def test_golden_files_are_fit_for_review(path: Path) -> None:
    store = opened(path)
    promote(store, golden("one"))
    folder = path.parent / "fixtures" / "shop.example" / "product" / "v1-one"
    assert sorted(file.name for file in folder.iterdir()) == ["meta.json", "page.html", "records.json"]
    assert '"title": "Käse"' in (folder / "records.json").read_text("utf-8")
    meta = json.loads((folder / "meta.json").read_text("utf-8"))
    assert (meta["url"], meta["epoch"], meta["version"], meta["schema"]) == (golden("").url, 0, 1, "Product@1")
    (folder / "records.json").write_text('[{"title": "corrected by a person"}]')
    assert store.goldens(SHOP.name, 0)[0].records == ({"title": "corrected by a person"},)
    (folder / "records.json").write_text("[{")
    with pytest.raises(RegistryError, match=r"records\.json is not JSON"):
        store.goldens(SHOP.name, 0)
    (folder / "records.json").write_text("[" * 100_000)
    with pytest.raises(RegistryError, match=r"records\.json is not JSON"):
        store.goldens(SHOP.name, 0)
    (folder / "records.json").write_text('["a"]')
    with pytest.raises(RegistryError, match="list of objects"):
        store.goldens(SHOP.name, 0)
    closed(store)


FULL = """
import resource, sys
from pathlib import Path
from crawloop.errors import RegistryError
from crawloop.model.page import Page
from crawloop.registry import SqlStore
import random
store = SqlStore(sys.argv[1], Path(sys.argv[2]))
limit = 2_000_000
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
noise = random.Random(0)
saved = 0
try:
    while True:
        store.save_page(Page(f"u{saved}", noise.randbytes(100_000).hex()))
        saved += 1
except RegistryError as error:
    print(saved, error)
"""


def test_a_full_disk_leaves_nothing_half_written(path: Path) -> None:
    closed(opened(path))
    command = [sys.executable, "-c", FULL, f"sqlite:///{path}", str(path.parent)]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    saved, _, message = told.partition(" ")
    assert "make room on the disk" in message
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for table in ("pages", "bodies"):
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (int(saved),)
    connection.close()
