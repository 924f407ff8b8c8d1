"""Headings that no sample teaches, read between the paragraphs of a text that one does."""

import pytest

from crawloop.model.kind import Field
from tests.unit.test_induction_cases import TITLE, learned, propose, read, sample

PARAGRAPHS, HEADINGS = Field("paragraphs", many=True), Field("subheadings", many=True)
TEXT = ("Nobody in the valley knows who has built the bridge.", "It rains.", "Ducks swim on the river.")
OTHER = ("The ferry stays on its side while the river is high.", "Boats wait.", "Cy sold his own.")


def page(texts, heads=("", ""), end=""):
    first, second, third = texts
    said = f"<p>{first}</p>{heads[0]}<p>{second}</p>{heads[1]}<p>{third}</p>{end}"
    return f"<h1>A story</h1><h2>Today</h2><article><div>Three minutes</div>{said}</article><h2>More</h2>"


def taught(*fields, heads=("", ""), texts=TEXT):
    return [sample(1, page(texts, heads), title="A story", paragraphs=[*texts])], TITLE, PARAGRAPHS, *fields


def test_headings_between_the_paragraphs_are_those_of_the_text():
    plan = learned(*taught(HEADINGS))
    assert read(plan, page(OTHER, ("<h3>Rain</h3>", "<h3>Wind</h3>"), "<h3>See also</h3>"))["subheadings"] == [
        "Rain",
        "Wind",
    ]
    assert read(plan, page(OTHER))["subheadings"] == []


def test_headings_of_several_sorts_are_none_of_a_text_for_sure():
    plan = learned(*taught(HEADINGS))
    assert read(plan, page(OTHER, ("<h3>Rain</h3>", "<h4>Our offers</h4>")))["subheadings"] == []


@pytest.mark.parametrize("field", [Field("subheadings"), Field("quotes", many=True)])
def test_other_fields_are_no_headings(field):
    assert propose(*taught(field)).fields == {"title", "paragraphs"}


def test_headings_that_a_sample_has_and_nobody_calls_the_field_s_are_not_read():
    assert propose(*taught(HEADINGS, heads=("<h3>Rain</h3>", ""))).fields == {"title", "paragraphs"}


def test_a_list_of_names_has_no_headings():
    assert propose(*taught(HEADINGS, texts=("Ana", "Ben", "Cy"))).fields == {"title", "paragraphs"}
