"""Programs out of parts: composing plans, and taking fields out of anybody's program."""

import pytest

from crawloop.extract.plan import FieldPlan, Plan, Rows
from crawloop.extract.reading import Read
from crawloop.strategy.plans.emit import compose, composed, from_plan, without


def reads(*paths):
    return FieldPlan(tuple(Read("json", (path,)) for path in paths))


def test_a_field_comes_from_the_first_plan_that_offers_it():
    json = Plan({"title": reads("@Product.name"), "price": reads("@Product.price")})
    dom = Plan({"title": reads("h1"), "stock": reads("p")})
    plan = compose([(json, frozenset(["title"])), (dom, frozenset(["title", "stock"]))])
    assert plan == Plan({"title": reads("@Product.name"), "stock": reads("p")})


def test_plans_of_different_rows_do_not_mix():
    rows = Rows(Read("css", ("tr",)))
    one, other = Plan({"a": reads("x")}), Plan({"b": reads("y")}, rows)
    assert compose([(one, frozenset("a")), (other, frozenset("b"))]) is None
    assert compose([(one, frozenset()), (other, frozenset("b"))]) == other


def test_a_composed_candidate_keeps_the_notes_of_its_parts():
    one = from_plan(Plan({"a": reads("x")}), "f", "value-path", {"a": ("reads x",)})
    other = from_plan(Plan({"a": reads("z"), "b": reads("y")}), "f", "dom", {"a": ("reads z",), "b": ("reads y",)})
    both = composed([(one, frozenset("a")), (other, frozenset("b"))], "f", "composed")
    assert both.fields == {"a", "b"}
    assert both.notes == {"a": ("reads x",), "b": ("reads y",)}
    assert '"a": page.json("x")' in both.source


PROGRAMS = {
    "display": 'def extract(page):\n    return [{"a": 1, "b": 2}]\n',
    "assignment": 'def extract(page):\n    r = {}\n    r["a"] = 1\n    r["b"] = 2\n    return [r]\n',
    "keyword": "def extract(page):\n    return [dict(a=1, b=2)]\n",
    "comprehension": 'def extract(page):\n    return [{k: ord(k) - 96 for k in "ab"}]\n',
    "computed": 'def extract(page):\n    r = {"a": 1}\n    for k in ["b"]:\n        r[k] = 2\n    return [r]\n',
    "update": 'def extract(page):\n    r = {"a": 1}\n    r.update([("b", 2)])\n    return [r]\n',
    "html": 'def extract(html, url):\n    return [{"a": 1, "b": len(html) - len(html) + 2}]\n',
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_field_is_taken_out_however_the_program_builds_its_records(name):
    space = {}
    exec(without(PROGRAMS[name], ["b"]), space)
    given = ("", "") if name == "html" else (None,)
    assert space["extract"](*given) == [{"a": 1}]


def test_a_dropped_field_is_not_even_computed():
    source = without('def extract(page):\n    return [{"a": 1, "b": 1 / 0}]\n', ["b"])
    assert "1 / 0" not in source


def test_a_program_without_the_field_stays_as_it_was():
    assert without(PROGRAMS["display"], ["c"]) == PROGRAMS["display"]


def test_nonsense_is_named_as_such():
    with pytest.raises(SyntaxError):
        without("def extract(:", ["a"])
