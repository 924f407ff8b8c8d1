"""What a job does with a program: checks it, runs it afresh on each page, and answers in frames."""

from __future__ import annotations

import base64
import inspect
import os
import re
from types import TracebackType
from typing import Any, NoReturn

from crawloop.extract.view import PageView
from crawloop.sandbox import namespace
from crawloop.sandbox.admit import FILENAME, Program, admit, unpacked
from crawloop.sandbox.channel import Request, decoded, frame, write_all
from crawloop.sandbox.jail import RESULT
from crawloop.sandbox.policy import Refused
from crawloop.sandbox.rows import NotPlain, plain

Report = dict[str, Any]
# Half a character, which the parser drops from a text and would not know in bytes.
_HALF = re.compile(rb"\xed[\xa0-\xbf]")


class _Given:
    """A page as the job has it. Its tree is held as long as this is: freeing it takes time, the answer goes first."""

    __slots__ = ("_view", "html", "url")

    def __init__(self, url: str, html: bytes) -> None:
        self.url = url
        self.html = html
        self._view: PageView | None = None

    def view(self) -> PageView:
        """The page, parsed."""
        self._view = PageView(decoded(self.html) if _HALF.search(self.html) else self.html, self.url)
        return self._view


def answer(work: Request) -> NoReturn:
    """Checks the program and runs it on each page; every answer is a frame on the result pipe, the last one the end.

    Then ends the process without tear-down, so that nothing of the program runs after its answer, and no page is freed.
    """
    if isinstance(work.program, bytes):
        program = unpacked(work.program)
    else:
        try:
            program = admit(work.program)
        except Refused as refusal:
            write_all(RESULT, frame(work.token, "refused", _failure("refused", str(refusal), refusal.line)))
            os._exit(0)
        write_all(RESULT, frame(work.token, "admitted", base64.b64encode(program.packed()).decode("ascii")))
    last = b""
    for url, html in work.pages():
        write_all(RESULT, last)
        given = _Given(url, html)
        last = _page(program, work, given)
    write_all(RESULT, last + frame(work.token, "end"))
    os._exit(0)


def _page(program: Program, work: Request, given: _Given) -> bytes:
    """Runs the program afresh on one page. Returns the frame that answers for it."""
    try:
        answer = frame(work.token, "page", {"records": plain(_extract(program, given))})
        if len(answer) <= work.limits.output:
            return answer
        report = _failure("output", f"a result of {len(answer)} bytes; the limit is {work.limits.output}")
    except NotPlain as problem:
        report = _failure("output", str(problem))
    except MemoryError as problem:
        report = _failure("memory", "MemoryError: the program needs too much memory", _line(problem.__traceback__))
    except BaseException as problem:  # noqa: BLE001 - whatever a program raises is its answer
        report = _failure("exception", _described(problem), _line(problem.__traceback__))
    return frame(work.token, "page", report)


def _extract(program: Program, given: _Given) -> Any:
    space = namespace.fresh()
    exec(program.code, space)
    extract = space.get("extract")
    if not callable(extract):
        raise NotPlain("extract is not a function")
    parameters = program.parameters
    if parameters is None:
        signature = inspect.signature(extract)
        parameters = tuple((name, one.default is not one.empty) for name, one in signature.parameters.items())
    return _called(extract, parameters, given)


def _called(extract: Any, parameters: tuple[tuple[str, bool], ...], given: _Given) -> Any:
    """`extract(page)`, or `extract(html, url)`; a parameter named `page` or `html` is what it says."""
    first = parameters[0][0] if parameters else ""
    if first == "page" or (len(parameters) == 1 and first != "html"):
        page = given.view()
        return extract(page, given.url) if len(parameters) > 1 and not parameters[1][1] else extract(page)
    html = decoded(given.html)
    return extract(html, given.url) if len(parameters) > 1 else extract(html)


def _described(problem: BaseException) -> str:
    try:
        text = str(problem)
    except BaseException:  # noqa: BLE001 - __str__ may be the program's own
        text = ""
    return f"{type(problem).__name__}: {text[:500]}".removesuffix(": ")


def _line(trace: TracebackType | None) -> int | None:
    """The innermost line of the program itself."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILENAME:
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


def _failure(kind: str, message: str, line: int | None = None) -> Report:
    return {"failure": [kind, message, line]}
