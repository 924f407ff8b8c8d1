"""Names that are read as they stand, without a guard, must be harmless whatever has them."""

from __future__ import annotations

import sys

import pytest

from crawloop.sandbox import access
from crawloop.sandbox.access import RAW
from crawloop.sandbox.admit import admit
from crawloop.sandbox.namespace import FACADES, fresh


@pytest.mark.parametrize("kind", access._PARSED, ids=lambda kind: str(kind.__name__))
def test_what_the_parser_has_beyond_the_list_is_not_among_them(kind: type) -> None:
    assert {name for name in RAW if hasattr(kind, name)} <= access._PARSED[kind]


def test_no_name_leads_to_the_interpreter() -> None:
    def generator() -> object:
        yield

    async def coroutine() -> None: ...

    try:
        raise ValueError
    except ValueError as problem:
        trace, raised = problem.__traceback__, problem
    waiting = coroutine()
    reached = (generator, generator(), waiting, sys._getframe(), generator.__code__, trace, raised, type, object)
    for thing in reached:
        for name in RAW & set(dir(thing)):
            assert not isinstance(getattr(thing, name), access._WITHHELD), (thing, name)
    waiting.close()


@pytest.mark.parametrize("module", sorted(FACADES))
def test_a_stand_in_says_no_more_without_the_guard(module: str) -> None:
    facade = FACADES[module]
    for name in RAW:
        try:
            guarded = access.read(facade, name)
        except AttributeError as problem:
            with pytest.raises(AttributeError, match=str(problem).replace(".", r"\.")):
                getattr(facade, name)
        else:
            assert getattr(facade, name) is guarded


def test_the_rest_is_read_through_the_guard() -> None:
    source = "def extract(page):\n    return [page.text('h1'), '{}'.format(page.mro)]\n"
    names = next(const for const in admit(source).code.co_consts if hasattr(const, "co_names")).co_names
    assert "text" in names
    assert not {"format", "mro"} & set(names)
    space = fresh()
    exec(admit("def extract(kind):\n    return kind.mro\n").code, space)
    with pytest.raises(AttributeError, match="not available"):
        space["extract"](int)
