"""The states of a run: frozen values that the journal keeps as JSON text after each step.

Sampled ──ground──► Round ──compete──► Round … ──► Promotion
   ▲                                          └──► Escalation
   └── the next tier, where a stronger model may help
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

from crawloop.contract import Store
from crawloop.errors import RegistryError
from crawloop.loop.codec import pack, unpack
from crawloop.model.outcome import Escalation, Promotion
from crawloop.model.page import Page
from crawloop.model.truth import Sample
from crawloop.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Task:
    """What a run is asked to do.

    `urls` are pages of the family. Of `labelled` ones somebody gave right values: they are sampled first. Where `only`
    is not empty, no others can be had: it is all that the folder `archive` holds. `inputs` is a digest of whatever else
    decides the result, such as the labelled values: a journal of other inputs is not resumed. Nobody asked for a run
    that is `unattended`: however it ends, the family rests before the next one.
    """

    family: str
    schema_ref: str
    urls: tuple[str, ...] = ()
    labelled: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    archive: str = ""
    inputs: str = ""
    unattended: bool = False


@dataclass(frozen=True, slots=True)
class Sampled:
    """Real pages of the family, before anybody was asked about them.

    `tier` counts models from cheap to strong; the last `passed` ones before it could not be asked. `earlier` are the
    verdicts of tiers that failed.
    """

    pages: tuple[Page, ...]
    tier: int = 0
    earlier: tuple[Verdict, ...] = ()
    passed: int = 0

    @property
    def follows_a_failure(self) -> bool:
        """Whether a weaker model was asked and did not do: then what it said is doubted, and asked anew."""
        return self.tier > self.passed

    def stronger(self, verdicts: tuple[Verdict, ...]) -> Sampled:
        """The same pages for the next tier."""
        return replace(self, tier=self.tier + 1, earlier=verdicts, passed=0)

    def beyond(self, verdicts: tuple[Verdict, ...]) -> Sampled:
        """The same pages for the next tier in place of one whose provider is dead: that tells nothing of the family."""
        return replace(self, tier=self.tier + 1, earlier=self.earlier + verdicts, passed=self.passed + 1)

    def revived(self) -> Sampled:
        """The same pages for the first of the tiers that could not be asked."""
        return replace(self, tier=self.tier - self.passed, passed=0)


@dataclass(frozen=True, slots=True)
class Round:
    """Samples with truth, and a round of candidates to come.

    `others` are pages that nobody knows anything of. `verdicts` are those of the rounds before. `redesigned` means
    that the active version fails on the samples. `dead` is why a model's provider could not be asked, and `spent`
    says that the budget ran out: both only matter where no free candidate passes.
    """

    sampled: Sampled
    samples: tuple[Sample, ...]
    others: tuple[Page, ...] = ()
    number: int = 1
    feedback: str = ""
    verdicts: tuple[Verdict, ...] = field(default=())
    redesigned: bool = False
    dead: str = ""
    spent: bool = False


State = Sampled | Round | Promotion | Escalation

_KINDS: dict[str, Any] = {kind.__name__: kind for kind in (Sampled, Round, Promotion, Escalation)}


def dump(state: State, store: Store) -> str:
    """The state as JSON text; its pages are in the store, referred to by digest."""
    return json.dumps({"kind": type(state).__name__, "state": pack(state, store)})


def load(text: str, store: Store) -> State:
    """The state that `dump` wrote. Raises RegistryError where it cannot be read, or a page of it is gone."""
    try:
        packed = json.loads(text)
        return unpack(_KINDS[packed["kind"]], packed["state"], store)  # type: ignore[no-any-return]
    except (ValueError, KeyError, TypeError, AttributeError) as why:
        raise RegistryError(f"the journal holds a state that this version cannot read: {why!r}") from why
