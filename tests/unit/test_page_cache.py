"""Pages on disk: bounded, dropped by age of use, never half, and never a reason to fail."""

from __future__ import annotations

from pathlib import Path
from random import Random

from crawloop.crawl.fetch.cache import PageCache
from crawloop.crawl.fetch.exchange import Answer

URL = "https://shop.example/p/"


def answer(number: int, size: int = 10) -> Answer:
    """A page that packing leaves as large as it is."""
    body = Random(number).randbytes(size)
    return Answer(200, {"content-type": "text/html; charset=x", "etag": f'"{number}"', "set-cookie": "a=b"}, body)


def test_a_page_is_found_by_another_crawl_with_what_tells_it_apart(tmp_path: Path) -> None:
    PageCache(tmp_path, 10_000).keep(URL, answer(1))
    known = PageCache(tmp_path, 10_000).find(URL)
    assert known
    assert known.validators == {"If-None-Match": '"1"'}
    assert (known.body, known.kind) == (answer(1).body, "text/html; charset=x")
    assert "set-cookie" not in known.headers
    assert PageCache(tmp_path, 10_000).find(URL + "2") is None


def test_above_the_bound_what_was_not_used_longest_is_dropped(tmp_path: Path) -> None:
    cache = PageCache(tmp_path, 10_000)
    for n in range(8):
        cache.keep(f"{URL}{n}", answer(n, 1_000))
    assert cache.find(URL + "0")
    for n in range(8, 12):
        cache.keep(f"{URL}{n}", answer(n, 1_000))
    assert sum(file.stat().st_size for file in tmp_path.glob("*.page")) <= 10_000
    assert cache.find(URL + "0")
    assert cache.find(URL + "1") is None
    assert cache.find(URL + "11")


def test_one_page_may_not_push_all_others_out(tmp_path: Path) -> None:
    cache = PageCache(tmp_path, 8_000)
    cache.keep(URL, answer(1, 5_000))
    assert cache.find(URL) is None


def test_a_file_that_is_not_whole_is_none(tmp_path: Path) -> None:
    PageCache(tmp_path, 10_000).keep(URL, answer(1))
    (file,) = tmp_path.glob("*.page")
    whole = file.read_bytes()
    for broken in (
        whole[:-1],
        whole[:5],
        b"",
        b"[]\n" + whole.partition(b"\n")[2],
        whole.replace(b"sha256", b"sha257"),
    ):
        file.write_bytes(broken)
        assert PageCache(tmp_path, 10_000).find(URL) is None


def test_where_nothing_can_be_written_it_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = PageCache(tmp_path / "file" / "cache", 10_000)
    for n in range(3):
        cache.keep(f"{URL}{n}", answer(n))
    assert len(cache.warnings) == 1
    assert "pages are fetched whole" in cache.warnings[0]
