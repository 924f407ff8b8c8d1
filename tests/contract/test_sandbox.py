"""What every Sandbox promises: records or a failure for each page, in order, never an exception of the program."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crawloop.contract import Sandbox
from crawloop.errors import ProgramRefused
from crawloop.model.page import Page
from crawloop.sandbox import ProcessSandbox

TITLE = "def extract(page):\n    return [{'title': page.text('h1')}]\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    made = ProcessSandbox()
    yield made
    made.close()


def page(number: int, html: str | None = None) -> Page:
    return Page(url=f"https://shop.example/p/{number}", html=html or f"<h1>Thing {number}</h1>")


def test_one_run_for_each_page_in_order(sandbox: Sandbox) -> None:
    runs = sandbox.run(TITLE, [page(number) for number in range(40)])
    assert [run.records for run in runs] == [({"title": f"Thing {number}"},) for number in range(40)]
    assert [run.url for run in runs] == [f"https://shop.example/p/{number}" for number in range(40)]
    assert all(0 < run.seconds < 5 for run in runs)


def test_no_page_no_run(sandbox: Sandbox) -> None:
    assert sandbox.run(TITLE, []) == ()


def test_relative_links_are_joined_to_where_redirects_ended(sandbox: Sandbox) -> None:
    moved = Page(url="https://a.example/", html="<a href=x>y</a>", final_url="https://b.example/c/")
    (run,) = sandbox.run("def extract(page):\n    return {'link': page.absolute(page.attr('a', 'href'))}", [moved])
    assert run.records == ({"link": "https://b.example/c/x"},)
    assert run.url == "https://a.example/"


def test_an_exception_names_its_line_and_spares_the_other_pages(sandbox: Sandbox) -> None:
    source = "def extract(page):\n    if '1' in page.text('h1'):\n        raise KeyError('price')\n    return []\n"
    first, second = sandbox.run(source, [page(1), page(2)])
    assert first.records is None
    assert first.failure is not None
    assert (first.failure.kind, first.failure.message, first.failure.line) == ("exception", "KeyError: 'price'", 3)
    assert second.records == ()


def test_after_a_deadline_the_rest_is_not_tried(sandbox: Sandbox) -> None:
    source = "def extract(page):\n    while 'Thing 1' in page.html:\n        pass\n    return []\n"
    runs = sandbox.run(source, [page(0), page(1), page(2), page(3)], deadline=1.0)
    assert runs[0].records == ()
    assert [run.failure.kind for run in runs[1:] if run.failure] == ["deadline"] * 3
    assert 0.9 < runs[1].seconds < 5
    assert runs[2].seconds == 0


def test_a_refused_program_is_refused_on_every_page(sandbox: Sandbox) -> None:
    source = "import os\ndef extract(page):\n    return []\n"
    runs = sandbox.run(source, [page(0), page(1)])
    assert [run.failure.kind for run in runs if run.failure] == ["refused", "refused"]
    with pytest.raises(ProgramRefused, match=r"refused: import of 'os' .* line 1"):
        sandbox.admit(source)


def test_an_admitted_program_is_admitted(sandbox: Sandbox) -> None:
    sandbox.admit(TITLE)


def test_no_page_knows_of_another(sandbox: Sandbox) -> None:
    source = "SEEN = []\ndef extract(page):\n    SEEN.append(page.url)\n    return [{'seen': len(SEEN)}]\n"
    runs = sandbox.run(source, [page(0), page(1), page(2)])
    assert [run.records for run in runs] == [({"seen": 1},)] * 3


def test_half_a_character_is_dropped_from_a_page_and_its_neighbours_stay(sandbox: Sandbox) -> None:
    pages = [page(0, "<h1>Gr\ud800öße</h1>"), page(1, "<h1>한국 Größe 😀</h1>"), page(2, "<h1>\ud800</h1>")]
    assert [run.records for run in sandbox.run(TITLE, pages)] == [
        ({"title": "Größe"},),
        ({"title": "한국 Größe 😀"},),
        ({"title": None},),
    ]
    source = "def extract(page):\n    return [{'whole': page.html == '<h1>Größe</h1>', 'long': len(page.html)}]\n"
    (run,) = sandbox.run(source, [page(0, "<h1>Größe</h1>")])
    assert run.records == ({"whole": True, "long": 14},)
