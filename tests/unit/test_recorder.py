"""Pages are kept as they were served, once, within the bound, and can be served again whatever ended the writer."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from crawloop.crawl.archive import ArchiveFetcher, Recorder
from crawloop.model.page import Page

FAMILY = "shop.example/product"
NOW = "2026-01-31T12:00:00Z"


def page(number: int, text: str = "Käse", **said: object) -> Page:
    kind = "text/html; charset=iso-8859-1"
    body = f"<p>{text}".encode("latin-1")
    made = {"status": 200, "final_url": "", "content_type": kind, "fetched_at": NOW, "body": body} | said
    return Page(f"https://x.example/{number}", body.decode("latin-1"), **made)  # type: ignore[arg-type]


class Runs:
    """Runs of one family, each with a recorder of its own."""

    def __init__(self, root: Path, max_mb: int = 1) -> None:
        self.root = root
        self.max_mb = max_mb
        self.warnings: list[str] = []

    def keep(self, *pages: Page, at: str = NOW) -> Path:
        recorder = Recorder(self.root, FAMILY, self.max_mb, lambda: at, self.warnings.append)
        for one in pages:
            recorder.keep(one)
        recorder.close()
        return recorder.folder or self.root

    @property
    def files(self) -> list[Path]:
        return sorted((self.root / FAMILY).rglob("*.warc.gz"))

    @property
    def size(self) -> int:
        return sum(path.stat().st_size for path in self.files)


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path / "archive")


def served(folder: Path, url: str) -> Page:
    return asyncio.run(ArchiveFetcher(folder).fetch(url))


def noise(seed: int, size: int) -> str:
    """Text that no compression makes small."""
    return "".join(random.Random(seed).choices("0123456789abcdefghijklmnopqrstuvwxyz", k=size))


def test_a_page_comes_back_as_it_was_served(runs: Runs) -> None:
    one = page(1, status=403, final_url="https://x.example/one")
    assert served(runs.keep(one), one.url) == one
    assert ArchiveFetcher(runs.root / FAMILY).urls() == [one.url]


def test_a_page_of_which_only_the_text_is_known_is_kept_as_utf8(runs: Runs) -> None:
    one = Page("https://x.example/1", "<p>Zażółć", fetched_at="just now")
    again = served(runs.keep(one), one.url)
    assert (again.html, again.content_type, again.fetched_at) == (one.html, "text/html; charset=utf-8", NOW)


def test_each_run_has_a_folder_of_its_own_that_git_ignores(runs: Runs) -> None:
    first, second = runs.keep(page(1)), runs.keep(page(2))
    assert first != second
    assert ArchiveFetcher(first).urls() == ["https://x.example/1"]
    assert ArchiveFetcher(second).urls() == ["https://x.example/2"]
    assert (runs.root / ".gitignore").read_text() == "*\n"


def test_nothing_is_made_while_nothing_is_kept(runs: Runs) -> None:
    runs.keep()
    runs.max_mb = 0
    runs.keep(page(1))
    assert not runs.root.exists()


def test_the_same_bytes_are_written_once(runs: Runs) -> None:
    text = noise(1, 50_000)
    first = runs.keep(page(1, text), page(1, text))
    size = runs.size
    second = runs.keep(page(2, text), page(1, text), at="2026-02-01T00:00:00Z")
    assert runs.size < size + 2_000
    assert ArchiveFetcher(first).warnings == ()
    assert served(second, "https://x.example/2").html == page(2, text).html
    assert served(second, "https://x.example/1").html == page(1, text).html


def test_a_page_that_changes_back_is_served_as_it_was_last(runs: Runs) -> None:
    moments = [f"2026-02-0{day}T00:00:00Z" for day in (1, 2, 3)]
    runs.keep(*(page(1, text, fetched_at=at) for text, at in zip(("a", "b", "a"), moments, strict=True)))
    archive = ArchiveFetcher(runs.root / FAMILY)
    assert asyncio.run(archive.fetch("https://x.example/1")).html == "<p>a"
    assert "3 captures" in archive.warnings[0]


def test_the_oldest_files_are_dropped_and_the_newer_half_stays_whole(runs: Runs) -> None:
    repeated = noise(0, 20_000)
    for night in range(60):
        at = f"2026-02-01T00:00:{night:02}Z"
        last = runs.keep(page(1, repeated), page(2, noise(night + 1, 60_000)), at=at)
        assert runs.size <= 1_000_000
        assert served(last, "https://x.example/1").html == f"<p>{repeated}"
    assert not list((runs.root / FAMILY).glob("20260201T000000Z"))
    newer = [path.parent for path in runs.files][-10:]
    assert {served(one, "https://x.example/1").html for one in newer} == {f"<p>{repeated}"}


def test_one_long_run_is_cut_into_files_and_bounded_too(runs: Runs) -> None:
    folder = runs.keep(*(page(n, noise(n, 60_000)) for n in range(60)))
    assert len(list(folder.iterdir())) > 8
    assert runs.size <= 1_000_000
    urls = ArchiveFetcher(folder).urls()
    assert urls[-1] == "https://x.example/59"
    assert "https://x.example/0" not in urls


@pytest.mark.parametrize("left", [0.05, 0.3, 0.6, 0.9, 0.98])
def test_a_torn_last_record_never_breaks_reading(runs: Runs, left: float) -> None:
    folder = runs.keep(page(1, noise(1, 9_000)))
    (file,) = folder.iterdir()
    whole = file.stat().st_size
    folder = runs.keep(page(1, noise(2, 9_000)), page(2, noise(3, 9_000)), at="2026-02-02T00:00:00Z")
    (file,) = folder.iterdir()
    second = file.stat().st_size - whole
    file.write_bytes(file.read_bytes()[: whole + int(second * left)])
    archive = ArchiveFetcher(folder)
    assert archive.urls() == ["https://x.example/1"]
    assert "cut off in the record at byte" in archive.warnings[0]
    assert runs.keep(page(3), at="2026-02-03T00:00:00Z")
    assert runs.warnings == []


def test_a_revisit_whose_record_is_gone_is_left_out_aloud(runs: Runs) -> None:
    text = noise(1, 5_000)
    first = runs.keep(page(1, text))
    second = runs.keep(page(1, text), page(2), at="2026-02-02T00:00:00Z")
    for file in first.iterdir():
        file.unlink()
    archive = ArchiveFetcher(second)
    assert archive.urls() == ["https://x.example/2"]
    assert "1 captures are left out" in archive.warnings[0]


def test_what_a_page_says_of_itself_cannot_forge_a_record(runs: Runs) -> None:
    one = page(1, content_type="text/html\r\nLocation: https://evil.example/\r\n\r\n<p>forged")
    again = served(runs.keep(one), one.url)
    assert (again.html, again.final_url) == (one.html, one.url)


def test_a_disk_that_refuses_is_told_once_and_ends_no_run(tmp_path: Path) -> None:
    (tmp_path / "archive").write_text("a file where a folder should be")
    runs = Runs(tmp_path / "archive")
    runs.keep(page(1), page(2))
    assert len(runs.warnings) == 1
    assert "not kept any more" in runs.warnings[0]
