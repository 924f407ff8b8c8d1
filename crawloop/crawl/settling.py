"""What a batch of served pages leaves behind: history, drifts in the audit, detectors, the family's status.

History is written from pages that were all right, and from no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crawloop.contract import Known
from crawloop.crawl.drift import Watch
from crawloop.crawl.kit import CrawlKit
from crawloop.crawl.ladder import Served
from crawloop.crawl.report import PageStatus
from crawloop.model.events import DriftNoticed
from crawloop.model.family import Status, Version


def settle(served: Sequence[Served], active: Version, watch: Watch, kit: CrawlKit) -> None:
    """Writes it, in one transaction, and then tells of the drifts. `active` is the version that serves the family."""
    at = kit.clock()
    for one in served:
        if one.judgement.causes and one.judgement.status is not PageStatus.VARIANT:
            kit.keep(one.page)
    # and not what anybody filled in: nobody has read it there
    well = [
        Known(one.page.url, one.judgement.records, one.page.fetched_at or at)
        for one in served
        if one.judgement.status is PageStatus.OK
    ]
    noticed = [
        DriftNoticed(active.family, at, "", active.number, one.page.url, one.judgement.lines, one.judgement.causes)
        for one in served
        if one.judgement.news and one.judgement.status is not PageStatus.OK
    ]
    with kit.store.batch():
        kit.store.remember_pages(active.family, well)
        for event in noticed:
            kit.store.audit(event)
        kit.store.save_detectors(active.family, active.number, watch.numbers())
        _mark(active, watch, kit)
    for event in noticed:
        kit.observer(event)


def _mark(active: Version, watch: Watch, kit: CrawlKit) -> None:
    """Sets the family's status by what is known now; an escalated family stays so until a person has seen to it."""
    family = kit.store.family(active.family)
    if family is None or family.active != active.number or family.status is Status.ESCALATED:
        return
    well = Status.HEALTHY if family.status is Status.BROKEN else family.status
    status = Status.BROKEN if watch.is_sure else well
    if status is not family.status:
        kit.store.save_family(replace(family, status=status))
