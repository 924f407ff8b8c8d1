"""Leave one out: what a page alone can teach is no failure of the programs that were taught without it."""

from dataclasses import replace

from crawloop.loop.contest.folds import Doubts, are_exceptions, are_first_several, doubts_in, labels_unseen
from crawloop.model.candidate import Candidate
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.model.verdict import Finding, Tally, Verdict


def page(*kinds: str | list[str]) -> Sample:
    url = f"https://docs.example/{len(kinds)}"
    return Sample(Page(url, ""), Truth(url, tuple({"kind": Claim(one, ("examples",))} for one in kinds)))


def verdict(*expected: str | list[str]) -> Verdict:
    found = tuple(Finding("agreement", "differs", field="kind", expected=one) for one in expected)
    return Verdict(Candidate("", "listing", frozenset({"kind"})), found, {"kind": Tally(6, len(expected))})


METHODS = page(*["method"] * 5)


def test_a_label_that_only_the_page_left_out_has_says_nothing_of_the_program_that_knows_it() -> None:
    left_out = page(*["method"] * 6, "static method", "static method")
    assert labels_unseen("kind", verdict("static method", "static method"), left_out, [METHODS])


def test_a_label_that_was_taught_and_comes_out_wrong_counts() -> None:
    left_out = page(*["method"] * 6, "static method", "method")
    assert not labels_unseen("kind", verdict("static method", "method"), left_out, [METHODS])


def test_a_field_with_as_many_values_as_rows_has_no_labels() -> None:
    left_out = page("Add", "Remove", "Peek", "Poll", "Size", "Copy", "Swap")
    assert not labels_unseen("kind", verdict("Swap"), left_out, [page("Push", "Pop", "Drain")])


def test_a_few_exceptions_that_only_the_page_left_out_has_say_nothing_of_the_program_that_knows_them() -> None:
    tallies = {"text": Tally(43, 2), "kind": Tally(8, 1), "code": Tally(30, 5), "date": Tally(40, 0)}
    mixed = Verdict(Candidate("", "listing", frozenset(tallies)), (), tallies)
    assert [name for name in tallies if are_exceptions(name, mixed)] == ["text"]


def test_the_first_list_of_several_says_nothing_of_the_program_that_knows_where_the_second_stands() -> None:
    rest = [page(["Moor"]), page(["Lumen"])]
    assert are_first_several("kind", verdict(["Vetro", "VETRO GLASS"]), rest)
    assert not are_first_several("kind", verdict(["Vetro"]), rest)
    assert not are_first_several("kind", verdict(["Vetro", "VETRO GLASS"], ["Deskwise"]), rest)
    assert not are_first_several("kind", verdict(["Vetro", "VETRO GLASS"]), [*rest, page(["Deskwise", "Desk"])])
    assert not are_first_several("kind", verdict("Vetro"), [page("Moor"), page("Lumen")])


def test_other_rows_on_the_page_left_out_are_no_proof_against_the_fields_of_the_program_that_was_taught_it() -> None:
    left_out, kind = page(*["method"] * 9), frozenset({"kind"})
    fold = verdict("method", "method", "method")
    more = Finding("counts", "9 records known of the page, got 10", False)
    assert doubts_in(fold.candidate, fold, left_out, [METHODS]) == Doubts(wrong=kind)
    fold = replace(fold, findings=(more, *fold.findings))
    assert doubts_in(fold.candidate, fold, left_out, [METHODS]) == Doubts(null=kind)
