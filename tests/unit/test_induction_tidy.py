"""Texts of JSON are read clean, whether or not the samples have something to clean there."""

import json

from crawloop.model.kind import Field
from tests.unit.test_induction_cases import TITLE, learned, read, sample

PARTS = Field("parts", many=True)


def page(**said):
    return f'<script type="application/ld+json">{json.dumps({"@type": "Product", **said})}</script>'


def test_markup_that_no_sample_has_is_taken_off():
    plan = learned([sample(1, page(name="Red chair"), title="Red chair")], TITLE)
    assert read(plan, page(name="Oak &amp; <b>pine</b> lamp")) == {"title": "Oak & pine lamp"}


def test_a_remark_in_two_pairs_of_brackets_has_one():
    shown = ["2 screws", "1 hinge (brass)", "4 legs"]
    plan = learned([sample(1, page(parts=shown), parts=shown)], PARTS)
    got = read(plan, page(parts=["1 shelf ((spare))", "2 pins (steel (coated))"]))
    assert got == {"parts": ["1 shelf (spare)", "2 pins (steel (coated))"]}


def test_stray_spaces_of_a_sample_do_not_keep_its_texts_as_they_are():
    plan = learned([sample(1, page(parts=["2  screws", "4 legs"]), parts=["2 screws", "4 legs"])], PARTS)
    assert read(plan, page(parts=["1 shelf ((spare))"])) == {"parts": ["1 shelf (spare)"]}


def test_lines_of_a_text_are_kept_where_a_sample_has_some():
    plan = learned([sample(1, page(name="Red chair\nof oak"), title="Red chair\nof oak")], TITLE)
    assert read(plan, page(name="Lamp\nof brass")) == {"title": "Lamp\nof brass"}


def test_markup_stays_in_the_parts_of_a_text_that_is_split_for_it_may_part_them_otherwise():
    plan = learned([sample(1, page(parts="2 screws\n4 legs"), parts=["2 screws", "4 legs"])], PARTS)
    assert "<li>" in str(read(plan, page(parts="<ul><li>1 shelf,\n spare</li>\n<li>2 pins</li></ul>")))


def test_lines_are_still_told_apart():
    plan = learned([sample(1, page(parts="2 screws"), parts=["2 screws"])], PARTS)
    assert read(plan, page(parts="1 shelf\n2 pins")) != {"parts": ["1 shelf 2 pins"]}
