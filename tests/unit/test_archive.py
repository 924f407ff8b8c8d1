"""An archive serves saved bytes as they are, never picks in silence, and keeps the network off."""

import asyncio
import gzip
import json
from pathlib import Path

import pytest

from crawloop.crawl.archive import ArchiveFetcher
from crawloop.errors import FetchError, PageRefused, UserError
from crawloop.model.page import Page
from tests.fakes.warc import Response
from tests.fakes.warc import warc as written


def save(folder: Path, name: str, body: bytes, **said: object) -> None:
    (folder / f"{name}.html").write_bytes(body)
    (folder / f"{name}.json").write_text(json.dumps(said))


def get(archive: ArchiveFetcher, url: str) -> Page:
    return asyncio.run(archive.fetch(url))


def test_a_page_is_found_whatever_its_scheme_and_fragment(tmp_path: Path) -> None:
    save(tmp_path, "a", b"<p>A</p>", url="https://Shop.example/p?id=3#top")
    archive = ArchiveFetcher(tmp_path)
    assert archive.urls() == ["https://Shop.example/p?id=3#top"]
    page = get(archive, "http://shop.example:80/p?id=3")
    assert (page.html, page.url, page.status) == ("<p>A</p>", "http://shop.example:80/p?id=3", 200)
    assert page.base == "https://Shop.example/p?id=3#top"


def test_another_query_is_another_page(tmp_path: Path) -> None:
    save(tmp_path, "a", b"A", url="https://shop.example/p?id=3")
    with pytest.raises(FetchError, match=r"p\?id=4: not in the archive"):
        get(ArchiveFetcher(tmp_path), "https://shop.example/p?id=4")


def test_a_compressed_page_and_its_own_charset(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress('<meta charset="iso-8859-1">Käse'.encode("latin-1")))
    (tmp_path / "a.json").write_text('{"url": "https://shop.example/a"}')
    page = get(ArchiveFetcher(tmp_path), "https://shop.example/a")
    assert page.html.endswith("Käse")
    assert page.content_type == "text/html"


def test_the_json_may_name_charset_status_and_date(tmp_path: Path) -> None:
    save(
        tmp_path,
        "a",
        "Zażółć".encode("iso8859-2"),
        url="https://x.example/",
        charset="iso-8859-2",
        status=404,
        date="2024-01-02",
    )
    page = get(ArchiveFetcher(tmp_path), "https://x.example/")
    assert (page.html, page.status, page.fetched_at) == ("Zażółć", 404, "2024-01-02")
    assert page.content_type == "text/html; charset=iso-8859-2"


def test_of_two_captures_the_newest_is_served_with_a_warning(tmp_path: Path) -> None:
    save(tmp_path, "z", b"old", url="https://x.example/a", saved_at="2024-05-01T23:00:00+02:00")
    save(tmp_path, "b", b"new", url="http://x.example/a#x", saved_at="2024-05-01T22:00:00Z")
    archive = ArchiveFetcher(tmp_path)
    assert get(archive, "https://x.example/a").html == "new"
    assert len(archive.urls()) == 1
    (warning,) = archive.warnings
    assert "2 captures" in warning
    assert "b.html" in warning


def test_captures_without_dates_are_never_picked_in_silence(tmp_path: Path) -> None:
    save(tmp_path, "a", b"first", url="https://x.example/a")
    save(tmp_path, "b", b"last", url="https://x.example/a")
    archive = ArchiveFetcher(tmp_path)
    assert get(archive, "https://x.example/a").html == "last"
    assert "no date tells them apart" in archive.warnings[0]


def test_a_page_without_json_is_left_out_aloud(tmp_path: Path) -> None:
    save(tmp_path, "a", b"A", url="https://x.example/a")
    (tmp_path / "b.html").write_bytes(b"B")
    (line,) = ArchiveFetcher(tmp_path).warnings
    assert "b.html: left out" in line
    for name in "cd":
        (tmp_path / f"{name}.html").write_bytes(b"B")
    (line,) = ArchiveFetcher(tmp_path).warnings
    assert line.endswith("is missing beside it (and 2 more like it)")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "not valid JSON"),
        (b"\xff\xfe{", "not valid JSON"),
        (b"[]", 'needs {"url"'),
        (b'{"url": 3}', 'needs {"url"'),
        (b'{"url": "https://x.example/"}', "the page beside it is missing"),
        (b'{"url": "https://x.example/", "status": "ok"}', "the page beside it is missing|status is 'ok'"),
    ],
)
def test_a_bad_side_file_is_named(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "odd.json").write_bytes(content)
    with pytest.raises(UserError, match=rf"odd\.json: .*({why})|odd\.json: ({why})"):
        ArchiveFetcher(tmp_path)


def test_an_empty_or_missing_archive_is_a_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no saved page"):
        ArchiveFetcher(tmp_path)
    with pytest.raises(UserError, match="no such archive"):
        ArchiveFetcher(tmp_path / "nowhere")


def test_a_compressed_flood_is_refused_and_not_unpacked(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b" " * 5_000_000))
    (tmp_path / "a.json").write_text('{"url": "https://x.example/"}')
    with pytest.raises(PageRefused, match="larger than 1 MB"):
        get(ArchiveFetcher(tmp_path, max_bytes=1_000_000), "https://x.example/")


def test_a_damaged_page_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"x" * 1000)[:20])
    (tmp_path / "a.json").write_text('{"url": "https://x.example/"}')
    with pytest.raises(FetchError, match=r"a\.html\.gz: cannot be read"):
        get(ArchiveFetcher(tmp_path), "https://x.example/")


def warc(path: Path, *responses: Response, packed: bool) -> None:
    path.write_bytes(written(*responses, packed=packed))


@pytest.mark.parametrize("packed", [True, False])
def test_a_warc_file_serves_its_responses(tmp_path: Path, packed: bool) -> None:
    html = [("Content-Type", "text/html; charset=iso-8859-1")]
    warc(
        tmp_path / "a.warc",
        ("https://x.example/a", "200 OK", html, "Käse".encode("latin-1")),
        ("https://x.example/logo.png", "200 OK", [("Content-Type", "image/png")], b"\x89PNG"),
        ("https://x.example/old", "301 Moved", [("Location", "/a")], b""),
        ("https://x.example/gone", "404 Not Found", html, b"gone"),
        ("https://x.example/z", "200 OK", [*html, ("Content-Encoding", "gzip")], gzip.compress(b"packed")),
        packed=packed,
    )
    archive = ArchiveFetcher(tmp_path / "a.warc")
    assert archive.urls() == ["https://x.example/a", "https://x.example/gone", "https://x.example/z"]
    moved = get(archive, "https://x.example/old")
    assert (moved.html, moved.url, moved.final_url) == ("Käse", "https://x.example/old", "https://x.example/a")
    assert moved.fetched_at == "2024-01-01T00:00:00Z"
    assert get(archive, "https://x.example/gone").status == 404
    assert get(archive, "https://x.example/z").html == "packed"
    assert archive.warnings == ()


def test_a_file_that_is_no_warc_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_text("hello, this is nothing of the kind\n\n")
    with pytest.raises(UserError, match=r"a\.warc: no saved page in it"):
        ArchiveFetcher(tmp_path / "a.warc")


def test_a_warc_compressed_as_a_whole_is_refused_by_name(tmp_path: Path) -> None:
    html = [("Content-Type", "text/html")]
    pages = [(f"https://x.example/{n}", "200 OK", html, b"<p>page") for n in range(2)]
    warc(tmp_path / "a.warc", *pages, packed=False)
    (tmp_path / "a.warc.gz").write_bytes(gzip.compress((tmp_path / "a.warc").read_bytes()))
    with pytest.raises(UserError, match=r"a\.warc\.gz: not a WARC file that can be read"):
        ArchiveFetcher(tmp_path / "a.warc.gz")


def test_a_redirect_in_circles_ends(tmp_path: Path) -> None:
    warc(tmp_path / "a.warc", ("https://x.example/a", "302 Found", [("Location", "/a")], b""), packed=True)
    with pytest.raises(FetchError, match="more than 10 redirects"):
        get(ArchiveFetcher(tmp_path / "a.warc"), "https://x.example/a")
