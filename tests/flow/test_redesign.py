"""A site is redesigned in the middle of a nightly crawl: noticed, healed without a model, and the feed is whole.

CRAWLOOP_PAGES=2000 makes it a site of so many pages; a hundred are enough to see the same.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from crawloop.app import open_workspace
from crawloop.cli import run
from crawloop.model.events import DriftNoticed
from tests.fakes import shop
from tests.fakes.redesigned import ShopServer, learnt

PAGES = int(os.environ.get("CRAWLOOP_PAGES", "100"))
REDESIGNED = PAGES * 7 // 20


def lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.slow
@pytest.mark.timeout(120 + PAGES)
def test_a_redesign_is_noticed_within_five_pages_and_healed_and_no_page_is_served_wrong(tmp_path: Path) -> None:
    site = ShopServer(count=PAGES + 1)
    items, report = tmp_path / "items.jsonl", tmp_path / "report.jsonl"
    asked = ["--workspace", str(tmp_path), "crawl", shop.FAMILY, "--from", str(tmp_path / "urls.txt"), "--no-llm"]
    with site.server:
        learnt(tmp_path, site, "[fetch]\nper_host = 8\n")
        (tmp_path / "urls.txt").write_text("".join(f"{site.url(n)}\n" for n in range(1, PAGES + 1)))
        assert run([*asked, "-o", str(items)]) == 0
        site.page = lambda n: shop.old_page(n) if n < REDESIGNED else shop.new_page(n)
        assert run([*asked, "--heal", "-o", str(items), "--report", str(report)]) == 0
    with open_workspace(tmp_path) as workspace:
        drifts = [one.event for one in workspace.store.entries(shop.FAMILY, kinds=("DriftNoticed",))]
        assert [one.number for one in workspace.store.versions(shop.FAMILY)] == [1, 2]
        assert workspace.store.spend() == (0, 0.0)
    noticed = [int(one.url.rpartition("/")[2]) for one in drifts if isinstance(one, DriftNoticed) and not one.run]
    assert len(noticed) == 1
    assert REDESIGNED <= noticed[0] < REDESIGNED + 5
    right = {site.url(n): [shop.product(n)] for n in range(1, PAGES + 1)}
    assert {str(one["url"]): one["records"] for one in lines(report)} == right
    assert sorted(lines(items), key=str) == sorted((rows[0] for rows in right.values()), key=str)
    assert max(site.asked(n) for n in range(REDESIGNED, PAGES + 1)) <= 5
