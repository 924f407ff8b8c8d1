"""What the witnesses say of each page, and the truth that comes of it.

Free witnesses are heard first. A model is asked only where they left something unsaid, or where a cheaper model's
tier has failed already. A witness that is silent or breaks never stops the others, and leaves an event.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from crawloop.contract import Witness
from crawloop.errors import CompletionError, OracleRefused
from crawloop.loop.kit import Attempt
from crawloop.loop.states import Sampled
from crawloop.loop.truth.second import second_reading
from crawloop.loop.truth.silence import Silence, silence
from crawloop.model.events import PageDropped, WitnessesDisagreed, WitnessSilent, WitnessSpoke
from crawloop.model.page import Page
from crawloop.model.truth import LIKENESS, PERSON, Sample, Testimony

MOST_SAID = 3


@dataclass(frozen=True, slots=True)
class Hearing:
    """What was heard, page by page, and why no more was."""

    testimonies: tuple[tuple[Testimony, ...], ...]
    silence: Silence = Silence()  # noqa: RUF009 - frozen


@dataclass(frozen=True, slots=True)
class Grounds:
    """Samples with truth, and pages that nobody knows. Refused pages are in neither."""

    samples: tuple[Sample, ...] = ()
    others: tuple[Page, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()


async def inquire(state: Sampled, at: Attempt) -> tuple[Grounds, Hearing]:
    """Asks the witnesses about each page and reconciles what they say."""
    pages = state.pages
    free = tuple(one for one in at.kit.witnesses if not one.needs_model)
    paid = tuple(one for one in at.kit.witnesses if one.needs_model)
    hearing = await _ask(free, pages, pages, None, at)
    grounds = await reconciled(pages, hearing, at)
    model = at.model(state.tier)
    if model is not None and paid:
        asked = pages if state.follows_a_failure else _unsaid(pages, grounds, at)
        hearing = _joined(pages, hearing, asked, await _ask(paid, asked, pages, model, at))
        grounds = await reconciled(pages, hearing, at) if asked else grounds
        heard = dict(zip((page.url for page in pages), hearing.testimonies, strict=True))
        if anew := await second_reading(grounds.samples, heard, state.tier, at):
            hearing = replace(hearing, testimonies=tuple((heard | anew).values()))
            grounds = await reconciled(pages, hearing, at)
    for url, why in grounds.refused:
        at.tell(PageDropped, url=url, why=why)
    for sample in grounds.samples:
        _tell_conflicts(sample, at)
    return grounds, hearing


def _unsaid(pages: tuple[Page, ...], grounds: Grounds, at: Attempt) -> tuple[Page, ...]:
    """The pages that a model is asked about: all, where some field stands in no truth; else those without truth,
    where too few have one."""
    truths = [sample.truth for sample in grounds.samples if sample.truth]
    said = {name for truth in truths for name in truth.fields | {name for _, name in truth.absent}}
    if not set(at.schema.names) <= said:
        return pages
    known = {sample.page.url for sample in grounds.samples}
    enough = len(known) >= at.policy.min_oracles
    return () if enough else tuple(page for page in pages if page.url not in known)


async def _ask(
    witnesses: Sequence[Witness], pages: tuple[Page, ...], every: tuple[Page, ...], model: str | None, at: Attempt
) -> Hearing:
    """Each witness about each page, all at once; results in the order of pages and witnesses."""
    asked = [_testimony(witness, page, every, model, at) for page in pages for witness in witnesses]
    answers = iter(await asyncio.gather(*asked))
    rows = [[next(answers) for _ in witnesses] for _ in pages]
    heard = tuple(tuple(one for one in row if isinstance(one, Testimony)) for row in rows)
    return Hearing(heard, silence(one for row in rows for one in row))


async def _testimony(
    witness: Witness, page: Page, every: tuple[Page, ...], model: str | None, at: Attempt
) -> Testimony | CompletionError | None:
    try:
        beside = [one for one in every if one is not page]
        said = await witness.testify(page, at.family.name, at.schema, model, beside)
    except CompletionError as why:
        at.tell(WitnessSilent, witness=witness.name, url=page.url, why=f"no answer: {why}")
        return why
    except OracleRefused as why:
        at.tell(WitnessSilent, witness=witness.name, url=page.url, why=str(why))
        return None
    except Exception as why:  # noqa: BLE001 - one broken witness must not silence the others; it is told as an event
        at.tell(WitnessSilent, witness=witness.name, url=page.url, why=f"broke: {type(why).__name__}: {why}")
        return None
    if said is None:
        at.tell(WitnessSilent, witness=witness.name, url=page.url, why="knows nothing of this page")
        return None
    fields = sorted({name for record in said.records for name, value in record.items() if value is not None})
    first = said.records[:MOST_SAID]
    at.tell(
        WitnessSpoke,
        witness=witness.name,
        url=page.url,
        records=len(said.records),
        fields=tuple(fields),
        said=first,
    )
    return said


def _joined(pages: tuple[Page, ...], first: Hearing, asked: tuple[Page, ...], then: Hearing) -> Hearing:
    more = dict(zip((page.url for page in asked), then.testimonies, strict=True))
    rows = zip(pages, first.testimonies, strict=True)
    return replace(then, testimonies=tuple(row + more.get(page.url, ()) for page, row in rows))


async def reconciled(pages: tuple[Page, ...], hearing: Hearing, at: Attempt) -> Grounds:
    """One truth per page that somebody knows. Raises nothing: a page that is refused is named with its reason."""
    samples: list[Sample] = []
    others: list[Page] = []
    refused: list[tuple[str, str]] = []
    for page, testimonies in zip(pages, hearing.testimonies, strict=True):
        if all(one.witness == LIKENESS for one in testimonies):
            others.append(page)
            continue
        at.begin(f"looking for the known values on {page.url}")
        try:
            truth = await asyncio.to_thread(at.kit.reconcile, page, testimonies, at.schema)
        except OracleRefused as why:
            refused.append((page.url, f"no truth: {why}{await _elsewhere(page, testimonies, pages, at)}"))
            _conclude(testimonies, f"no truth: {why}", at)
            continue
        _conclude(testimonies, f"the page bears out {len(truth.fields)} fields", at)
        if truth.records and not (truth.fields or truth.absent):
            missing = ", ".join(sorted(truth.unsupported)) or "nothing"
            refused.append((page.url, f"no truth: of what is asserted ({missing}) the page carries nothing"))
        else:
            samples.append(Sample(page, truth))
    return Grounds(tuple(samples), tuple(others), tuple(refused))


async def _elsewhere(page: Page, testimonies: Sequence[Testimony], pages: Sequence[Page], at: Attempt) -> str:
    """On which other page most of what a person says of this one stands: labels get exchanged."""
    labels = [one for one in testimonies if one.witness == PERSON]
    said = {name for one in labels for record in one.records for name, value in record.items() if value is not None}
    for other in (one for one in pages if said and one is not page):
        try:
            truth = await asyncio.to_thread(at.kit.reconcile, other, labels, at.schema)
        except OracleRefused:
            continue
        if 2 * len(truth.fields) > len(said):
            return f"; {other.url} does"
    return ""


def _conclude(testimonies: Sequence[Testimony], verdict: str, at: Attempt) -> None:
    """Notes what became of the answers that were paid for."""
    for key in (key for one in testimonies for key in one.answers if key):
        at.kit.store.conclude(key, verdict)


def _tell_conflicts(sample: Sample, at: Attempt) -> None:
    for one in sample.truth.conflicts if sample.truth else ():
        at.tell(
            WitnessesDisagreed,
            url=one.url,
            record=one.record,
            field=one.field,
            said=dict(one.said),
            kept=one.kept,
        )
