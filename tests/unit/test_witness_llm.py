"""A model as a witness: its answer is read tolerantly, mended once, and believed only where the page bears it out."""

import asyncio
import json
import re
from typing import Any

import pytest

from crawloop.errors import CompletionError, OracleRefused
from crawloop.llm.scripted import ScriptedCompleter
from crawloop.model import truth
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.witness.llm import LLMWitness, read_answer

SCHEMA = Schema(
    "Product@1",
    (
        Field("title"),
        Field("price", Kind.MONEY),
        Field("state", Kind.ENUM, choices=("new", "used")),
        Field("new", Kind.BOOL),
    ),
)
PAGE = Page("https://shop.example/p/1", "<html><body><h1>Kettle</h1><p>Now 19,90 €</p><p>almost mint</p></body></html>")


def heard(*answers: str | Exception, model: str | None = "m") -> tuple[truth.Testimony | None, ScriptedCompleter]:
    completer = ScriptedCompleter(answers)
    return asyncio.run(LLMWitness(completer).testify(PAGE, "shop", SCHEMA, model)), completer


def answer(**fields: Any) -> str:
    return json.dumps({"records": [fields]})


def cell(value: Any, snippet: str = "") -> dict[str, Any]:
    return {"value": value, "snippet": snippet}


def test_values_are_kept_where_their_words_or_they_themselves_stand_on_the_page() -> None:
    said, _ = heard(answer(title="Kettle", price=cell(19.9, "Now 19,90 €"), state=cell("used", "almost  MINT")))
    assert said is not None
    assert said.records == ({"title": "Kettle", "price": 19.9, "state": "used"},)
    assert said.evidence[0, "state"] == (truth.Evidence("quote", "", "almost  MINT"),)


NOTHING = '{"values": []}'


def at(value: Any, *lines: int) -> dict[str, Any]:
    return {"value": value, "line": list(lines)}


def test_a_value_is_believed_in_the_line_that_it_cites() -> None:
    said, _ = heard(answer(title=at("Kettle", 1), price=at(19.9, 2), state=at("used", 3)))
    assert said is not None
    assert said.records == ({"title": "Kettle", "price": 19.9, "state": "used"},)
    assert said.evidence[0, "price"] == (truth.Evidence("quote", "", "Now 19,90 €"),)


def test_values_that_stand_nowhere_are_asked_for_again_once_and_then_dropped() -> None:
    first = answer(title="Kettle", price=cell(12.5, "only 12.50 today"), new=cell(True, "brand new"))
    said, completer = heard(first, NOTHING)
    assert said is not None
    assert said.records == ({"title": "Kettle"},)
    assert len(completer.asked) == 2
    assert '"field": "price", "value": 12.5' in completer.asked[1].user
    assert "almost mint" in completer.asked[1].user


def test_words_of_the_page_do_not_vouch_for_another_value() -> None:
    said, _ = heard(answer(title="Kettle", price=cell(12.5, "Now 19,90 €")), NOTHING)
    assert said is not None
    assert said.records == ({"title": "Kettle"},)


def test_a_second_look_may_find_what_the_first_did_not_and_nothing_else() -> None:
    again = json.dumps(
        {"values": [{"record": 1, "field": "price", **at(19.9, 2)}, {"record": 1, "field": "title", "value": "mint"}]}
    )
    said, _ = heard(answer(title=at("Kettle", 1), price=at(12.5, 2)), again)
    assert said is not None
    assert said.records == ({"title": "Kettle", "price": 19.9},)


def test_a_long_list_is_read_in_windows_and_a_record_at_their_border_counts_once() -> None:
    items = "".join(f"<p>Item {n} of the long list, in plain words for the model</p>" for n in range(900))
    pages = Page("https://shop.example/list", f"<html><body>{items}</body></html>")
    shown = []

    def reads(call: Any) -> str:
        lines = re.findall(r"^\[(\d+)\] (Item .*)$", call.user, re.MULTILINE)
        shown.append(lines)
        return json.dumps({"records": [{"title": at(text, int(number))} for number, text in lines]})

    said = asyncio.run(LLMWitness(ScriptedCompleter(reads)).testify(pages, "shop", SCHEMA, "m"))
    assert said is not None
    assert len(shown) > 1
    assert set(shown[0]) & set(shown[1])
    assert [record["title"].split()[1] for record in said.records] == [str(n) for n in range(900)]


def test_what_siblings_share_is_not_shown() -> None:
    menu = "".join(f"<li>Menu {n}</li>" for n in range(8))
    pages = [Page(f"https://shop.example/{n}", f"<body><ul>{menu}</ul><h1>Kettle {n}</h1></body>") for n in (1, 2)]
    completer = ScriptedCompleter((answer(title="Kettle 1"),))
    asyncio.run(LLMWitness(completer).testify(pages[0], "shop", SCHEMA, "m", pages[1:]))
    assert "Menu 3" not in completer.asked[0].user
    assert "Kettle 1" in completer.asked[0].user


def test_values_of_another_kind_and_unknown_fields_are_dropped() -> None:
    said, _ = heard(answer(title="Kettle", price=cell("cheap", "Now 19,90 €"), colour=cell("red", "Kettle")))
    assert said is not None
    assert said.records == ({"title": "Kettle"},)


def test_an_answer_of_which_nothing_stands_on_the_page_is_silence() -> None:
    assert heard(answer(title="Samovar"), NOTHING)[0] is None


def test_without_a_model_nobody_is_asked() -> None:
    said, completer = heard("{}", model=None)
    assert said is None
    assert completer.asked == []


@pytest.mark.parametrize(
    "text",
    [
        '{"records": [{"a": 1}]}',
        'Here you are:\n```json\n{"records": [{"a": 1}]}\n```\nAnything else?',
        '[{"a": 1}]',
        '{"a": 1}',
        'As {asked}, see [1]: {"records": [{"a": 1}]} and {more}.',
    ],
)
def test_answers_are_read_amid_other_text(text: str) -> None:
    assert read_answer(text) == [{"a": 1}]


@pytest.mark.parametrize(
    "text", ["", "no idea", '{"records": [{"a": 1}, {"a"', '{"records": [1, 2]}', '{"records": null}']
)
def test_a_part_of_an_answer_is_no_answer(text: str) -> None:
    with pytest.raises(ValueError, match="holds no JSON"):
        read_answer(text)


def test_an_unreadable_answer_is_mended_once() -> None:
    said, completer = heard("title is Kettle", answer(title="Kettle"))
    assert said is not None
    assert said.records == ({"title": "Kettle"},)
    assert "title is Kettle" in completer.asked[1].user
    assert "Now 19,90" not in completer.asked[1].user


def test_an_answer_that_stays_unreadable_is_refused_and_a_provider_error_is_passed_on() -> None:
    with pytest.raises(OracleRefused, match="no readable answer"):
        heard("no", "still no")
    with pytest.raises(CompletionError, match="down"):
        heard(CompletionError("down"))


def test_the_model_is_shown_the_page_as_data_and_the_fields_by_name() -> None:
    _, completer = heard(answer(title="Kettle"))
    (call,) = completer.asked
    assert "- state: exactly one of the choices: new, used" in call.user
    begins, ends = call.user.index("<<<page "), call.user.index("<<<end of page ")
    assert begins < call.user.index("almost mint") < ends
