"""The first minute: a family is learnt, the shop is redesigned, the break is noticed and healed, with no model.

All of it happens in a temporary workspace, through the same functions that the command line uses.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from crawloop.app import Crawling, Regeneration, Workspace, crawling, open_workspace, regenerate
from crawloop.config import RunOptions
from crawloop.crawl.report import PageReport
from crawloop.crawl.serve import crawl
from crawloop.demo.shop import Shop
from crawloop.demo.tally import Tally, tally
from crawloop.model.events import unwatched
from crawloop.model.outcome import Promotion

FAMILY = "shop/product"
SCHEMA = "ShopItem@1"
LABELLED = (0, 5, 10, 19, 27, 34)  # pages with and without badge, rating and sale, as a person would choose them

Say = Callable[[str], None]
Row = tuple[str, Tally]


def run(say: Say) -> tuple[list[Row], int]:
    """The rows of the table, and how many model calls were paid for. `say` is told what happens, line by line."""
    with TemporaryDirectory(prefix="crawloop-demo-") as folder, Shop() as shop:
        home = Path(folder)
        prepare(home, shop)
        with open_workspace(home) as workspace:
            return asyncio.run(_story(workspace, shop, say))


def prepare(home: Path, shop: Shop) -> None:
    """A workspace with the schema, and right values of six pages that a person knows."""
    (home / "schemas").mkdir()
    text = (files("crawloop.demo") / "shop_item.py").read_text(encoding="utf-8")
    (home / "schemas" / "shop_item.py").write_text(text, encoding="utf-8")
    with (home / "examples.jsonl").open("w", encoding="utf-8") as file:
        for url in _labelled(shop):
            truth = shop.truth(url)
            known = {name: value for name, value in truth.items() if value is not None}
            absent = [name for name, value in truth.items() if value is None]
            file.write(json.dumps({"url": url, "records": [known | {"absent": absent}]}) + "\n")


async def _story(workspace: Workspace, shop: Shop, say: Say) -> tuple[list[Row], int]:
    rows: list[Row] = []
    say(f"the shop is open at {shop.url}: {len(shop.product_urls)} products")
    examples = workspace.folder / "examples.jsonl"
    say(f"crawloop bootstrap {FAMILY} URL… --schema {SCHEMA} --examples examples.jsonl --no-llm")
    await _learn(workspace, _labelled(shop), RunOptions(examples=examples, no_llm=True, samples=len(LABELLED)), say)
    rows.append(("before the redesign", await _crawl(workspace, shop, say)))
    say("the shop is redesigned: other layout, no JSON, some prices changed, the same addresses")
    shop.switch("b")
    rows.append(("after it, old extractor", await _crawl(workspace, shop, say)))
    say(f"crawloop regen {FAMILY} --samples 9 --no-llm")
    await _learn(workspace, (), RunOptions(no_llm=True, samples=9), say)
    rows.append(("after crawloop regen", await _crawl(workspace, shop, say)))
    return rows, workspace.store.spend()[0]


async def _learn(workspace: Workspace, urls: Sequence[str], options: RunOptions, say: Say) -> None:
    outcome = await regenerate(workspace, Regeneration(FAMILY, SCHEMA, tuple(urls), options), unwatched)
    if isinstance(outcome, Promotion):
        say(f"  promoted by {outcome.winner.origin}: {', '.join(sorted(outcome.winner.fields))}")
        if outcome.residual:
            say(f"  not reached: {', '.join(outcome.residual)}")
    else:
        say(f"  escalated: {outcome}")


async def _crawl(workspace: Workspace, shop: Shop, say: Say) -> Tally:
    say(f"crawloop crawl {FAMILY}")
    reports: list[PageReport] = []
    async with crawling(workspace, FAMILY, Crawling(use_models=False), urls=shop.product_urls) as kit:
        async for report in crawl(FAMILY, shop.product_urls, kit):
            reports.append(report)
    problem = next((line for report in reports for line in report.problems), None)
    if problem:
        say(f"  noticed, for one: {problem}")
    return tally(reports, shop, workspace.schema(SCHEMA))


def _labelled(shop: Shop) -> tuple[str, ...]:
    return tuple(shop.product_urls[n] for n in LABELLED)
