"""A crawl of the shop beside its right values: what was right, wrong, missing, and how its pages fared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from crawloop.crawl.report import PageReport
from crawloop.demo.shop import Shop
from crawloop.model.kind import Schema
from crawloop.values import equal


@dataclass(slots=True)
class Tally:
    """Counts over all fields of all pages. `absent` values are right where nothing was served for them."""

    right: int = 0
    wrong: int = 0
    missing: int = 0
    pages: Counter[str] = field(default_factory=Counter)

    @property
    def noticed(self) -> int:
        """Pages that were not said to be ok."""
        return self.pages.total() - self.pages["ok"]

    @property
    def is_all_right(self) -> bool:
        return self.right > 0 and not self.wrong and not self.missing


def tally(reports: Iterable[PageReport], shop: Shop, schema: Schema) -> Tally:
    """Compares each page with what the shop says is right now."""
    found = Tally()
    for report in reports:
        found.pages[str(report.status)] += 1
        truth = shop.truth(report.url)
        record = report.records[0] if report.records else {}
        for one in schema.fields:
            want, got = truth[one.name], record.get(one.name)
            if want is None:
                found.wrong += got is not None
            elif got is None:
                found.missing += 1
            elif equal(want, got, one, base=report.url):
                found.right += 1
            else:
                found.wrong += 1
    return found
