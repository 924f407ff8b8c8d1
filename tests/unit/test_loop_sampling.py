"""Which pages become samples, in which order, and what becomes of the rest."""

import asyncio

from crawloop.loop.kit import Kit
from crawloop.loop.sampling import gather
from crawloop.loop.steps import sample
from crawloop.model.events import PageDropped
from crawloop.model.outcome import Escalation, Reason
from crawloop.model.policy import Policy
from crawloop.triage import PageKind
from tests.fakes.loop import SHOP, attempt, kit, told
from tests.fakes.site import Site, document


def site(*names: str) -> Site:
    return Site({f"https://shop.example/{name}": document(name) for name in names})


def url(name: str) -> str:
    return f"https://shop.example/{name}"


def walled(page: object) -> tuple[PageKind, str]:
    return (PageKind.BLOCKED, "a challenge") if "wall" in str(page) else (PageKind.REAL, "")


def sampled(parts: Kit, *names: str, samples: int = 3, **task: object) -> list[str]:
    at = attempt(parts, *map(url, names), policy=Policy(samples=samples, min_oracles=1), **task)
    return [page.url.rpartition("/")[2] for page in asyncio.run(gather(at))]


def remembering(shop: Site, *names: str) -> Kit:
    parts = kit(shop)
    for number, name in enumerate(names):
        parts.store.remember(SHOP, url(name), [{"title": name}], f"2026-01-0{9 - number}T00:00:00Z")
    return parts


def test_pages_with_history_come_first_and_one_slot_stays_for_a_given_page() -> None:
    parts = remembering(site("h1", "h2", "h3", "g1", "g2"), "h1", "h2", "h3")
    assert sampled(parts, "g1", "g2") == ["h1", "h2", "g1"]


def test_labelled_pages_come_before_all_others() -> None:
    parts = remembering(site("h1", "h2", "l1", "g1"), "h1", "h2")
    assert sampled(parts, "g1", labelled=(url("l1"),)) == ["l1", "h1", "g1"]


def test_history_that_is_gone_gives_its_slots_to_the_given_pages() -> None:
    parts = remembering(site("g1", "g2", "g3"), "h1", "h2", "h3")
    assert sampled(parts, "g1", "g2", "g3") == ["g1", "g2", "g3"]
    assert [one.url for one in told(parts, "PageDropped") if isinstance(one, PageDropped)] == [url("h1"), url("h2")]


def test_a_closed_archive_is_asked_for_no_page_that_it_lacks() -> None:
    shop = site("a", "b")
    parts = remembering(shop, "h1")
    assert sampled(parts, "a", "b", only=(url("a"), url("b"))) == ["a", "b"]
    assert set(shop.fetched) == {url("a"), url("b")}


def test_an_archive_is_looked_through_to_its_end() -> None:
    names = [f"wall{n}" for n in range(40)]
    parts = kit(site(*names, "a", "b"), triage=walled)
    assert sampled(parts, *names, "a", "b", only=tuple(map(url, (*names, "a", "b")))) == ["a", "b"]


def test_siblings_are_found_from_one_seed_and_no_more_is_fetched_than_wanted() -> None:
    shop = site("seed", "s1", "s2", "s3")
    parts = kit(shop, siblings=lambda base, html, limit: [url("seed"), url("s1"), url("s2"), url("s3")])
    assert sampled(parts, "seed") == ["seed", "s1", "s2"]
    assert shop.fetched[url("s3")] == 0
    assert set(shop.fetched.values()) == {1}


def test_pages_that_triage_does_not_call_real_are_no_samples_and_leave_an_event() -> None:
    parts = kit(site("wall", "good"), triage=walled)
    assert sampled(parts, "wall", "good") == ["good"]
    assert [one.body() for one in told(parts, "PageDropped")] == [{"url": url("wall"), "why": "blocked: a challenge"}]


def test_two_urls_with_one_text_are_one_sample() -> None:
    shop = Site({url("a"): document("same"), url("b"): document("same"), url("c"): document("other")})
    parts = kit(shop)
    assert sampled(parts, "a", "b", "c") == ["a", "c"]
    assert [one.body()["why"] for one in told(parts, "PageDropped")] == ["the same text as another sample"]


def test_no_real_page_escalates_and_no_stronger_model_may_help() -> None:
    ending = asyncio.run(sample(attempt(kit(Site({})), url("gone"))))
    assert isinstance(ending, Escalation)
    assert ending.reason is Reason.NO_SAMPLES
    assert not ending.reason.stronger_model_may_help


def test_two_spellings_of_one_url_are_fetched_once() -> None:
    shop = site("a", "b")
    assert sampled(kit(shop), "a", "a#reviews", "b") == ["a", "b"]
    assert sum(shop.fetched.values()) == 2


def test_siblings_are_taken_from_the_archive_as_it_spells_them() -> None:
    shop = site("seed", "s1#top")
    parts = kit(shop, siblings=lambda base, html, limit: [url("s1"), url("s2")])
    assert sampled(parts, "seed", only=(url("seed"), url("s1#top"))) == ["seed", "s1#top"]
    assert told(parts, "PageDropped") == []
