"""One peer on one job, in the peer's own environment; `peers.py` runs it and says what a job is.

python benchmarks/peer.py TOOL LIMIT < job.json     prints {"values": [{field: value} for each page], "seconds": …}

Each field is learnt by itself, so that one that cannot be learnt costs no other; of the rules or elements that a tool
finds, the one that is right on most of the given pages is taken, as its users would.
"""

from __future__ import annotations

import json
import logging
import resource
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

Value = str | list[str]
Reader = Callable[[dict[str, Any]], Any]
"""From a page to a value of one field, or nothing."""


def as_given(found: Iterable[Any], value: Value) -> Any:
    """What was found, as a list or as its first item, like the value that was asked for."""
    texts = [" ".join(str(one).split()) for one in found if one is not None]
    return texts if isinstance(value, list) else next(iter(texts), None)


def best(readers: Iterable[Reader], pages: Sequence[dict[str, Any]], field: str) -> Reader | None:
    """The first of those that are right on most of the pages."""
    counted = [(sum(one(page) == page["values"].get(field) for page in pages), one) for one in readers]
    most = max((count for count, _ in counted), default=0)
    return next((one for count, one in counted if count == most), None) if most else None


def autoscraper(pages: Sequence[dict[str, Any]], field: str) -> Reader | None:
    from autoscraper import AutoScraper

    scraper = AutoScraper()
    for page in pages:
        value = page["values"][field]
        wanted = {field: value if isinstance(value, list) else [value]}
        scraper.build(url=page["url"], html=page["html"], wanted_dict=wanted, update=True)
    value = pages[0]["values"][field]

    def reader(rule: dict[str, Any], similar: bool) -> Reader:
        alone = AutoScraper(stack_list=[rule])
        get = alone.get_result_similar if similar else alone.get_result_exact
        return lambda page: as_given(get(url=page["url"], html=page["html"], unique=False), value)

    rules = scraper.stack_list[:40]
    return best([reader(rule, similar) for rule in rules for similar in (isinstance(value, list), False)], pages, field)


def mlscraper(pages: Sequence[dict[str, Any]], field: str) -> Reader | None:
    from mlscraper.html import Page
    from mlscraper.samples import NoMatchFoundException, Sample, TrainingSet
    from mlscraper.training import TrainingException, train_scraper

    training = TrainingSet()
    for page in pages:
        training.add_sample(Sample(Page(page["html"]), page["values"][field]))
    try:
        scraper = train_scraper(training)
    except (TrainingException, NoMatchFoundException):
        return None
    return lambda page: scraper.get(Page(page["html"]))


def scrapling(pages: Sequence[dict[str, Any]], field: str) -> Reader | None:
    from scrapling.parser import Selector

    value = pages[0]["values"][field]
    kept: dict[str, Any] = {}

    def parsed(page: dict[str, Any]) -> Any:
        if page["url"] not in kept:
            kept[page["url"]] = Selector(content=page["html"], url=page["url"])
        return kept[page["url"]]

    def said(element: Any, attribute: str) -> str:
        return str(element.attrib.get(attribute, "") if attribute else element.text.clean())

    def reader(element: Any, attribute: str) -> Reader:
        def read(page: dict[str, Any]) -> Any:
            there = parsed(page).relocate(element, 40, True)
            if not there:
                return None
            similar = there[0].find_similar() if isinstance(value, list) else []
            return as_given([said(one, attribute) for one in (there[0], *similar)], value)

        return read

    readers = []
    for page in pages:
        mine = page["values"][field]
        first = mine[0] if isinstance(mine, list) else mine
        found = parsed(page).find_by_text(first, first_match=False, case_sensitive=True)
        readers += [reader(one, "") for one in found[:5]]
        for attribute in ("content", "href", "src"):
            holders = parsed(page).xpath(f"//*[@{attribute}=$value]", value=first)
            readers += [reader(one, attribute) for one in holders[:3]]
    return best(readers, pages, field)


TOOLS = {"autoscraper": autoscraper, "mlscraper": mlscraper, "scrapling": scrapling}


def main() -> None:
    logging.disable(logging.CRITICAL)
    limit = int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    learn, job = TOOLS[sys.argv[1]], json.load(sys.stdin)
    values: list[dict[str, Any]] = [{} for _ in job["unseen"]]
    spent = 0.0
    for field in job["fields"]:
        began = time.process_time()
        seen = [page for page in job["seen"] if field in page["values"]]
        reader = None
        try:
            reader = learn(seen, field)
        except Exception as why:  # noqa: BLE001 - a tool that breaks on a field has not learnt it; it is told
            print(f"{field}: {type(why).__name__}: {why}", file=sys.stderr)
        spent += time.process_time() - began
        for page, got in zip(job["unseen"], values, strict=True) if reader else ():
            try:
                got[field] = reader(page)
            except Exception as why:  # noqa: BLE001 - what cannot be read is missing; it is told
                print(f"{field}, {page['url']}: {type(why).__name__}: {why}", file=sys.stderr)
    json.dump({"values": values, "seconds": spent}, sys.stdout)


if __name__ == "__main__":
    main()
