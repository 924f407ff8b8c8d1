"""Programs that reach for the interpreter. Each one succeeds in plain Python, and must not in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from crawloop.model.page import Page
from crawloop.sandbox import ProcessSandbox

PAGE = Page(url="https://shop.example/p/1", html="<h1>Thing</h1>")

# Each `reach()` returns something that a program must never hold: a module, `open`, a frame, a namespace.
REACHES = {
    "walk over subclasses": """
        def reach():
            return [one for one in ().__class__.__mro__[-1].__subclasses__() if "wrap_close" in one.__name__]
    """,
    "a name put together": """
        def reach():
            return getattr(getattr(reach, "__glo" + "bals__"), "get")("__builtins__")
    """,
    "getattr in a map": """
        def reach():
            return list(map(getattr, [reach], ["_" * 2 + "code" + "_" * 2]))[0]
    """,
    "getattr with a default": """
        def reach():
            return getattr(reach, "__globals__", None) or missing
    """,
    "attrgetter": """
        import operator
        def reach():
            return operator.attrgetter("__globals__")(reach)
    """,
    "the defaults of a function": """
        def reach():
            return reach.__code__.replace(co_name="x")
    """,
    "type of a function": """
        def reach():
            made = type(reach)
            return made if "code" in (made.__doc__ or "") else None
    """,
    "type of a type": """
        def reach():
            return type(type(1))("Made", (), {"__call__": lambda self: 1})()()
    """,
    "type with three arguments": """
        def reach():
            return type("Made", (dict,), {"__missing__": lambda self, key: key})()["x"]
    """,
    "mro of a class": """
        def reach():
            return str.mro()
    """,
    "module in a module": """
        import json
        def reach():
            return json.codecs.open
    """,
    "module in a package": """
        import collections
        def reach():
            return collections._sys
    """,
    "module behind an alias": """
        import urllib.parse as links
        def reach():
            return links.warnings
    """,
    "module by import from": """
        from typing import sys
        def reach():
            return sys.modules
    """,
    "module of the parser": """
        from selectolax import lexbor
        def reach():
            return lexbor.logging.os
    """,
    "import star": """
        from json import *
        from re import *
        def reach():
            return loads, compile
    """,
    "import of a forbidden module": """
        import os.path
        def reach():
            return os.system
    """,
    "import inside a function": """
        def reach():
            import importlib
            return importlib.import_module("os")
    """,
    "the import function": """
        def reach():
            return __import__("os")
    """,
    "builtins by name": """
        def reach():
            return __builtins__
    """,
    "the loader": """
        def reach():
            return __spec__ if __loader__ is None else __loader__
    """,
    "open": """
        def reach():
            return open
    """,
    "eval in wide letters": """
        def reach():
            return ｅｖａｌ("1")
    """,
    "globals": """
        def reach():
            return globals()
    """,
    "format string": """
        def reach():
            return "{0.__globals__}".format(reach)
    """,
    "format string with an index": """
        def reach():
            return "{0[0].__globals__[__name__]}".format([reach])
    """,
    "format map": """
        def reach():
            return "{f.__code__}".format_map({"f": reach})
    """,
    "unbound format in a map": """
        def reach():
            return list(map(str.format, ["{0.__code__}"], [reach]))[0]
    """,
    "format of a subclass": """
        class Words(str):
            def fill(self, *values):
                return super().format(*values)
        def reach():
            return Words("{0.__code__}").fill(reach)
    """,
    "format by partial": """
        import functools
        def reach():
            return functools.partial(str.format, "{0.__code__}")(reach)
    """,
    "format in a nested field": """
        def reach():
            return "{0:{1.__class__.__mro__}}".format("x", reach) if False else "{0.__code__:>{1}}".format(Box(), 3)
        class Box:
            @property
            def __code__(self):
                return 1
    """,
    "format in a class pattern": """
        def reach():
            match "{0.__code__}":
                case str(format=fill):
                    return fill(reach)
    """,
    "format in an augmented assignment": """
        class Words(str):
            pass
        class Taker:
            def __radd__(self, other):
                return other
        def reach():
            words = Words("{0.__code__}")
            words.format += Taker()
            return words.format(reach)
    """,
    "format in a dotted pattern": """
        class Box:
            text = "{0.__code__}"
        class Taker:
            def __eq__(self, other):
                self.held = other
                return True
        def reach():
            taker = Taker()
            match taker:
                case Box.text.format:
                    return taker.held(reach)
    """,
    "string.Formatter": """
        import string
        def reach():
            return string.Formatter().format("{0.__code__}", reach)
    """,
    "frame of a generator": """
        def numbers():
            yield 1
        def reach():
            return numbers().gi_frame
    """,
    "frame of a generator by pattern": """
        def reach():
            match (number for number in [1]):
                case object(gi_frame=frame):
                    return frame
    """,
    "frame of a coroutine": """
        async def wait():
            return 1
        def reach():
            made = wait()
            frame = made.cr_frame
            made.close()
            return frame
    """,
    "frame of a traceback": """
        def reach():
            try:
                return 1 / 0
            except ZeroDivisionError as problem:
                return problem.__traceback__.tb_frame
    """,
    "object of an exception": """
        import json
        def reach():
            try:
                json.nothing
            except AttributeError as problem:
                return problem.obj
    """,
    "class in a class pattern": """
        def reach():
            match 1:
                case object(__class__=made):
                    return made.__mro__
    """,
    "class pattern by position": """
        class Box:
            __match_args__ = ("__dict__",)
        def reach():
            match Box():
                case Box(held):
                    return {"x": held}
    """,
    "metaclass": """
        class Meta(type):
            def __call__(cls):
                return cls.__bases__
        class Box(metaclass=Meta):
            pass
        def reach():
            return Box()
    """,
    "hook of every attribute": """
        class Box:
            def __getattribute__(self, name):
                return name
        def reach():
            return Box().anything
    """,
    "hook of subclasses": """
        class Box:
            def __init_subclass__(cls, **options):
                cls.seen = True
        class Inner(Box):
            pass
        def reach():
            return Inner.seen
    """,
    "destructor": """
        class Box:
            def __del__(self):
                while SPIN:
                    pass
        SPIN = []
        def reach():
            return Box()
    """,
    "pickling hook": """
        class Box:
            def __reduce__(self):
                return print, ("x",)
        def reach():
            return Box()
    """,
    "exception group": """
        def reach():
            try:
                raise ExceptionGroup("many", [ValueError(1)])
            except* ValueError as problem:
                held = problem.exceptions
            return held
    """,
    "wraps with attribute lists": """
        import functools
        def reach():
            class Box:
                pass
            functools.wraps(reach, assigned=("__globals__",), updated=())(Box)
            return Box.__globals__
    """,
    "poisoned function of a module": """
        import json
        def reach():
            before = json.dumps
            json.dumps = lambda value: "spoof"
            try:
                return json.dumps(1)
            finally:
                json.dumps = before
    """,
    "poisoned by setattr": """
        import json
        def reach():
            before = json.dumps
            setattr(json, "dumps", before)
            return before
    """,
    "poisoned by a loop variable": """
        import json
        def reach():
            for json.spoof in [1]:
                return json.spoof
    """,
    "poisoned by with": """
        import json, contextlib
        def reach():
            with contextlib.nullcontext(1) as json.spoof:
                return json.spoof
    """,
    "poisoned class": """
        from collections import Counter
        def reach():
            Counter.spoof = 1
            return Counter.spoof
    """,
    "vars of a module": """
        import json
        def reach():
            return vars(json)["codecs"]
    """,
    "vars of a class": """
        def reach():
            return vars(str)["format"]
    """,
    "namespace of a class": """
        class Box:
            def method(self):
                pass
        def reach():
            return Box.__dict__["method"].__globals__
    """,
    "source in a field's name": """
        from dataclasses import dataclass
        from typing import TypedDict
        def reach():
            made = TypedDict("Made", {"x if 0 else self.append(().__class__.__base__)": int})
            made = dataclass(init=False, repr=False, eq=False, unsafe_hash=True)(made)
            made.__hash__(HELD)
            return HELD
        HELD = []
    """,
    "registration in a shared class": """
        from collections.abc import Mapping
        class Box:
            pass
        def reach():
            Mapping.register(Box)
            return isinstance(Box(), Mapping)
    """,
}

DEDENTED = {name: "\n".join(line[8:] for line in body.splitlines()) for name, body in REACHES.items()}
EXTRACT = "\ndef extract(html, url):\n    return [{'reached': bool(reach())}]\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[ProcessSandbox]:
    with ProcessSandbox() as made:
        yield made


@pytest.mark.parametrize("name", REACHES)
def test_it_works_in_plain_python(name: str) -> None:
    space: dict[str, Any] = {"__name__": "attack"}
    exec(compile(DEDENTED[name] + EXTRACT, "attack", "exec"), space)
    assert space["extract"]("", "") == [{"reached": True}]


@pytest.mark.parametrize("name", REACHES)
def test_it_does_not_in_the_sandbox(name: str, sandbox: ProcessSandbox) -> None:
    (run,) = sandbox.run(DEDENTED[name] + EXTRACT, [PAGE])
    assert run.records is None
    assert run.failure is not None
    assert run.failure.kind in ("refused", "exception"), run.failure
    assert run.failure.line


def test_names_that_guards_once_had_are_free(sandbox: ProcessSandbox) -> None:
    source = """
def extract(html, url):
    _getattr_ = _getitem_ = _write_ = lambda *values: "shadowed"
    def inner(thing, _getattr_, /):
        return thing.upper()
    return [{"said": inner("x", _getattr_)}]
"""
    (run,) = sandbox.run(source, [PAGE])
    assert run.records == ({"said": "X"},)
    (run,) = sandbox.run(source.replace("thing.upper()", "thing.__class__.__base__"), [PAGE])
    assert run.failure is not None
    assert run.failure.kind == "refused"


def test_changed_settings_do_not_reach_the_next_page(sandbox: ProcessSandbox) -> None:
    source = """
from decimal import Decimal, getcontext
def extract(page):
    before = getcontext().prec
    getcontext().prec = 3
    return [{"before": before, "third": str(Decimal(1) / 3)}]
"""
    runs = sandbox.run(source, [PAGE, PAGE])
    assert [run.records for run in runs] == [({"before": 28, "third": "0.333"},)] * 2


@pytest.mark.parametrize(
    "body",
    [
        "dataclasses.dataclass(collections.ChainMap)",
        "functools.total_ordering(fractions.Fraction)",
        "functools.wraps(extract)(json.loads).__name__ == 'extract'",
        "setattr(collections.Counter, 'x', 1)",
        "decimal.BasicContext",
    ],
)
def test_what_pages_share_cannot_be_changed(body: str, sandbox: ProcessSandbox) -> None:
    source = "import collections, dataclasses, decimal, fractions, functools, json\n"
    (run,) = sandbox.run(source + f"def extract(page):\n    return [{{'x': {body}}}]\n", [PAGE])
    assert run.failure is not None or run.records == ({"x": False},)
