"""Links of records to pages of other families: a listing names its products, and another family reads those."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from urllib.parse import urljoin

from crawloop.crawl.report import PageReport
from crawloop.crawl.router import Router
from crawloop.model.kind import Kind, Schema
from crawloop.shape import url_key


class Details:
    """Which pages the records of others lead to, by family. A page is gone to once, whatever leads there.

    `schema` is a family's; `begun` are the URLs that a crawl begins with.
    """

    def __init__(self, router: Router, schema: Callable[[str], Schema], begun: Iterable[str]) -> None:
        self._router = router
        self._schema = schema
        self._known = {url_key(url) for url in begun}
        self.shares: dict[str, list[str]] = {}

    def note(self, report: PageReport) -> None:
        """Takes down the pages of other families that the page's records name."""
        for url in _links(report, self._schema(report.family)) if report.status.is_served else ():
            family = self._router.route(url)
            if family is not None and family != report.family and url_key(url) not in self._known:
                self._known.add(url_key(url))
                self.shares.setdefault(family, []).append(url)


def _links(report: PageReport, schema: Schema) -> Iterator[str]:
    names = [one.name for one in schema.fields if one.kind is Kind.URL]
    for record in report.records:
        for name in names:
            value = record.get(name)
            for link in value if isinstance(value, list) else [value]:
                if isinstance(link, str) and link:
                    yield urljoin(report.url, link)
