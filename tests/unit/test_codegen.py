"""Programs by a model: what it is shown, what is taken from its answers, and which fields a program claims."""

import asyncio
import inspect
import re
from typing import Any

import pytest

from crawloop.brief.prompt import load
from crawloop.contract import Brief, Completer
from crawloop.errors import BudgetSpent, CompletionError, StrategyDeclined
from crawloop.extract.view import Element, PageView
from crawloop.llm import Metered, ScriptedCompleter
from crawloop.model.family import Version
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.model.policy import Budget
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.registry import MemoryStore
from crawloop.strategy.codegen import Codegen, claimed, program_of, slots

SCHEMA = Schema("Product@1", (Field("title"), Field("price", Kind.MONEY)))
DATA = ("attributes", "heading", "html", "next", "parent", "tag", "url")
PROGRAM = 'def extract(page):\n    return [{"title": page.text("h1")}]\n'


def sample(number: int) -> Sample:
    url = f"https://shop.example/p/{number}"
    claims = ({"title": Claim(f"Kettle {number}", ("examples",))},)
    return Sample(Page(url, f"<html><body><h1 class='name'>Kettle {number}</h1></body></html>"), Truth(url, claims))


def brief(**more: Any) -> Brief:
    return Brief("shop/product", SCHEMA, (sample(1), sample(2), Sample(sample(3).page)), **{"model": "m", **more})


def propose(*answers: str | Exception, **more: Any) -> list[str]:
    strategy = Codegen(ScriptedCompleter(answers))
    return [one.source for one in asyncio.run(strategy.propose(brief(candidates=len(answers), **more)))]


def fenced(source: str) -> str:
    return f"Sure:\n```python\n{source}```\nIt reads the heading."


def rendered(given: Brief, index: int) -> tuple[str, str]:
    return load("codegen").render(**slots(given, index))


def test_each_candidate_is_asked_for_with_its_own_approach() -> None:
    completer = ScriptedCompleter([fenced(PROGRAM), fenced(PROGRAM.replace("h1", "h2"))])
    candidates = asyncio.run(Codegen(completer).propose(brief()))
    assert [one.source.count("h1") for one in candidates] == [1, 0]
    assert all(one.origin == "codegen" and one.model == "m" and one.plan is None for one in candidates)
    first, second = completer.asked
    assert first.system != second.system
    assert first.user == second.user


def test_candidates_are_told_apart_in_the_ledger() -> None:
    store = MemoryStore()
    scripted = ScriptedCompleter(lambda call: fenced(PROGRAM))
    meter = Metered(scripted, store, Budget(), lambda: "2026-01-01T00:00:00Z")
    meter.begin("shop/product", "r")
    assert len(asyncio.run(Codegen(meter).propose(brief()))) == 1
    assert store.spend(run="r")[0] == 2


def test_the_model_sees_pages_with_their_right_values_and_nothing_of_pages_without() -> None:
    _, user = rendered(brief(), 0)
    assert '<h1 class="name">Kettle 1</h1>' in user
    assert '{"title": "Kettle 2"}' in user
    assert "Kettle 3" not in user


def test_the_program_that_served_and_the_last_round_s_verdicts_are_shown_as_data() -> None:
    active = Version("shop/product", 1, "def extract(page): return OLD", "codegen", "Product@1", 1, "2026")
    _, user = rendered(brief(active=active, number=2, feedback="price: expected 3, got 300"), 0)
    assert "<<<program " in user
    assert "return OLD" in user
    assert "Round 2" in user
    assert "expected 3, got 300" in user


OLD = """def extract(page):
    return [{"title": page.text("h1.old"), "price": money(page.labelled("Price"))}]
"""


def test_what_has_changed_since_the_program_served_is_told_in_so_many_tokens() -> None:
    active = Version("shop/product", 1, OLD, "codegen", "Product@1", 1, "2026")
    _, user = rendered(brief(active=active), 0)
    assert 'title: page.text("h1.old") matches nothing on 2 of 2 pages\n  stands in text: ' in user
    assert "Kettle 3" not in user, "nothing of a page without truth"
    assert 'page.labelled("Price")' not in user.partition("as the pages of today")[2], (
        "of the price no page knows anything"
    )
    fitting = Version("shop/product", 1, PROGRAM, "codegen", "Product@1", 1, "2026")
    assert "changed since, as" not in rendered(brief(active=fitting), 0)[1]
    assert "changed since, as" not in rendered(brief(), 0)[1]


def test_the_reference_names_all_that_a_page_can_do_and_nothing_else() -> None:
    system = load("codegen").system
    members = {one for one in (*dir(Element), *dir(PageView)) if one[0] != "_"} - {"islands"}
    assert set(re.findall(r"\b(?:page|row)\.(\w+)", system)) == members
    (said,) = re.findall(r"Of ([\w, ]+) the first match counts", system)
    readings = [(one, inspect.signature(getattr(PageView, one)).parameters) for one in members if one not in DATA]
    assert set(re.findall(r"\w+", said)) - {"and"} == {one for one, given in readings if "alone" in given}
    for name, given in re.findall(r"\b(?:page|row)\.(\w+)\(([\w, ]*)\)", system):
        inspect.signature(getattr(PageView, name)).bind(None, *given.split(", "))


def test_answers_without_a_program_are_passed_over_and_doubles_count_once() -> None:
    assert propose("no idea", fenced(PROGRAM), PROGRAM) == [PROGRAM]
    with pytest.raises(StrategyDeclined, match="no answer of m holds a program"):
        propose("no idea", "```python\nprint(1)\n```")


def test_a_program_that_recites_the_prompt_is_passed_over() -> None:
    prompt = load("codegen").system
    told = f"def extract(page):\n    return [{{'title': {prompt!r}}}]\n"
    sentence = f"def extract(page):\n    # {prompt.splitlines()[0]}\n    return []\n"
    assert propose(fenced(told), sentence, fenced(PROGRAM)) == [PROGRAM]


def test_a_program_that_does_not_parse_is_handed_on_for_the_gauntlet_to_name() -> None:
    assert propose(fenced('def extract(page):\n    return [{"title": \n')) == [
        'def extract(page):\n    return [{"title":\n'
    ]


def test_one_failed_call_does_not_cost_the_others_and_all_failed_is_told() -> None:
    assert propose(CompletionError("down"), fenced(PROGRAM)) == [PROGRAM]
    with pytest.raises(BudgetSpent, match="spent"):
        propose(BudgetSpent("spent"), CompletionError("down"))


def test_without_a_model_nothing_is_asked() -> None:
    with pytest.raises(StrategyDeclined, match="no model"):
        propose(model=None)


@pytest.mark.parametrize(
    ("answer", "starts"),
    [
        (PROGRAM, "def extract"),
        ("```\n" + PROGRAM + "```", "def extract"),
        ("```python\nimport re\n```\nthen\n```py\n" + PROGRAM + "```", "def extract"),
        ("```python\n" + PROGRAM, "def extract"),
        ("def extract(html, url):\n    return []\n", "def extract(html, url)"),
    ],
)
def test_programs_are_found_in_answers(answer: str, starts: str) -> None:
    assert (program_of(answer) or "").startswith(starts)


@pytest.mark.parametrize(
    ("source", "fields"),
    [
        ('def extract(page):\n    return [{"title": 1, "other": 2}]', {"title"}),
        ('def extract(page):\n    r = {}\n    r["price"] = page.text("title")\n    return [r]', {"price"}),
        ("def extract(page):\n    return [dict(title=1)]", {"title"}),
        ("def extract(page):\n    return rows(page)", {"title", "price"}),
        ("def extract(page) return", {"title", "price"}),
    ],
)
def test_a_program_claims_the_fields_that_it_writes(source: str, fields: set[str]) -> None:
    assert claimed(source, SCHEMA) == fields


def test_any_ledger_will_do() -> None:
    class Ledger:
        def __init__(self) -> None:
            self.asked: list[tuple[str, int]] = []

        def of(self, purpose: str, index: int = 0) -> Completer:
            self.asked.append((purpose, index))
            return ScriptedCompleter([fenced(PROGRAM)])

    ledger = Ledger()
    asyncio.run(Codegen(ledger).propose(brief()))
    assert ledger.asked == [("codegen", 0), ("codegen", 1)]
