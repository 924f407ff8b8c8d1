"""What every Store promises, over each implementation: runs, goldens, history."""

from __future__ import annotations

import dataclasses

import pytest

from crawloop.contract import Known, Store
from crawloop.errors import ConfigError, FamilyBusy, UnknownFamily, UserError
from crawloop.model.events import FamilyEscalated, FamilyForgotten, RolledBack, VersionKept, VersionPromoted
from crawloop.model.family import Status
from crawloop.model.outcome import Escalation, Reason, Spend
from crawloop.model.page import Page, Record
from crawloop.model.truth import Claim, Sample, Truth
from tests.fakes.promotions import SHOP, T1, T2, T3, golden, promote, promotion, sample


def test_a_family_is_added_and_replaced(store: Store) -> None:
    assert store.family(SHOP.name) is None
    store.save_family(SHOP)
    changed = dataclasses.replace(SHOP, status=Status.BROKEN, cooldown_until=T2)
    store.save_family(changed)
    store.save_family(dataclasses.replace(SHOP, name="a.example/b"))
    assert store.family(SHOP.name) == changed
    assert [family.name for family in store.families()] == ["a.example/b", SHOP.name]


@pytest.mark.parametrize("name", ["../evil", "/etc", "a/../b", "a//b", "", ".git/x", "a/b/", "C:\\x", "a\nb"])
def test_a_family_name_cannot_leave_fixtures(store: Store, name: str) -> None:
    with pytest.raises(ConfigError, match="family name"):
        store.save_family(dataclasses.replace(SHOP, name=name))
    event = FamilyEscalated(name, T1, "r1", reason="no samples")
    with pytest.raises(ConfigError, match="family name"):
        store.settle(dataclasses.replace(SHOP, name=name), Escalation(Reason.NO_SAMPLES), event, (), T1)
    assert store.families() == []


def test_a_promotion_is_written_whole(store: Store) -> None:
    outcome = promotion(
        sample(title="Käse", price=2.5),
        residual=("badge",),
        warnings=("price: moved",),
        spend=Spend(3, 0.25, 9.0),
        profile={"title": {"fill": 1.0}},
    )
    event = VersionPromoted(SHOP.name, T1, "r1", version=0, origin="value-path", evidence={"pages": ["a"]})
    store.save_family(dataclasses.replace(SHOP, status=Status.ESCALATED, cooldown_until=T3))
    made = store.settle(SHOP, outcome, event, [golden("one")], T1)
    assert made is not None
    assert (made.number, made.origin, made.cost, made.fields) == (1, "value-path", 0.25, ("price", "title"))
    assert (made.residual, made.warnings, made.created_at) == (("badge",), ("price: moved",), T1)
    assert (made.plan, made.notes, made.profile) == ("{}", {"title": ("doubt",)}, {"title": {"fill": 1.0}})
    assert store.versions(SHOP.name) == [made]
    assert store.version(SHOP.name, 1) == made
    assert store.version(SHOP.name, 2) is None
    family = store.family(SHOP.name)
    assert family is not None
    assert (family.status, family.active, family.cooldown_until) == (Status.HEALTHY, 1, None)
    [entry] = store.entries(SHOP.name)
    assert entry.event == dataclasses.replace(event, version=1)
    known = store.known(SHOP.name, "https://shop.example/p/1")
    assert known is not None
    assert (known.records, known.seen_at) == (({"title": "Käse", "price": 2.5},), T1)


def test_history_takes_only_supported_truth(store: Store) -> None:
    claims = {"title": Claim("Käse", ("examples",)), "stale": Claim("x", ("history",), supported=False)}
    url = "https://shop.example/p/1"
    outcome = promotion(Sample(Page(url, ""), Truth(url, (claims,))), Sample(Page("https://shop.example/p/2", "")))
    store.settle(SHOP, outcome, VersionPromoted(SHOP.name, T1, "r1", version=0, origin="x"), (), T1)
    known = store.known(SHOP.name, url)
    assert known is not None
    assert known.records == ({"title": "Käse"},)
    assert store.known_urls(SHOP.name) == [url]


def test_an_escalation_leaves_a_family_even_if_it_never_had_a_version(store: Store) -> None:
    event = FamilyEscalated(SHOP.name, T1, "r1", reason="no samples", evidence={"pages": []})
    cooled = dataclasses.replace(SHOP, cooldown_until=T2)
    assert store.settle(cooled, Escalation(Reason.NO_SAMPLES), event, (), T1) is None
    family = store.family(SHOP.name)
    assert family is not None
    assert (family.status, family.active, family.cooldown_until) == (Status.ESCALATED, None, T2)
    assert [entry.event for entry in store.entries()] == [event]


def test_an_escalation_keeps_the_active_version(store: Store) -> None:
    promote(store)
    event = FamilyEscalated(SHOP.name, T2, "r2", reason="no samples")
    store.settle(SHOP, Escalation(Reason.NO_SAMPLES), event, (), T2)
    family = store.family(SHOP.name)
    assert family is not None
    assert (family.status, family.active) == (Status.ESCALATED, 1)


def test_fault_09_a_promotion_after_an_escalation_is_healthy(store: Store) -> None:
    event = FamilyEscalated(SHOP.name, T1, "r1", reason="max rounds exhausted")
    store.settle(dataclasses.replace(SHOP, cooldown_until=T3), Escalation(Reason.ROUNDS_EXHAUSTED), event, (), T1)
    promote(store, run="r2", at=T2)
    family = store.family(SHOP.name)
    assert family is not None
    assert family.status is Status.HEALTHY


def test_a_family_is_forgotten_whole_and_no_other_one(store: Store) -> None:
    other = dataclasses.replace(SHOP, name=f"{SHOP.name}/more")
    store.save_family(other)
    store.remember(other.name, "https://shop.example/p/7", [{"title": "x"}], T1)
    promote(store, golden("one"), golden("two", "https://shop.example/p/2"))
    store.remember(SHOP.name, "https://shop.example/p/9", [{"title": "x"}], T1)
    store.save_detectors(SHOP.name, 1, {"title: missing": [1.0]})
    store.begin("r2", SHOP.name, T2)
    store.journal("r2", 1, "sampled", "{}")
    event = store.forget(SHOP.name, T2)
    assert event == FamilyForgotten(SHOP.name, T2, "", versions=1, goldens=2, known=2)
    assert (store.family(SHOP.name), store.versions(SHOP.name), store.goldens(SHOP.name)) == (None, [], [])
    assert (store.known_urls(SHOP.name), store.detectors(SHOP.name, 1), store.unfinished(SHOP.name)) == ([], {}, None)
    assert [entry.event.kind for entry in store.entries(SHOP.name)] == ["VersionPromoted", "FamilyForgotten"]
    assert store.families() == [other]
    assert store.known_urls(other.name) == ["https://shop.example/p/7"]
    assert promote(store, golden("one"), run="r3") == 1
    with pytest.raises(UnknownFamily):
        store.forget("nobody", T2)


def test_goldens_come_back_as_they_were_written(store: Store) -> None:
    promote(store, golden("Blue Chair!"), golden("two", "https://shop.example/p/2"))
    one, two = store.goldens(SHOP.name, 0)
    assert (one.html, one.records) == (golden("x").html, golden("x").records)
    assert (one.url, one.epoch, one.version, one.saved_at) == ("https://shop.example/p/1", 0, 1, T1)
    assert two.url == "https://shop.example/p/2"
    assert one.case != two.case


def test_two_pages_of_one_case_name_stay_two(store: Store) -> None:
    promote(store, golden("same"), golden("same", "https://shop.example/p/2"), golden("", "https://shop.example/p/3"))
    assert [g.url[-1] for g in store.goldens(SHOP.name, 0)] == ["1", "2", "3"]


def test_a_version_that_is_kept_serves_on_and_only_history_is_new(store: Store) -> None:
    promote(store, golden("one"))
    store.save_family(dataclasses.replace(SHOP, active=1, status=Status.ESCALATED, cooldown_until=T3))
    event = VersionKept(SHOP.name, T2, "r2", version=1, origin="value-path")
    family = store.family(SHOP.name)
    assert family is not None
    rested = dataclasses.replace(family, cooldown_until=None)
    assert store.settle(rested, promotion(sample(title="Brie"), keeps=1), event, (), T2) is None
    assert [one.number for one in store.versions(SHOP.name)] == [1]
    assert [one.version for one in store.goldens(SHOP.name)] == [1]
    family, known = store.family(SHOP.name), store.known(SHOP.name, "https://shop.example/p/1")
    assert family is not None
    assert (family.status, family.active, family.cooldown_until) == (Status.HEALTHY, 1, None)
    assert known is not None
    assert known.records == ({"title": "Brie"},)
    assert store.entries(SHOP.name)[-1].event == event


def test_fault_18_a_promotion_replaces_the_golden_set_of_its_epoch(store: Store) -> None:
    urls = [f"https://shop.example/p/{n}" for n in (1, 2, 3)]
    promote(store, *[golden(f"c{n}", url) for n, url in enumerate(urls)])
    kept = store.goldens(SHOP.name, 0)[2]
    promote(store, golden("c0", urls[0]), kept, run="r2", at=T2)
    found = store.goldens(SHOP.name, 0)
    assert [(g.url, g.version) for g in found] == [(urls[0], 2), (urls[2], 1)]


def test_fault_02_a_new_epoch_keeps_the_old_set_as_history(store: Store) -> None:
    promote(store, golden("one"))
    promote(store, golden("one", html="<h2>new</h2>"), run="r2", at=T2, new_epoch=True)
    family = store.family(SHOP.name)
    assert family is not None
    assert family.epoch == 1
    assert [g.html for g in store.goldens(SHOP.name, 1)] == ["<h2>new</h2>"]
    assert [g.version for g in store.goldens(SHOP.name, 0)] == [1]
    assert [g.version for g in store.goldens(SHOP.name)] == [1, 2]
    assert store.goldens(SHOP.name, 7) == []


def test_a_rollback_brings_back_version_epoch_and_golden_set(store: Store) -> None:
    promote(store, golden("one"))
    promote(store, golden("two"), run="r2", at=T2)
    promote(store, golden("three"), run="r3", at=T2, new_epoch=True)
    store.save_detectors(SHOP.name, 1, {"page: drift": [9.0]})
    assert store.rollback(SHOP.name, 1, T3).number == 1
    assert store.detectors(SHOP.name, 1) == {}, "what it did before is no longer held against it"
    family = store.family(SHOP.name)
    assert family is not None
    assert (family.active, family.epoch, family.status) == (1, 0, Status.HEALTHY)
    assert [g.version for g in store.goldens(SHOP.name, 0)] == [1]
    assert store.entries(kinds=["RolledBack"])[0].event == RolledBack(SHOP.name, T3, "", version=1, before=3)
    assert promote(store, run="r4", at=T3, new_epoch=True) == 4
    again = store.family(SHOP.name)
    assert again is not None
    assert again.epoch == 2, "the number of an epoch is never given twice"


def test_a_rollback_to_nothing_is_a_mistake_of_the_user(store: Store) -> None:
    with pytest.raises(UnknownFamily):
        store.rollback(SHOP.name, 1, T1)
    promote(store)
    with pytest.raises(UserError, match="no version 9"):
        store.rollback(SHOP.name, 9, T1)
    assert store.entries(kinds=["RolledBack"]) == []


def test_history_is_written_per_field(store: Store) -> None:
    url = "https://shop.example/p/1"
    store.remember(SHOP.name, url, [{"title": "A", "price": 1}], T1)
    store.remember(SHOP.name, "http://SHOP.example/p/1#reviews", [{"title": None, "price": 2, "tags": ["x"]}], T2)
    known = store.known(SHOP.name, "//shop.example:443/p/1#top")
    assert known is not None
    assert known.records == ({"title": "A", "price": 2, "tags": ["x"]},)
    assert known.seen_at == T2
    assert store.known(SHOP.name, f"{url}?id=3") is None
    assert store.known("other.example/x", url) is None


@pytest.mark.parametrize("again", [{"title": "A", "price": 1}, {"price": 1, "title": "A", "brand": None}, {"price": 1}])
def test_a_page_that_says_nothing_new_is_seen_anew(store: Store, again: Record) -> None:
    url = "https://shop.example/p/1"
    store.remember(SHOP.name, url, [{"title": "A", "brand": None, "price": 1}], T1)
    store.remember(SHOP.name, f"{url}#top", [again], T2)
    assert store.known(SHOP.name, url) == Known(f"{url}#top", ({"title": "A", "price": 1},), T2)


def test_history_of_lists(store: Store) -> None:
    url = "https://shop.example/all"
    store.remember(SHOP.name, url, [{"t": "A", "p": 1}, {"t": "B", "p": 2}], T1)
    store.remember(SHOP.name, url, [{"t": "A", "p": None}, {"t": "C", "p": None}], T2)
    known = store.known(SHOP.name, url)
    assert known is not None
    assert known.records == ({"t": "A", "p": 1}, {"t": "C"}), "another item takes nothing from the one before it"
    store.remember(SHOP.name, url, [{"t": "D"}], T3)
    store.remember(SHOP.name, url, [], T3)
    known = store.known(SHOP.name, url)
    assert known is not None
    assert known.records == ({"t": "D"},)


def test_many_pages_are_written_and_read_at_once(store: Store) -> None:
    url = "https://shop.example/p/{}".format
    rows = [Known(url(n), ({"t": n, "old": True},), T1) for n in range(1_200)]
    store.remember_pages(SHOP.name, [*rows, Known(url("none"), (), T1)])
    store.remember_pages(SHOP.name, [Known(url("1#a"), ({"t": 1, "p": 3},), T2), Known(url(1), ({"p": 4},), T3)])
    found = store.known_pages(SHOP.name, [url(n) for n in (*range(1_200), "0#top", "none")])
    assert list(found) == [*map(url, range(1_200)), url("0#top")]
    assert found[url("0#top")] == found[url(0)] == Known(url(0), ({"t": 0, "old": True},), T1)
    assert found[url(1)] == store.known(SHOP.name, url(1)) == Known(url(1), ({"t": 1, "old": True, "p": 4},), T3)
    assert store.known_pages(SHOP.name, []) == {}


def test_known_urls_come_last_seen_first(store: Store) -> None:
    for number, at in ((1, T1), (2, T3), (3, T2)):
        store.remember(SHOP.name, f"https://shop.example/p/{number}", [{"t": number}], at)
    assert [url[-1] for url in store.known_urls(SHOP.name)] == ["2", "3", "1"]


def test_what_detectors_know_is_kept_for_each_version(store: Store) -> None:
    assert store.detectors(SHOP.name, 1) == {}
    store.save_detectors(SHOP.name, 1, {"price: fault": [12.0, 0.25, 1e-9, 3e17]})
    store.save_detectors(SHOP.name, 2, {"page: drift": [1.0]})
    store.save_detectors(SHOP.name, 1, {"price: fault": [13.0, 0.1, 1 / 3, 0.0], "page: drift": []})
    found = store.detectors(SHOP.name, 1)
    assert found == {"price: fault": [13.0, 0.1, 1 / 3, 0.0], "page: drift": []}
    found["price: fault"].clear()
    assert store.detectors(SHOP.name, 1)["price: fault"] == [13.0, 0.1, 1 / 3, 0.0]
    assert store.detectors(SHOP.name, 2) == {"page: drift": [1.0]}
    assert store.detectors("other.example/x", 1) == {}


def test_what_is_given_back_is_a_copy(store: Store) -> None:
    row = {"tags": ["x"]}
    store.remember(SHOP.name, "https://shop.example/p/1", [row], T1)
    row["tags"].append("y")
    known = store.known(SHOP.name, "https://shop.example/p/1")
    assert known is not None
    known.records[0]["tags"].append("z")
    again = store.known(SHOP.name, "https://shop.example/p/1")
    assert again is not None
    assert again.records == ({"tags": ["x"]},)


def test_a_family_is_held_once(store: Store) -> None:
    with store.hold(SHOP.name):
        with store.hold("other.example/x"):
            pass
        with pytest.raises(FamilyBusy, match=r"process \d+ on \S+ since 2"), store.hold(SHOP.name):
            pass
    with store.hold(SHOP.name):
        pass
