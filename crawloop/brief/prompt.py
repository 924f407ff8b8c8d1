"""Prompts are files, not strings in code: `prompts/<name>.md` with version, purpose, system part, user part, example.

Slots are written {{name}}. What fills them is never expanded again, so a page cannot fill a slot. Text from outside
is fenced: the fence carries a digest of what it holds, so that no page can close it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from crawloop.brief.unseen import without_invisible
from crawloop.contract import Accountable, Completer
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.question import Question, Told
from crawloop.values.url import shown

_FILE = re.compile(
    r"---\n(?P<front>.*?)\n---\n+# System\n+(?P<system>.*?)\n+# User\n+(?P<user>.*?)\n+# Example\n+(?P<example>.*)",
    re.DOTALL,
)
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_FORMS = {
    Kind.TEXT: "text, as the page words it, without markup",
    Kind.NUMBER: "a JSON number",
    Kind.MONEY: "a JSON number, the amount without currency",
    Kind.DATE: "an ISO date, YYYY-MM-DD",
    Kind.DATETIME: "an ISO date and time",
    Kind.DURATION: "a JSON number",
    Kind.URL: "a URL, as the page writes it",
    Kind.BOOL: "true or false",
    Kind.ENUM: "exactly one of the choices",
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt as its file says it. `purpose` is what the ledger calls a call that is made with it; `example` is an
    answer as it should be, which is not sent."""

    name: str
    version: int
    purpose: str
    system: str
    user: str
    example: str

    def render(self, **slots: str) -> tuple[str, str]:
        """(system, user) with every slot filled. Raises KeyError for a slot that nobody fills."""

        def fill(text: str) -> str:
            return _SLOT.sub(lambda slot: slots[slot[1]], text)

        return fill(self.system), fill(self.user)

    async def ask(
        self, completer: Completer, model: str, slots: Mapping[str, str], form: Mapping[str, Any] | None = None
    ) -> Told:
        """The answer of a model; in that form (a JSON schema) where it can. Raises CompletionError, KeyError."""
        system, user = self.render(**slots)
        if isinstance(completer, Accountable):
            return await completer.told(Question(system, user, model, f"{self.name}@{self.version}", form))
        return Told(await completer.complete(system=system, user=user, model=model))


@lru_cache(maxsize=32)
def load(name: str) -> Prompt:
    """The prompt of `prompts/<name>.md`. Raises ValueError where the file has another form."""
    text = files("crawloop.brief").joinpath("prompts", f"{name}.md").read_text("utf-8")
    found = _FILE.fullmatch(text)
    if found is None:
        raise ValueError(f"prompts/{name}.md has no front matter, system part, user part and example in this order")
    front = dict(line.split(": ", 1) for line in found["front"].splitlines())
    parts = (found[part].strip() for part in ("system", "user", "example"))
    return Prompt(name, int(front["version"]), front["purpose"], *parts)


def fenced(label: str, text: str) -> str:
    """Text from outside as data, without signs that nobody sees, between marks that the text itself cannot contain."""
    label, text = " ".join(shown(without_invisible(label)).split()), without_invisible(text)
    mark = f"{label} {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
    return f"<<<{mark}>>>\n{text}\n<<<end of {mark}>>>"


def described(schema: Schema) -> str:
    """The fields of a schema, one line each: name, form, unit, choices, description."""
    return "\n".join(_line(field) for field in schema.fields)


def _line(field: Field) -> str:
    form = _FORMS[field.kind]
    if field.unit:
        form += f" in {field.unit}"
    if field.choices:
        form += ": " + ", ".join(field.choices)
    parts = [f"- {field.name}: {'a list, each ' if field.many else ''}{form}", "required" if field.required else ""]
    return "; ".join(part for part in (*parts, field.description.strip()) if part)
