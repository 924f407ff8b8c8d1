"""An escalation: one audit entry that shows a person everything, and what to do next."""

import json
from pathlib import Path
from typing import Any

from crawloop.llm.scripted import ScriptedCompleter
from crawloop.model.family import Status
from crawloop.model.outcome import Escalation, Promotion, Reason
from crawloop.model.policy import Policy
from crawloop.registry import MemoryStore
from crawloop.sandbox import ProcessSandbox
from crawloop.witness.examples import Example
from tests.fakes import shop
from tests.fakes.house import NOW, House, Scribe, writer
from tests.fakes.mortal import RIGHT, WRONG
from tests.fakes.site import Site

MODEL = Policy(models=("small",), max_rounds=1)


def house(tmp_path: Path, sandbox: ProcessSandbox, pages: dict[str, str], program: str = WRONG, **more: Any) -> House:
    parts = writer(Scribe(ScriptedCompleter(lambda asked: program)))
    return House(tmp_path, Site(pages), MemoryStore(tmp_path / "fixtures"), sandbox, parts=parts, **more)


def old_pages(*numbers: int) -> dict[str, str]:
    return {shop.url(n): shop.old_page(n) for n in numbers}


def entry(place: House) -> dict[str, Any]:
    """The evidence of the one escalation, as it comes back from the audit."""
    (body,) = place.told("FamilyEscalated")
    evidence = json.loads(json.dumps(body["evidence"]))
    assert isinstance(evidence, dict)
    return evidence


def test_exhausted_rounds_show_pages_truth_program_findings_and_cost(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    place = house(tmp_path, sandbox, old_pages(1, 2, 3, 4, 5) | {shop.url(9): ""})
    ending = place.run(1, 2, 3, 4, 9, 5, policy=MODEL)
    assert isinstance(ending, Escalation)
    evidence = entry(place)
    roles = {page["url"]: page["role"] for page in evidence["pages"]}
    assert roles[shop.url(1)] == "sample"
    assert roles[shop.url(9)] == "dropped"
    first = next(one for one in evidence["truth"] if one["url"] == shop.url(1))["records"][0]["price"]
    assert first["value"] == 26.9
    assert "markup" in first["witnesses"]
    assert first["evidence"][0]["path"]
    (candidate,) = [one for one in evidence["candidates"] if one["source"] == WRONG]
    assert candidate["origin"] == "codegen"
    assert candidate["tally"]["price"]["wrong"] == 5
    wrong = next(one for one in candidate["findings"] if one.get("field") == "price" and "expected" in one)
    assert (wrong["got"], wrong["gate"]) == (1.0, "agreement")
    assert evidence["cost"]["calls"] == 0
    assert any(line.startswith(f"crawloop regen {shop.FAMILY} --examples") for line in evidence["next"])


def test_too_few_oracles_say_how_to_get_more_and_leave_a_family_without_a_version(
    tmp_path: Path, sandbox: ProcessSandbox
) -> None:
    place = house(tmp_path, sandbox, {shop.url(n): shop.new_page(n) for n in (1, 2, 3)})
    ending = place.run(1, 2, 3)
    assert isinstance(ending, Escalation)
    assert str(ending) == "insufficient oracles: got 0, need 3"
    family = place.family
    assert (family.status, family.active) == (Status.ESCALATED, None)
    assert family.cooldown_until == "2026-03-02T08:00:00Z"
    assert family.is_cooling(NOW)
    evidence = entry(place)
    assert {page["role"] for page in evidence["pages"] if "digest" in page} == {"nobody knows its values"}
    assert {one["witness"] for one in evidence["silent"] if "witness" in one} >= {"examples", "history", "markup"}
    assert [line.split("#")[0].strip() for line in evidence["next"]] == [
        f"crawloop regen {shop.FAMILY} --examples right.jsonl",
        f"crawloop regen {shop.FAMILY} --model NAME",
        f"crawloop regen {shop.FAMILY} URL…",
        f"crawloop audit {shop.FAMILY} --escalated",
    ]
    assert "no more than 3 could be found" in evidence["next"][2]


def test_more_samples_are_advised_only_where_there_may_be_more_pages(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    place = house(tmp_path, sandbox, {shop.url(n): shop.new_page(n) for n in range(1, 8)})
    assert isinstance(place.run(1, 2, 3, 4, 5, 6), Escalation)
    assert any("--samples 10" in line for line in entry(place)["next"])


def test_labels_that_no_page_carries_are_shown_beside_why_the_page_was_dropped(
    tmp_path: Path, sandbox: ProcessSandbox
) -> None:
    stale = {"title": "Another thing altogether", "sku": "ZZ-9"}
    pages = {shop.url(n): shop.new_page(n) for n in (1, 2)}
    known = tuple(Example(url, (stale,)) for url in pages)
    place = house(tmp_path, sandbox, pages, examples=known)
    ending = place.run(1, 2, policy=Policy(min_oracles=1), labelled=tuple(pages))
    assert isinstance(ending, Escalation)
    assert ending.reason is Reason.TOO_FEW_ORACLES
    evidence = entry(place)
    whys = {page["url"]: page["why"] for page in evidence["pages"] if page["role"] == "dropped"}
    assert "carries nothing of what examples said" in whys[shop.url(1)]
    assert {"url": shop.url(1), "witness": "examples", "records": 1, "fields": ["sku", "title"], "said": [stale]} in (
        evidence["spoke"]
    )


def test_no_samples_name_each_page_and_why_it_is_none(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    place = house(tmp_path, sandbox, {shop.url(1): "<html><title>404 Not Found</title><h1>Page not found</h1></html>"})
    ending = place.run(1, 2, policy=MODEL)
    assert isinstance(ending, Escalation)
    assert ending.reason is Reason.NO_SAMPLES
    whys = {page["url"]: page["why"] for page in entry(place)["pages"]}
    assert whys[shop.url(1)].startswith("gone")
    assert "no such host" in whys[shop.url(2)]


def test_the_version_before_stays_active_and_a_later_promotion_ends_the_escalation(
    tmp_path: Path, sandbox: ProcessSandbox
) -> None:
    place = house(tmp_path, sandbox, old_pages(1, 2, 3, 4, 5), RIGHT)
    assert isinstance(place.run(1, 2, 3, 4, 5, policy=MODEL), Promotion)
    place.fetcher = Site({shop.url(n): shop.new_page(n) for n in range(1, 6)})
    assert isinstance(place.run(1, 2, 3, 4, 5, policy=MODEL), Escalation)
    assert (place.family.status, place.family.active) == (Status.ESCALATED, 1)
    better = RIGHT.replace("h1.product-title", ".headline").replace(".cost", ".amount")
    better = better.replace('"Article"', '"Ref."').replace('"Material"', '"Made of"')
    place.parts = writer(Scribe(ScriptedCompleter(lambda asked: better)))
    healed = place.run(1, 2, 3, 4, 5, policy=MODEL)
    assert isinstance(healed, Promotion)
    assert healed.new_epoch
    assert (place.family.status, place.family.active, place.family.cooldown_until) == (Status.HEALTHY, 2, None)


def test_labelled_pages_are_sampled_first_and_enough_with_one(tmp_path: Path, sandbox: ProcessSandbox) -> None:
    known = Example(shop.url(2), ({"title": shop.product(2)["title"], "price": 33.9},))
    pages = {shop.url(n): shop.new_page(n) for n in (1, 2, 3)}
    place = house(tmp_path, sandbox, pages, examples=(known,))
    ending = place.run(1, 2, 3, policy=Policy(min_oracles=1), labelled=(shop.url(2),))
    assert isinstance(ending, Escalation)
    assert [one.page.url for one in ending.samples] == [shop.url(2)]
    assert ending.reason is Reason.ROUNDS_EXHAUSTED
    assert place.told("PageSampled")[0]["url"] == shop.url(2)
