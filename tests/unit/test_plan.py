"""A plan as data, as a program and as JSON says one thing."""

import keyword
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop.extract.plan import FieldPlan, Plan, Rows
from crawloop.extract.reading import Absolute, Apply, Literal, Read, Several, Table, literal

TITLE = FieldPlan((Read("json", ("@Recipe.name",)), Read("text", ("h1",))))
TIME = FieldPlan((Apply("duration", (Read("json", ("@Recipe.totalTime",)),), (), (("unit", "hours"),)),))


def test_a_detail_plan_prints_what_a_person_would_write():
    source = Plan({"title": TITLE, "time": TIME}).source("shop.example/product", "value-path")
    assert source == (
        '"""Extractor for shop.example/product, by value-path."""\n\n\n'
        "def extract(page):\n"
        "    return [\n"
        "        {\n"
        '            "title": first(page.json("@Recipe.name"), lambda: page.text("h1")),\n'
        '            "time": duration(page.json("@Recipe.totalTime"), unit="hours"),\n'
        "        }\n"
        "    ]\n"
    )


def test_a_listing_plan_reads_rows_and_page():
    rows = Rows(Read("css", ("table.opinions tr",)), (Read("text", ("td a",)),))
    plan = Plan(
        {"court": FieldPlan((Read("text", ("h1",), "page"),)), "case": FieldPlan((Read("text", ("td a",)),))}, rows
    )
    source = plan.source("court", "listing")
    assert 'for row in page.css("table.opinions tr")\n        if row.text("td a") is not None\n' in source
    assert '"court": page.text("h1")' in source
    assert '"case": row.text("td a")' in source


def test_long_chains_break_over_lines_and_still_compile():
    readers = tuple(Read("text", (f"div.section-{n} > p.very-long-class-name",)) for n in range(4))
    source = Plan({"title": FieldPlan(readers)}).source("a", "b")
    assert max(map(len, source.splitlines())) < 110
    compile(source, "program", "exec")


def test_a_family_name_cannot_leave_its_docstring():
    source = Plan({}).source('a"""\nimport os\n"""\\', "b")
    assert compile(source, "program", "exec").co_names == ("extract",) or "import os" in source.splitlines()[0]


class Fake:
    """A page that answers from a table of (method, args)."""

    def __init__(self, answers):
        self.answers = answers

    def text(self, css=""):
        return self.answers.get(css)

    def css(self, css):
        return self.answers.get(css, [])


def test_readers_are_read_from_row_or_page_and_rows_without_the_key_are_left_out():
    rows = [Fake({"a": "one"}), Fake({}), Fake({"a": "two"})]
    page = Fake({"tr": rows, "h1": "Court"})
    plan = Plan(
        {"case": FieldPlan((Read("text", ("a",)),)), "court": FieldPlan((Read("text", ("h1",), "page"),))},
        Rows(Read("css", ("tr",)), (Read("text", ("a",)),)),
    )
    assert plan.read(page) == [{"case": "one", "court": "Court"}, {"case": "two", "court": "Court"}]
    space = {}
    exec(plan.source("a", "b"), space)
    assert space["extract"](page) == plan.read(page)


def test_fields_are_kept_and_dropped_by_name():
    plan = Plan({"title": TITLE, "time": TIME})
    assert list(plan.only(["time"]).fields) == ["time"]
    assert list(plan.without(["time"]).fields) == ["title"]


plain = st.one_of(st.none(), st.booleans(), st.integers(), st.text())
arguments = st.lists(st.one_of(plain, st.lists(plain).map(tuple)), max_size=3).map(tuple)
names = st.from_regex(r"[a-z]{1,8}", fullmatch=True).filter(lambda name: not keyword.iskeyword(name))
reads = st.builds(Read, names, st.one_of(st.none(), st.lists(st.text()).map(tuple)), st.sampled_from(["row", "page"]))
tables = st.dictionaries(st.text(), plain).map(lambda d: (Table(tuple(d.items())),))
expressions = st.recursive(
    st.one_of(reads, st.builds(Literal, plain)),
    lambda inner: st.one_of(
        st.builds(Apply, names, st.lists(inner, min_size=1, max_size=3).map(tuple), st.one_of(arguments, tables)),
        st.builds(Absolute, inner),
        st.builds(Several, st.lists(inner, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)
plans = st.builds(
    Plan,
    st.dictionaries(
        st.text(max_size=9), st.builds(FieldPlan, st.lists(expressions, max_size=3).map(tuple)), max_size=3
    ),
    st.one_of(st.none(), st.builds(Rows, reads, st.lists(reads, max_size=2).map(tuple))),
)


@given(plans)
def test_json_text_gives_the_plan_back(plan):
    assert Plan.loads(plan.dumps()) == plan


@given(plans)
def test_every_plan_prints_a_program_that_compiles(plan):
    compile(plan.source("family", "origin"), "program", "exec")


@given(st.text())
def test_texts_survive_as_literals(value):
    assert eval(literal(value)) == value


@pytest.mark.parametrize("text", ["[]", "{}", '{"fields": {"a": {}}}', "nonsense"])
def test_what_is_no_plan_says_so(text):
    with pytest.raises(ValueError, match=re.compile("plan|Expecting")):
        Plan.loads(text)
