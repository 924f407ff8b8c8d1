"""A HAR file serves its pages: text and base64, HTML only, redirects followed, the newest of several."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest

from crawloop.crawl.archive import ArchiveFetcher
from crawloop.errors import UserError

TEXT = "<p>Käse – 3 €"


def entry(url: str, content: dict[str, Any], **said: Any) -> dict[str, Any]:
    request = {"method": said.pop("method", "GET"), "url": url}
    response = {"status": said.pop("status", 200), "content": content, "redirectURL": said.pop("to", "")}
    return {"startedDateTime": "2026-01-31T12:00:00.123+01:00", "request": request, "response": response} | said


def html(text: str = TEXT, kind: str = "text/html; charset=iso-8859-2") -> dict[str, Any]:
    return {"mimeType": kind, "text": text}


def packed(body: bytes, kind: str) -> dict[str, Any]:
    return {"mimeType": kind, "text": base64.b64encode(body).decode(), "encoding": "base64"}


def har(folder: Path, *entries: Any) -> Path:
    file = folder / "visit.har"
    file.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}), "utf-8-sig")
    return file


def test_pages_as_text_and_as_base64(tmp_path: Path) -> None:
    file = har(
        tmp_path,
        entry("https://x.example/a", html()),
        entry("https://x.example/b", packed("Zażółć".encode("iso8859-2"), "text/html; charset=iso-8859-2"), status=404),
        entry("https://x.example/old", {"mimeType": ""}, status=302, to="/a"),
        entry("https://x.example/logo.png", packed(b"\x89PNG", "image/png")),
        entry("https://x.example/api", html("{}", "application/json")),
        entry("https://x.example/form", html(), method="POST"),
    )
    archive = ArchiveFetcher(file)
    assert archive.urls() == ["https://x.example/a", "https://x.example/b"]
    assert archive.warnings == ()
    a, b, old = (asyncio.run(archive.fetch(f"https://x.example/{name}")) for name in ("a", "b", "old"))
    assert (a.html, a.status, a.content_type) == (TEXT, 200, "text/html; charset=utf-8")
    assert (b.html, b.status) == ("Zażółć", 404)
    assert (old.html, old.final_url, old.fetched_at) == (TEXT, "https://x.example/a", "2026-01-31T12:00:00.123+01:00")


def test_of_several_captures_the_newest_is_served_aloud(tmp_path: Path) -> None:
    newer = entry("https://x.example/a", html("new"), startedDateTime="2026-02-01T00:00:00Z")
    archive = ArchiveFetcher(har(tmp_path, newer, entry("https://x.example/a", html("old"))))
    assert asyncio.run(archive.fetch("https://x.example/a")).html == "new"
    assert "2 captures" in archive.warnings[0]


def test_many_urls_with_several_captures_are_told_in_one_line(tmp_path: Path) -> None:
    archive = ArchiveFetcher(har(tmp_path, *(entry(f"https://x.example/{n % 50}", html()) for n in range(100))))
    (line,) = archive.warnings
    assert line.startswith("https://x.example/0: 2 captures in ")
    assert line.endswith(" (and 49 more like it)")


def test_a_page_without_its_text_is_left_out_aloud(tmp_path: Path) -> None:
    file = har(tmp_path, entry("https://x.example/a", {"mimeType": "text/html"}), entry("https://x.example/b", html()))
    archive = ArchiveFetcher(file)
    assert archive.urls() == ["https://x.example/b"]
    assert "1 pages are left out" in archive.warnings[0]


def test_a_folder_of_archives_is_one_archive(tmp_path: Path) -> None:
    har(tmp_path, entry("https://x.example/a", html()))
    (tmp_path / "b.html").write_text("<p>b")
    (tmp_path / "b.json").write_text('{"url": "https://x.example/b"}')
    assert ArchiveFetcher(tmp_path).urls() == ["https://x.example/a", "https://x.example/b"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "needs log.entries"),
        ('{"log": {"entries": {}}}', "log.entries is no list"),
        ('{"log": {"entries": [{"request": {}}]}}', "entry 0: not as HAR 1.2 has it"),
        ('{"log": {"entries": [3]}}', "entry 0: not as HAR 1.2 has it"),
        (json.dumps({"log": {"entries": [entry("u", html(), status="odd")]}}), "entry 0: not as HAR 1.2 has it"),
        (json.dumps({"log": {"entries": [entry("u", html("é") | {"encoding": "base64"})]}}), "only ASCII"),
        ('{"log": {"entries": []}}', "no saved page in it"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, content: str, why: str) -> None:
    (tmp_path / "visit.har").write_text(content)
    with pytest.raises(UserError, match=rf"visit\.har.*{why}"):
        ArchiveFetcher(tmp_path / "visit.har")
