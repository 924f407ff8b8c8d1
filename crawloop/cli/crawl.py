"""crawl: pages in, records and a report out. stdout is clean data; everything else goes to stderr."""

from __future__ import annotations

import asyncio
import shlex
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import click

from crawloop.app import Workspace, open_workspace
from crawloop.cli import outcome
from crawloop.cli.console import Progress, as_json, for_a_reader, print_json, progress
from crawloop.cli.ladder import known_version
from crawloop.cli.urls import checked_urls, is_url, read_urls
from crawloop.config import RunOptions
from crawloop.contract import Observer
from crawloop.crawl.output import Output, rows
from crawloop.crawl.report import PageReport, PageStatus
from crawloop.engine import Engine
from crawloop.errors import UnknownFamily, UserError
from crawloop.model.events import Event
from crawloop.model.family import Version
from crawloop.model.kind import Schema
from crawloop.shape import shown

_UNROUTED = "no family here has pages with such a URL: name the FAMILY, or `crawloop bootstrap` one"
_BAD = (PageStatus.DRIFT, PageStatus.BLOCKED, PageStatus.GONE, PageStatus.ERROR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What one crawl was asked for."""

    family: str | None
    archive: Path | None
    items: Path | None
    report: Path | None
    no_llm: bool
    heal: bool
    evidence: bool
    follow: int
    details: bool
    with_url: bool
    lines: bool
    metrics: int | None


@click.command()
@click.argument("family", required=False)
@click.argument("urls", nargs=-1)
@click.option("--from", "listed", type=click.Path(path_type=Path), help="URLs, one a line.")
@click.option("--archive", type=click.Path(path_type=Path), help="Serve pages from here, network off.")
@click.option("-o", "items", type=click.Path(path_type=Path), help="Records: .jsonl, .csv or .parquet.")
@click.option("--report", type=click.Path(path_type=Path), help="One JSON line a page.")
@click.option("--no-llm", is_flag=True, help="Leave residual fields null.")
@click.option("--heal", is_flag=True, help="Regenerate by itself when drift is sure.")
@click.option("--evidence", is_flag=True, help="With --json or --report: where each value comes from.")
@click.option("--follow", type=click.IntRange(0), default=0, metavar="N", help="Crawl N next pages of each listing.")
@click.option("--details", is_flag=True, help="Crawl the pages of other families that records name.")
@click.option("--with-url", is_flag=True, help="Each record says as page_url whence it comes.")
@click.option("--progress", "lines", is_flag=True, help="Say on stderr how far it is, in a pipe too.")
@click.option("--metrics", type=click.IntRange(1, 65535), metavar="PORT", help="Serve /metrics here meanwhile.")
@as_json
@click.pass_obj
def crawl(
    folder: Path | None, /, family: str | None, urls: tuple[str, ...], listed: Path | None, as_json: bool, **asked: Any
) -> int:
    """Extract pages with a family's ladder of versions. Without -o and --report, records go to stdout.

    Without FAMILY each URL goes to the family whose pages have such URLs.
    """
    if family is not None and is_url(family):
        urls, family = (family, *urls), None
    ask = Ask(family=family, **asked)
    if ask.evidence and ask.report is None and not as_json:
        raise UserError("--evidence is told in the report: give --report FILE, or --json")
    if ask.details and ask.items is not None and ask.items.suffix.lower() != ".jsonl":
        raise UserError(f"{ask.items}: with --details come records of several schemas: give the file the ending .jsonl")
    with open_workspace(folder) as workspace, progress(family or "crawl", always=ask.lines) as show:
        wanted = dict.fromkeys([*checked_urls(urls, ask.archive), *(read_urls(listed) if listed else ())])
        shares = _shares(workspace, ask, list(wanted))
        metrics = f"127.0.0.1:{ask.metrics}" if ask.metrics else None
        with workspace.signals(show, metrics=metrics) as observe:
            reports, kept = asyncio.run(_reports(workspace, ask, shares, show, observe))
    with for_a_reader():
        if as_json:
            print_json({"family": family, "statuses": _counts(reports), "pages": [r.body() for r in reports]})
        elif ask.items is None and ask.report is None:
            for record in rows(reports, with_url=ask.with_url):
                print_json(record, lines=True)
    for line in _account(ask, shares, reports, kept):
        click.echo(line, err=True)
    return 4 if any(r.status in _BAD for r in reports) else 0


def _shares(workspace: Workspace, ask: Ask, urls: list[str]) -> Mapping[str, list[str]]:
    """The URLs of each family, or those of the archive; under "" those that no family has."""
    if ask.family is not None:
        known_version(workspace.store, ask.family, None)
        return {ask.family: urls}
    if ask.archive is not None and not urls:
        from crawloop.crawl.archive import ArchiveFetcher

        urls = ArchiveFetcher(ask.archive).urls()
    if not urls:
        raise UserError("name a FAMILY, or URLs: each of them then goes to the family whose pages have such URLs")
    from crawloop.crawl.router import routes

    shares = routes(workspace.store).divide(urls)
    if not any(shares):
        raise UnknownFamily(f"{shown(urls[0])}: {_UNROUTED}")
    return shares


def _account(ask: Ask, shares: Iterable[str], reports: Sequence[PageReport], kept: Mapping[str, Path]) -> Iterator[str]:
    for family in dict.fromkeys([*shares, *(report.family for report in reports)]):
        counts = _counts([report for report in reports if report.family == family])
        yield f"{family or 'no family'}: {', '.join(f'{n} {status}' for status, n in counts.items()) or 'no pages'}"
    yield from _advice(ask, reports, kept)


def _advice(ask: Ask, reports: Sequence[PageReport], kept: Mapping[str, Path]) -> Iterator[str]:
    """For each status that tells of something wrong its first page and problem, and what to do next."""
    first: dict[PageStatus, PageReport] = {}
    for report in reports:
        if report.problems:
            first.setdefault(report.status, report)
    for status, report in first.items():
        url, problem = shown(report.url), shown(report.problems[0])
        yield f"  {status}, for one: {url}: {problem.removeprefix(url + ': ')}"
    if ask.report is None and sum(len(report.problems) for report in reports) > len(first):
        yield "  all problems of all pages: --report report.jsonl"
    drifted = dict.fromkeys(report.family for report in reports if report.status is PageStatus.DRIFT)
    for family in drifted if not ask.heal else ():
        regen = f"crawloop regen {shlex.quote(family)}"
        yield f"  the extractor does not fit the drifted pages: `{regen}{_from(ask.archive)}`"
        if family in kept:
            yield f"  or, from the pages as they were just now: `{regen}{_from(kept[family])}`"


def _from(archive: Path | None) -> str:
    """The option of a command that reads an archive, as a person would type it here."""
    if archive is None:
        return ""
    here = Path.cwd()
    return f" --archive {shlex.quote(str(archive.relative_to(here) if archive.is_relative_to(here) else archive))}"


async def _reports(
    workspace: Workspace, ask: Ask, shares: Mapping[str, list[str]], show: Progress, observe: Observer
) -> tuple[list[PageReport], dict[str, Path]]:
    """The reports, and where the pages of each family that failed are kept."""
    options = RunOptions(archive=ask.archive, no_llm=ask.no_llm)
    told = _telling(workspace, observe)
    async with Engine(workspace, options, told, heals=ask.heal, evidence=ask.evidence) as engine:
        kits = {family: await engine.kit(family, urls) for family, urls in shares.items() if family}
        known = {family: shares[family] or kit.fetcher.urls() or workspace.urls(family) for family, kit in kits.items()}
        reports = await _crawl(engine, workspace, ask, {**shares, **known}, show)
        kits |= {family: await engine.kit(family) for family in {report.family for report in reports} if family}
        folders = {family: kit.recorder.folder for family, kit in kits.items() if kit.recorder}
        return reports, {family: folder for family, folder in folders.items() if folder}


def _telling(workspace: Workspace, observe: Observer) -> Observer:
    """An observer that also says on stderr how a run that heals has ended."""

    def tell(event: Event) -> None:
        observe(event)
        if event.kind in outcome.ENDINGS:
            entry = workspace.store.entries(event.family, run=event.run, kinds=(event.kind,))[-1]
            run = outcome.told(entry)
            healed = run["outcome"] == "promoted"
            words = f"healed by version {run['version']}" if healed else f"not healed: {run['reason']}"
            click.echo(f"{event.family}: {words}; see `crawloop audit show {entry.id}`", err=True)

    return tell


async def _crawl(
    engine: Engine, workspace: Workspace, ask: Ask, shares: Mapping[str, list[str]], show: Progress
) -> list[PageReport]:
    versions = {family: known_version(workspace.store, family, None) for family in shares if family}
    urls = [url for share in shares.values() for url in share]
    task = {
        "versions": {family: version.number for family, version in versions.items()},
        "archive": str(ask.archive),
        "urls": urls,
        "evidence": ask.evidence,
        "follow": ask.follow,
        "details": ask.details,
    }
    schema = _schema(workspace, ask, versions.values())
    with Output(ask.items, ask.report, schema, task, with_url=ask.with_url) as output:
        reports = dict(output.done)
        if reports:
            click.echo(f"{len(reports)} pages are taken from the crawl that was interrupted", err=True)
        show.count(len(reports), len(urls))
        async for report in _all(engine, workspace, ask, shares, output.done):
            reports[report.url] = report
            output.add(report)
            show.count(len(reports), max(len(reports), len(urls)))
        output.finish()
    return [reports[url] for url in dict.fromkeys([*urls, *reports])]


async def _all(
    engine: Engine, workspace: Workspace, ask: Ask, shares: Mapping[str, list[str]], done: Mapping[str, PageReport]
) -> AsyncIterator[PageReport]:
    """The reports of every family's pages, then those of the pages that their records name."""
    from crawloop.crawl.details import Details
    from crawloop.crawl.router import routes

    store = workspace.store
    schema = cache(lambda family: workspace.schema(known_version(store, family, None).schema_ref))
    details = Details(routes(store), schema, (url for share in shares.values() for url in share))
    for report in done.values():
        if ask.details and report.family in shares:
            details.note(report)
    for family, share in shares.items():
        async for report in _served(engine, ask, family, share, done):
            if ask.details:
                details.note(report)
            yield report
    for family, share in details.shares.items():
        async for report in _served(engine, ask, family, share, done):
            yield report


async def _served(
    engine: Engine, ask: Ask, family: str, urls: Sequence[str], done: Mapping[str, PageReport]
) -> AsyncIterator[PageReport]:
    """The reports of a family's pages that are not done yet; of pages without a family those that say so."""
    if family:
        async for report in engine.crawl(family, urls, follow=ask.follow, done=done):
            yield report
        return
    for url in urls:
        if url not in done:
            yield PageReport(url, "", None, PageStatus.ERROR, problems=(_UNROUTED,))


def _schema(workspace: Workspace, ask: Ask, versions: Iterable[Version]) -> Schema:
    """By which records are written."""
    refs = list(dict.fromkeys(version.schema_ref for version in versions))
    if len(refs) > 1 and ask.items is not None and ask.items.suffix.lower() != ".jsonl":
        remedy = "give the file the ending .jsonl, or crawl each family by itself"
        raise UserError(f"{ask.items}: these families have several schemas ({', '.join(refs)}): {remedy}")
    return workspace.schema(refs[0])


def _counts(reports: Sequence[PageReport]) -> dict[str, int]:
    return {str(status): n for status, n in Counter(report.status for report in reports).most_common()}
