"""Texts of two sides that stand in different places of the page."""

from crawloop.carriers import support
from crawloop.extract.view import PageView
from crawloop.model.kind import Field
from tests.unit.test_induction_cases import URL, learned, read, sample

NAME = Field("name")
PAGE = "<h1>Case {}</h1><dl><dt>For:<dd>{}<dt>Against:<dd>{}</dl><p>See also Roe v. Wade</p>"
SHOWN = [("12", "Ana Roe", "City of Moor"), ("15", "Lumen Ltd", "Ben Poe and others")]


def cases(*more):
    return [sample(n, PAGE.format(*one), name=f"{one[1]} v. {one[2]}".removesuffix(" v. ")) for n, one in more]


def test_two_sides_with_the_words_that_stand_between_them():
    plan = learned(cases(*enumerate(SHOWN)), NAME)
    assert read(plan, PAGE.format("19", "Cy Low", "Dee Day")) == {"name": "Cy Low v. Dee Day"}


def test_one_side_alone_is_the_value_where_the_label_of_the_other_has_an_empty_place():
    plan = learned(cases(*enumerate(SHOWN)), NAME)
    alone = PAGE.format("19", "In re Low", "&nbsp;")
    assert read(plan, alone) == {"name": "In re Low"}
    assert read(plan, alone.replace("<dt>Against:<dd>&nbsp;", "")) == {"name": None}
    assert read(plan, alone.replace("&nbsp;", '<img src="/seal.png">')) == {"name": None}


def test_one_side_alone_is_null_where_the_other_has_no_label_and_no_sample_lacks_it():
    page = "<h1>{}</h1><h2>{}</h2><p>See also Roe v. Wade</p>"
    plan = learned(
        [sample(n, page.format(*one[1:]), name=f"{one[1]} v. {one[2]}") for n, one in enumerate(SHOWN)], NAME
    )
    assert read(plan, page.format("Cy Low", "Dee Day")) == {"name": "Cy Low v. Dee Day"}
    assert read(plan, page.format("In re Low", "")) == {"name": None}


def test_one_side_alone_is_the_value_where_a_sample_has_one():
    plan = learned(cases(*enumerate([*SHOWN, ("16", "In re Day", "")])), NAME)
    assert read(plan, PAGE.format("19", "In re Low", "")) == {"name": "In re Low"}
    assert read(plan, PAGE.format("20", "Cy Low", "Dee Day")) == {"name": "Cy Low v. Dee Day"}


def test_a_text_of_which_one_side_stands_nowhere_is_not_on_the_page():
    view = PageView(PAGE.format(*SHOWN[0]), URL.format(1))
    assert support(view, "Ana Roe v. City of Moor", NAME)
    assert not support(view, "Ana Roe v. City of Lake", NAME)
