"""What only a model says of a field: read where the page calls it so, or left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from crawloop.contract import Case
from crawloop.extract.plan import FieldPlan, Plan
from crawloop.extract.reading import Apply, Expression, Read, Several
from crawloop.extract.view import PageView
from crawloop.gauntlet import judge
from crawloop.gauntlet.hearsay import Hearsay
from crawloop.model.candidate import Trial
from crawloop.model.kind import Field, Schema
from crawloop.model.truth import Claim, Evidence, Sample, Truth
from crawloop.model.verdict import Finding
from tests.fakes.trials import case, page, trial

HTML = '<h1>Kettle {n}</h1><p class="brand">maker {n}</p><p class="box">price {n}</p>'


def sample(number: int, name: str, value: Any, *witnesses: str) -> Sample:
    at = page(number, HTML.format(n=number))
    claim = Claim(value, witnesses, (Evidence("text", "p", "…"),))
    return Sample(at, Truth(at.url, ({name: claim},)))


def read(on: Case, name: str, css: str) -> Trial:
    """A program with a plan that gives what truth says, by that selector."""
    rows = [one.truth.values() if one.truth else () for one in on.seen]
    plan = Plan({name: FieldPlan((Read("text", (css,)),))})
    made = trial(on, *rows, fields=(name,))
    return replace(made, candidate=replace(made.candidate, plan=plan.dumps()))


def findings(made: Trial, on: Case) -> list[Finding]:
    return [one for one in Hearsay().judge(made, on) if one.fatal]


def brands(*witnesses: str, values: Sequence[Any] = ("maker 1", "maker 2")) -> Case:
    return case([sample(n, "brand", value, *witnesses) for n, value in enumerate(values, 1)])


def test_a_model_s_field_is_read_where_something_is_named_after_it() -> None:
    on = brands("llm")
    assert findings(read(on, "brand", "p.brand"), on) == []
    (found,) = findings(read(on, "brand", "p.box"), on)
    assert (found.field, found.gate) == ("brand", "hearsay")
    verdict = judge(read(on, "brand", "p.box"), on)
    assert (verdict.passed, verdict.stopped_at) == (False, "hearsay")


def test_what_another_field_is_named_after_does_not_vouch_for_this_one() -> None:
    on = case([sample(n, "title", f"maker {n}", "llm") for n in (1, 2)])
    assert findings(read(on, "title", "p.brand"), on)
    assert findings(read(on, "title", "h1"), on) == []


def test_the_place_that_a_reading_finds_may_name_the_field_in_its_stead() -> None:
    """The selector says nothing of a brand, the element's surroundings and the label before it do."""
    around = '<div class="brand"><p class="v">Moor {n}</p></div><p>Phone:</p><p class="v2">Moor {n}</p>'
    samples = []
    for n in (1, 2):
        at = page(n, around.format(n=n))
        samples.append(Sample(at, Truth(at.url, ({"brand": Claim(f"Moor {n}", ("llm",))},))))
    on = case(samples)
    assert findings(read(on, "brand", "p.v"), on) == []
    assert findings(read(on, "brand", "p.v2"), on)


@pytest.mark.parametrize(
    ("reading", "is_refused"),
    [
        (Apply("after", (Read("text", ("p.note",)),), ("Brand:",)), False),
        (Apply("after", (Read("text", ("p.note",)),), ("Sold by:",)), True),
        (Apply("after", (Read("text", ("p.brand",)),), ("Sold by:",)), True),
        (Apply("at", (Apply("split", (Read("text", ("p.brand",)),), (" ",)),), (-1,)), True),
        (Apply("strip_prefix", (Read("text", ("p.brand",)),), ("by ",)), False),
        (Apply("unique", (Several((Read("text", ("p.brand",)), Read("text", ("p.plain",)))),)), True),
    ],
)
def test_a_reading_that_takes_a_part_is_named_by_what_it_cuts_after_or_not_at_all(
    reading: Expression, is_refused: bool
) -> None:
    samples = []
    for n in (1, 2):
        at = page(
            n, f'<p class="note">Brand: Moor {n}</p><p class="brand">Moor {n}</p><p>x</p><p class="plain">Moor {n}</p>'
        )
        samples.append(Sample(at, Truth(at.url, ({"brand": Claim(f"Moor {n}", ("llm",))},))))
    on = case(samples)
    made = trial(on, *(one.truth.values() if one.truth else () for one in samples), fields=("brand",))
    plan = Plan({"brand": FieldPlan((reading,))})
    made = replace(made, candidate=replace(made.candidate, plan=plan.dumps()))
    assert bool(findings(made, on)) is is_refused


@pytest.mark.parametrize(
    ("body", "is_refused"),
    [
        ("<tr><th>Model</th><th>Brand</th></tr><tr><th>{}</th><td>made for kitchens</td></tr>", True),
        ("<tr><th>Brand</th></tr><tr><td>{}</td></tr>", False),
        ("<tr><td>Brand</td><td>{}</td></tr>", False),
    ],
)
def test_words_after_which_a_text_of_a_whole_table_is_cut_stand_before_the_value_in_the_table(
    body: str, is_refused: bool
) -> None:
    """The heading of the last column comes right before the first cell of the next row, and says nothing of it."""
    samples = []
    for n, one in enumerate(("Moor", "Samovar"), 1):
        at = page(n, f"<h1>Kettle</h1><h3>Details</h3><table>{body.format(one)}</table>")
        samples.append(Sample(at, Truth(at.url, ({"brand": Claim(one, ("llm",))},))))
    on = case(samples)
    cut = Apply("match", (Apply("after", (Read("labelled", ("Details",)),), ("Brand",)),), (r"^(\w+)",))
    made = trial(on, *(one.truth.values() if one.truth else () for one in samples), fields=("brand",))
    made = replace(made, candidate=replace(made.candidate, plan=Plan({"brand": FieldPlan((cut,))}).dumps()))
    assert bool(findings(made, on)) is is_refused


@pytest.mark.parametrize(("ends", "is_refused"), [(":", True), ("：", True), ("", False)])
def test_a_text_that_ends_with_a_colon_everywhere_is_a_label(ends: str, is_refused: bool) -> None:
    samples = []
    for n, one in enumerate(("Moor", "Samovar"), 1):
        at = page(n, f'<h1>Kettle</h1><p class="brand">{one}{ends}</p>')
        samples.append(Sample(at, Truth(at.url, ({"brand": Claim(f"{one}{ends}", ("llm",))},))))
    on = case(samples)
    assert bool(findings(read(on, "brand", "p.brand"), on)) is is_refused


def test_a_label_that_fits_two_fields_names_neither_of_them() -> None:
    """A docket calls its number "Case": so are called neither `case_name` nor `case_type`, but `case` would be."""
    for name, is_refused in (("case_name", True), ("case", False)):
        schema = Schema("Docket@1", (Field(name), Field("case_type")))
        samples = []
        for n in (1, 2):
            at = page(n, f"<dl><dt>Case:</dt><dd>{n}-82-0008</dd></dl>")
            samples.append(Sample(at, Truth(at.url, ({name: Claim(f"{n}-82-0008", ("llm",))},))))
        on = case(samples, schema=schema)
        made = read(on, name, "")
        plan = Plan({name: FieldPlan((Read("labelled", ("Case",)),))})
        made = replace(made, candidate=replace(made.candidate, plan=plan.dumps()))
        assert bool(findings(made, on)) is is_refused


@pytest.mark.parametrize("witness", ["examples", "history", "markup"])
def test_a_second_witness_on_one_page_is_enough(witness: str) -> None:
    samples = [sample(1, "brand", "maker 1", "llm"), sample(2, "brand", "maker 2", "llm", witness)]
    on = case(samples)
    assert findings(read(on, "brand", "p.box"), on) == []


@pytest.mark.parametrize(
    ("values", "doubt"),
    [
        (("maker 1",), "one place only"),
        (("maker 1", "maker 1"), "the same everywhere"),
    ],
)
def test_what_tells_nothing_of_the_page_is_no_knowledge_of_it(values: tuple[str, ...], doubt: str) -> None:
    on = brands("llm", values=values)
    (found,) = findings(read(on, "brand", "p.brand"), on)
    assert doubt in found.message


@pytest.mark.parametrize(
    ("own", "is_refused"),
    [
        ("<li>Colour: shade {n}</li><li>Brand: Samovar</li><li>Height: {n}1 cm</li>", False),
        ("<li>Brand: Samovar</li><li>Help</li><li>About us</li><li>Imprint</li><li>Terms</li>", True),
    ],
)
def test_what_is_the_same_everywhere_counts_among_what_is_each_page_s_own(own: str, is_refused: bool) -> None:
    samples = []
    for n in (1, 2, 3):
        at = page(n, f"<h1>Kettle {n}</h1><p>one</p><p>two</p><p>three</p><p>four</p><ul>{own.format(n=n)}</ul>")
        samples.append(Sample(at, Truth(at.url, ({"brand": Claim("Samovar", ("llm",))},))))
    on = case(samples)
    plan = Plan({"brand": FieldPlan((Read("labelled", ("Brand",)),))})
    made = trial(on, *([{"brand": "Samovar"}] for _ in samples), fields=("brand",))
    made = replace(made, candidate=replace(made.candidate, plan=plan.dumps()))
    assert ["same everywhere" in one.message for one in findings(made, on)] == [True] * is_refused


@pytest.mark.parametrize(("pages", "is_refused"), [((1,), True), ((1, 4), False)])
def test_no_reading_rests_on_one_page_of_a_model_s_alone(pages: tuple[int, ...], is_refused: bool) -> None:
    """On some pages the brand stands elsewhere: what stands on one of them only may be what that page told to say."""
    samples = []
    for n in range(1, 6):
        css = "brand-name" if n in pages else "brand"
        at = page(n, f'<p class="{css}">maker {n}</p>')
        samples.append(Sample(at, Truth(at.url, ({"brand": Claim(f"maker {n}", ("llm",))},))))
    on = case(samples)
    rows = [one.truth.values() if one.truth else () for one in samples]
    plan = Plan({"brand": FieldPlan((Read("text", ("p.brand-name",)), Read("text", ("p.brand",))))})
    made = trial(on, *rows, fields=("brand",))
    made = replace(made, candidate=replace(made.candidate, plan=plan.dumps()))
    assert ["single page" in one.message for one in findings(made, on)] == [True] * is_refused


def test_lists_of_one_do_not_tell_how_several_are_told_apart() -> None:
    on = case([sample(n, "tags", [f"maker {n}"], "llm") for n in (1, 2)])
    (found,) = findings(read(on, "tags", "p.tags"), on)
    assert "several" in found.message


def test_of_a_program_that_somebody_wrote_each_value_must_be_called_so() -> None:
    on = brands("llm")
    named = trial(on, [{"brand": "maker 1"}], [{"brand": "maker 2"}])
    assert findings(named, on) == []
    (found,) = findings(trial(on, [{"brand": "maker 1"}], [{"brand": "price 2"}]), on)
    assert (found.url, found.got) == (page(2).url, "price 2")


@pytest.mark.parametrize(
    ("html", "is_refused"),
    [
        ('<div class="brand"><i>Work</i>(800) 25{n}</div>', True),
        ('<div class="brand"><b>(800) 25{n}</b> <i>Work</i></div>', True),
        ('<div class="brand">Work (800) 25{n}</div>', False),
        ('<div class="brand"><i>{n}</i>(800) 25{n}</div>', False),
    ],
)
def test_a_word_apart_that_is_the_same_everywhere_may_be_a_label(html: str, is_refused: bool) -> None:
    samples = []
    for n in (1, 2, 3):
        at = page(n, html.format(n=n))
        said = PageView(at.html, at.url).text(".brand")
        samples.append(Sample(at, Truth(at.url, ({"brand": Claim(said, ("llm",), (Evidence("text", "div", "…"),))},))))
    on = case(samples)
    assert bool(findings(read(on, "brand", ".brand"), on)) is is_refused
