"""Programs written by a model: several a round, each asked for with another approach and more boldly than the last.

The model sees pages with their right values, the program that served before, and what was wrong with the last round.
"""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterator, Sequence

from crawloop.brief.answer import programs
from crawloop.brief.prompt import described, fenced, load
from crawloop.brief.samples import shown
from crawloop.brief.skeleton import skeleton
from crawloop.contract import Brief, Ledger
from crawloop.errors import CompletionError, NoAnswer, StrategyDeclined
from crawloop.extract import transforms
from crawloop.model.candidate import Candidate
from crawloop.model.kind import Schema
from crawloop.model.question import Told
from crawloop.strategy.changes import changes

_ROOM = 60_000
_SAMPLES = 2
_SENTENCE = 80  # characters of a line of the prompt that no program says by chance
_APPROACHES = (
    "Approach: read the page's JSON where it holds a field, and the markup where it does not.",
    "Approach: read what readers see first (headings, labels, telling class names, itemprop), and the page's JSON only "
    "where that does not say a field.",
    "Approach: write for pages that lack things. Ask of each line what it gives where there is no picture, no price, "
    "no author, or one item instead of many.",
    "Approach: the shortest program that is right, one line a field.",
)


class Codegen:
    """Asks for `brief.candidates` programs at once."""

    name = "codegen"
    needs_model = True

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def propose(self, brief: Brief) -> Sequence[Candidate]:
        """The programs that were answered, without doubles. Raises StrategyDeclined where no answer holds one, and
        CompletionError where the model did not answer even once."""
        if brief.model is None:
            raise StrategyDeclined("no model")
        asked = [self._answer(brief, brief.model, index) for index in range(brief.candidates)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        failures = [one for one in answers if isinstance(one, BaseException)]
        failures.sort(key=lambda one: isinstance(one, CompletionError) + isinstance(one, NoAnswer))
        if failures and (not isinstance(failures[0], CompletionError) or len(failures) == len(answers)):
            raise failures[0]  # a bug, else a dead provider, else an answer that does not count
        found: dict[str, Candidate] = {}
        for answer in answers:
            source = program_of(answer.text) if isinstance(answer, Told) else None
            if isinstance(answer, Told) and source is not None and not recites(source):
                fields = claimed(source, brief.schema)
                candidate = Candidate(source, self.name, fields, model=brief.model, answer=answer.key)
                found.setdefault(source, candidate)
        if not found:
            raise StrategyDeclined(f"no answer of {brief.model} holds a program that defines extract")
        return tuple(found.values())

    async def _answer(self, brief: Brief, model: str, index: int) -> Told:
        return await load("codegen").ask(self._ledger.of(self.name, index), model, slots(brief, index))


def slots(brief: Brief, index: int) -> dict[str, str]:
    """What fills the prompt for one of a round's candidates."""
    known = [sample for sample in brief.samples if sample.truth]
    return {
        "functions": transforms.reference(),
        "approach": _APPROACHES[index % len(_APPROACHES)],
        "fields": described(brief.schema),
        "samples": shown(known[:_SAMPLES], _ROOM, skeleton),
        "previous": _previous(brief),
        "feedback": _feedback(brief),
    }


def _previous(brief: Brief) -> str:
    if brief.active is None:
        return ""
    program = fenced("program", brief.active.source)
    told = (
        f"\nThis program served until now. The site may have changed since; keep of it what still holds.\n{program}\n"
    )
    if changed := changes(brief.active.source, brief.samples, brief.schema):
        told += f"\nWhat has changed since, as the pages of today show it:\n{fenced('changes', changed)}\n"
    return told


def _feedback(brief: Brief) -> str:
    if not brief.feedback:
        return ""
    verdicts = fenced("verdicts", brief.feedback)
    return f"\nRound {brief.number}. What was found wrong with the programs of the last round:\n{verdicts}\n"


def program_of(answer: str) -> str | None:
    """The first program of an answer that defines `extract`, else one that names it but does not parse, else None."""
    broken = None
    for source in programs(answer):
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            broken = broken or (source if "def extract" in source else None)
            continue
        if any(isinstance(node, ast.FunctionDef) and node.name == "extract" for node in tree.body):
            return source.strip() + "\n"
    return broken.strip() + "\n" if broken else None


def recites(source: str) -> bool:
    """Whether a program holds a sentence of the prompt: no extractor needs one, but a page may ask for it."""
    held = " ".join(source.replace("\\n", " ").split())
    return any(" ".join(line.split()) in held for line in load("codegen").system.splitlines() if len(line) >= _SENTENCE)


def claimed(source: str, schema: Schema) -> frozenset[str]:
    """The fields that a program writes into its records; all of them where that cannot be told."""
    try:
        keys = set(_keys(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError):
        keys = set()
    return frozenset(keys & set(schema.names)) or frozenset(schema.names)


def _keys(tree: ast.AST) -> Iterator[str]:
    """Texts that stand as keys: in a dict, in an assignment to one, as a name given to dict(…)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            parts: list[ast.AST | None] = [*node.keys]
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            parts = [node.slice]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
            yield from (one.arg for one in node.keywords if one.arg)
            continue
        else:
            continue
        yield from (part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))
