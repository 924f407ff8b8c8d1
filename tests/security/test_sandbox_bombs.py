"""Sources, programs and results that are too much: each ends in a failure, in time, and the caller does not grow."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator

import pytest

from crawloop.errors import ProgramRefused
from crawloop.model.candidate import Failure
from crawloop.model.page import Page
from crawloop.sandbox import ProcessSandbox

PAGE = Page(url="https://shop.example/p/1", html="<h1>Thing</h1>")
HONEST = "def extract(page):\n    return [{'title': page.text('h1')}]\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[ProcessSandbox]:
    with ProcessSandbox() as made:
        made.run(HONEST, [PAGE])
        yield made


def ended(sandbox: ProcessSandbox, source: str, page: Page = PAGE, deadline: float = 10.0) -> Failure:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.monotonic()
    (run,) = sandbox.run(source, [page], deadline=deadline)
    assert time.monotonic() - began < deadline + 8
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000
    (honest,) = sandbox.run(HONEST, [PAGE])
    assert honest.records == ({"title": "Thing"},)
    assert run.records is None
    assert run.failure is not None
    return run.failure


def returning(expression: str) -> str:
    return f"def extract(page):\n    return {expression}\n"


GATE = {
    "a long sum": returning("+".join(["1"] * 25_000)),
    "a long source": returning("+".join(["1"] * 200_000)),
    "a long chain": returning("page" + ".x" * 30_000),
    "deep brackets": returning("(" * 30_000 + ")" * 30_000),
    "deep lists": returning("[" * 190 + "]" * 190),
    "deep signs": returning("-" * 60_000 + "1"),
    "deep nots": returning("not " * 15_000 + "1"),
    "deep lambdas": returning("lambda: " * 8_000 + "1"),
    "deep calls": returning("page(" * 190 + ")" * 190),
    "deep conditions": "".join(" " * depth + "if 1:\n" for depth in range(99)) + " " * 99 + "pass\n",
    "deep comprehension": returning("[x" + " for x in [1]" * 4_000 + "]"),
    "many decorators": "@print\n" * 9_000 + "def extract(page):\n    return []\n",
    "a null byte": "def extract(page):\n    return []\0\n",
    "lone surrogates": "def extract(page):\n    return ['\ud800']\n",
    "another encoding": "# coding: utf-7\ndef extract(page):\n    return +AFs-+AF0-\n",
    "no function": "rows = []\n",
    "nothing": "",
    "prose": "Here is the program you asked for:\n\ndef extract(page):\n    return []\n",
}


@pytest.mark.parametrize("name", GATE)
def test_the_check_itself_survives(name: str, sandbox: ProcessSandbox) -> None:
    failure = ended(sandbox, GATE[name])
    assert failure.kind in ("refused", "exception", "output"), failure
    if failure.kind == "refused":
        assert failure.message.startswith("refused: ")
        with pytest.raises(ProgramRefused):
            sandbox.admit(GATE[name])


def test_folding_of_constants_is_bounded(sandbox: ProcessSandbox) -> None:
    assert ended(sandbox, returning("[{'n': len(('x' * 4096) * 1000000)}]")).kind == "memory"


MEMORY = {
    "repeated text": "[{'n': len('x' * 10 ** 10)}]",
    "repeated list": "[{'n': len([0] * 10 ** 9)}]",
    "padding": "[{'n': len('{:>3000000000}'.format(1))}]",
    "padding by percent": "[{'n': len('%3000000000d' % 1)}]",
    "joined": "[{'n': len(('x' * 100000).join(['y'] * 100000))}]",
    "range as a list": "[{'n': len(list(range(10 ** 10)))}]",
    "bytes": "[{'n': len(bytes(4 * 10 ** 9))}]",
    "shift": "[{'n': (1 << 10 ** 11).bit_length()}]",
}


@pytest.mark.parametrize("name", MEMORY)
def test_memory_ends(name: str, sandbox: ProcessSandbox) -> None:
    assert ended(sandbox, returning(MEMORY[name])).kind == "memory"


TIME = {
    "a loop": "def extract(page):\n    while True:\n        pass\n",
    "a loop before anything": "while True:\n    pass\ndef extract(page):\n    return []\n",
    "exceptions caught": """
def extract(page):
    while True:
        try:
            1 / 0
        except:
            pass
""",
    "a finally": """
def extract(page):
    while True:
        try:
            return []
        finally:
            continue
""",
    "a regex": "import re\ndef extract(page):\n    return re.match('(a+)+$', 'a' * 40 + 'b')\n",
    "a power": returning("[{'n': len(str(7 ** 7 ** 9))}]"),
    "a sum": returning("[{'n': sum(range(10 ** 12))}]"),
    "an endless iterator": "import itertools\ndef extract(page):\n    return [{'n': sum(itertools.count())}]\n",
    "an iterator that never fills": returning("(row for row in iter(int, 1) if row)"),
    "a message raised": """
class Endless(Exception):
    def __str__(self):
        while True:
            pass
def extract(page):
    raise Endless
""",
    "a hash": "class D:\n    def __hash__(self):\n        while 1: pass\n" + returning("[{D(): 1}]"),
    "a comparison": "class L(list):\n    def __eq__(self, o):\n        while 1: pass\n" + returning("L() == 1"),
}


@pytest.mark.parametrize("name", TIME)
def test_time_ends(name: str, sandbox: ProcessSandbox) -> None:
    failure = ended(sandbox, TIME[name], deadline=0.4)
    assert failure.kind == "deadline"
    assert "0.4 seconds" in failure.message


def test_a_page_that_no_parser_gets_through_is_not_the_programs_fault(sandbox: ProcessSandbox) -> None:
    deep = Page(url="https://shop.example/deep", html="<div>" * 80_000)
    before, refused, after = sandbox.run(HONEST, [PAGE, deep, PAGE], deadline=1.0)
    assert refused.failure is not None
    assert refused.failure.kind == "page"
    assert before.records == after.records == ({"title": "Thing"},)


def test_a_page_made_by_the_program_ends_too(sandbox: ProcessSandbox) -> None:
    parse = "from selectolax.lexbor import LexborHTMLParser\ndef extract(html, url):\n"
    assert ended(sandbox, parse + "    LexborHTMLParser('<div>' * 200000)\n", deadline=0.5).kind == "deadline"


OUTPUT = {
    "no list": ("None", "extract returned None"),
    "text": ("'rows'", "extract returned a str"),
    "numbers": ("[1]", "records[0] is a int, not a dict"),
    "a set in a record": ("[{'a': {object()}}]", "records[0]['a'][0] is a object"),
    "a node": ("[{'title': page.css_first('h1')}]", "records[0]['title'] is a Element"),
    "bytes": ("[{'a': b'x'}]", "records[0]['a'] is a bytes"),
    "a function": ("[{'a': print}]", "is a function"),
    "not a number": ("[{'a': float('nan')}]", "is nan"),
    "an endless number": ("[{'a': 1e999}]", "is inf"),
    "a huge number": ("[{'a': 10 ** 4000}]", "more than 63 bits"),
    "a strange key": ("[{(1, 2): 1}]", "records[0] has a key that is a tuple"),
    "too many rows": ("({'n': n} for n in range(10 ** 9))", "more than 10,000"),
    "too many rows in a list": ("[{}] * 20000", "more than 10,000"),
    "too much text": ("[{'a': 'x' * 5_000_000}]", "the limit is"),
}


@pytest.mark.parametrize("name", OUTPUT)
def test_output_ends_and_says_where(name: str, sandbox: ProcessSandbox) -> None:
    expression, told = OUTPUT[name]
    failure = ended(sandbox, returning(expression))
    assert failure.kind == "output"
    assert told in failure.message


def test_deep_and_endless_records_end(sandbox: ProcessSandbox) -> None:
    deep = "def extract(page):\n    x = []\n    for _ in range(100000):\n        x = [x]\n    return [{'x': x}]\n"
    loop = "def extract(page):\n    d = {}\n    d['d'] = d\n    return [d]\n"
    wide = "def extract(page):\n    x = 1\n    for _ in range(10):\n        x = [x] * 100\n    return [{'x': x}]\n"
    assert ended(sandbox, deep).kind == "output"
    assert ended(sandbox, loop).kind == "output"
    assert ended(sandbox, wide, deadline=1.0).kind in ("memory", "deadline")


def test_what_a_subclass_claims_of_itself_is_not_asked(sandbox: ProcessSandbox) -> None:
    source = """
class Rows(list):
    def __iter__(self):
        while True:
            yield {"spoof": 1}
class Row(dict):
    def __iter__(self):
        return iter(["spoof"])
    def items(self):
        return [("spoof", 1)]
class Words(str):
    def __str__(self):
        return "spoof"
def extract(page):
    return Rows([Row(title=Words("right"))])
"""
    (run,) = sandbox.run(source, [PAGE])
    assert run.records == ({"title": "right"},)


def test_printing_and_leaving_are_no_results(sandbox: ProcessSandbox) -> None:
    source = "def extract(page):\n    print('[{\"spoof\": 1}]')\n    raise SystemExit(0)\n"
    failure = ended(sandbox, source)
    assert (failure.kind, failure.message, failure.line) == ("exception", "SystemExit: 0", 3)


def test_nothing_runs_after_the_answer(sandbox: ProcessSandbox) -> None:
    source = """
def held():
    try:
        yield 1
    finally:
        while True:
            pass
KEEP = held()
next(KEEP)
def extract(page):
    return [{"n": 1}]
"""
    (run,) = sandbox.run(source, [PAGE])
    assert run.records == ({"n": 1},)
    assert run.seconds < 5
