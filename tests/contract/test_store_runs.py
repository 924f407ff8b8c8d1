"""What every Store promises of a run: audit, pages, journal, ledger, batches."""

from __future__ import annotations

import dataclasses

import pytest

from crawloop.contract import Answer, Store
from crawloop.errors import RegistryError
from crawloop.model.events import DriftNoticed, PageDropped
from crawloop.model.page import Page
from tests.fakes.promotions import SHOP, T1, T2, promote


def test_the_audit_is_filtered_and_ordered(store: Store) -> None:
    drift = DriftNoticed(SHOP.name, T1, "", version=1, url="u", problems=("price: gone",))
    dropped = PageDropped("b.example/x", T2, "r1", url="u", why="blocked \x00 \ud800")
    numbers = [store.audit(drift), store.audit(dropped)]
    assert [entry.id for entry in store.entries()] == numbers
    assert [entry.event for entry in store.entries()] == [drift, dropped]
    assert [entry.event for entry in store.entries(SHOP.name)] == [drift]
    assert [entry.event for entry in store.entries(kinds=["PageDropped", "X"])] == [dropped]
    assert [entry.event for entry in store.entries(since="2026-01-02")] == [dropped]
    assert [entry.event for entry in store.entries(run="r1")] == [dropped]
    found = store.entry(numbers[0])
    assert found is not None
    assert found.event == drift
    assert store.entry(99) is None


def test_pages_are_stored_once_by_their_text(store: Store) -> None:
    one = Page("https://shop.example/1", "<p>ü \x00 \ud800</p>" * 50, 200, "https://shop.example/one", fetched_at=T1)
    two = dataclasses.replace(one, url="https://shop.example/2", final_url="", fetched_at=T2)
    assert store.save_page(one) == store.save_page(two) == one.digest
    assert store.page(one.digest) == two
    assert store.page(one.digest, one.url) == one
    assert store.page(one.digest, "https://shop.example/3") is None
    assert store.page("unknown") is None


def test_a_journal_is_resumed_at_its_last_step(store: Store) -> None:
    assert store.unfinished(SHOP.name) is None
    store.begin("r1", SHOP.name, T1)
    assert store.unfinished(SHOP.name) == ("r1", 0, "", "")
    store.journal("r1", 1, "Sampled", '{"a": "ü"}')
    store.journal("r1", 2, "Round", "{}")
    store.journal("r1", 2, "Round", '{"again": 1}')
    assert store.unfinished(SHOP.name) == ("r1", 2, "Round", '{"again": 1}')
    assert store.unfinished("other.example/x") is None
    store.finish("r1")
    store.finish("r1")
    assert store.unfinished(SHOP.name) is None
    with pytest.raises(RegistryError):
        store.journal("r1", 3, "Round", "{}")


def test_one_journal_a_family_is_open(store: Store) -> None:
    store.begin("r1", SHOP.name, T1)
    store.journal("r1", 1, "Sampled", "{}")
    store.begin("r2", SHOP.name, T2)
    assert store.unfinished(SHOP.name) == ("r2", 0, "", "")


def test_settling_closes_the_journal_with_it(store: Store) -> None:
    store.begin("r1", SHOP.name, T1)
    store.journal("r1", 1, "Round", "{}")
    promote(store, run="r1")
    assert store.unfinished(SHOP.name) is None


def test_answers_are_kept_and_counted(store: Store) -> None:
    first = Answer("k1", "m", "codegen", "text \x00 \ud800", 0.5, 1.0, SHOP.name, "r1", T1)
    store.save_answer(first)
    store.save_answer(dataclasses.replace(first, text="another"))
    assert store.answer("k1") == first
    assert store.answer("k2") is None
    assert store.spend() == (1, 0.5)
    store.save_answer(dataclasses.replace(first, key="k2", run="r2", dollars=0.25))
    assert store.spend(family=SHOP.name) == (2, 0.75)
    assert store.spend(run="r2") == (1, 0.25)
    assert store.spend(run="none") == (0, 0.0)
    store.save_answer(dataclasses.replace(first, key="k3", dollars=None))
    assert store.spend() == (3, None)


def test_answers_keep_their_question_and_what_became_of_them(store: Store) -> None:
    first = Answer("k1", "m", "codegen", "t", 0.5, 1.0, SHOP.name, "r1", T1, "codegen@1", "what \x00 \ud800?", 7, 3)
    store.save_answer(first)
    store.save_answer(dataclasses.replace(first, key="k0", family="other", at=T2))
    store.conclude("k1", "stopped at agreement \ud800")
    store.conclude("nobody", "passed")
    told = dataclasses.replace(first, verdict="stopped at agreement \ud800")
    assert [one.key for one in store.answers()] == ["k1", "k0"]
    assert store.answers(SHOP.name) == [told]
    assert [one.key for one in store.answers(since=T2)] == ["k0"]
    assert store.spend(since=T2) == (1, 0.5)


def test_a_batch_is_one_transaction(store: Store) -> None:
    url = "https://shop.example/p/1"
    with store.batch():
        store.remember(SHOP.name, url, [{"t": 1}], T1)
        assert store.known(SHOP.name, url) is not None
        with store.batch():
            store.audit(PageDropped(SHOP.name, T1, "", url=url, why="x"))
    assert len(store.entries()) == 1
    with pytest.raises(ZeroDivisionError):
        write_and_fail(store, url)
    known = store.known(SHOP.name, url)
    assert known is not None
    assert known.records == ({"t": 1},)
    assert len(store.entries()) == 1


def write_and_fail(store: Store, url: str) -> None:
    with store.batch():
        store.remember(SHOP.name, url, [{"t": 2}], T2)
        store.audit(PageDropped(SHOP.name, T1, "", url=url, why="y"))
        raise ZeroDivisionError


def test_what_must_be_kept_at_once_is_no_part_of_a_batch(store: Store) -> None:
    with store.batch(), pytest.raises(RegistryError, match="batch"):
        store.save_answer(Answer("k", "m", "p", "t", 0.0, 1.0))
    with store.batch(), pytest.raises(RegistryError, match="batch"):
        promote(store)
    assert store.answer("k") is None
