"""What a provider may do, over three transports: how often it is asked, how the run ends, and what was paid.

The table of docs/models.md. Each command that has ended is given again, to a provider that has mended its ways.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from crawloop.errors import CompletionError
from crawloop.llm import LiteLLMCompleter
from crawloop.model.outcome import Promotion
from crawloop.model.policy import Policy
from crawloop.registry import MemoryStore
from crawloop.sandbox import ProcessSandbox
from tests.fakes import provider as providers
from tests.fakes import shop
from tests.fakes.house import House
from tests.fakes.openai_server import Ended, Fault, Turn
from tests.fakes.provider import DOLLARS, Provider
from tests.fakes.site import Site

NUMBERS = range(1, 6)
PAGES = len(NUMBERS)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def right(user: str) -> str:
    """The record of the page that is shown."""
    number = next((n for n in NUMBERS if f"page {shop.url(n)} " in user), NUMBERS[0])
    cells = {name: {"value": value, "snippet": f"{value}"} for name, value in shop.product(number).items()}
    return json.dumps({"records": [cells]})


@dataclass(frozen=True)
class Row:
    """`does` is what the provider does when a question comes for the n-th time (from 0). `asked` says how often it is
    asked in the first run, which `ends` so, and `kept` how many answers that were paid for the ledger then holds."""

    name: str
    does: Callable[[str, int], Turn]
    asked: int
    kept: int
    ends: str
    is_dead: bool = False


def always(turn: Turn) -> Callable[[str, int], Turn]:
    return lambda user, n: turn


def always_right(user: str, n: int) -> Turn:
    return right(user)


def once(turn: Turn) -> Callable[[str, int], Turn]:
    return lambda user, n: right(user) if n else turn


SLOW = Fault(429, "slow down", headers={"Retry-After": "3"})
TABLE = (
    Row("answers", always_right, PAGES, PAGES, "promoted"),
    Row("says nothing", always(""), PAGES, PAGES, "got 0, need 3; .* answered with no text"),
    Row("malformed", always('{"records": [{"title": '), PAGES + 1, PAGES + 1, "got 0, need 3$"),
    Row("cut off", always(Ended('{"records": []}', "length")), PAGES, PAGES, "models.max_tokens"),
    Row("refuses", always(Ended("I cannot do this", "refusal")), PAGES, PAGES, "refused to answer: I c"),
    Row("filters", always(Ended("So", "content_filter")), PAGES, PAGES, "refused to answer: So"),
    Row("429 once", once(SLOW), 2 * PAGES, PAGES, "promoted"),
    Row("429", always(SLOW), 4 * PAGES, 0, r"slow down.*\(429\); asked 4 times", is_dead=True),
    Row("500 once", once(Fault(500, "boom")), 2 * PAGES, PAGES, "promoted"),
    Row("500", always(Fault(500, "boom")), 4 * PAGES, 0, r"boom.*\(500\); asked 4 times", is_dead=True),
    Row("401", always(Fault(401, "bad key")), PAGES, 0, r"bad key.*\(401\); asked 1 times", is_dead=True),
    Row("hangs", always(Fault(stall=30)), 2 * PAGES, 0, "not answer in time.*asked 2 times", is_dead=True),
    Row("breaks once", once(Fault(breaks=True)), 2 * PAGES, PAGES, "promoted"),
    Row("breaks", always(Fault(breaks=True)), 2 * PAGES, 0, "not come whole.*asked 2 times", is_dead=True),
)


# What litellm has to translate; the rest is the same code over any of them.
HOSTED = ("cut off", "refuses", "breaks")
CASES = [("local", row) for row in TABLE] + [
    (host, row) for host in ("openai", "anthropic") for row in TABLE if row.name in HOSTED
]


@pytest.fixture
def provider(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    LiteLLMCompleter().problem("openai/m")  # imports litellm as it is to be imported
    import litellm

    monkeypatch.setenv("OPENAI_API_KEY", "secret-key-1")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret-key-2")
    monkeypatch.setattr(litellm, "disable_aiohttp_transport", request.param != "local")
    litellm.in_memory_llm_clients_cache.flush_cache()
    opened: AbstractContextManager[Provider] = getattr(providers, request.param)()
    with opened as one:
        yield one
    litellm.in_memory_llm_clients_cache.flush_cache()


def house(tmp_path: Path, sandbox: ProcessSandbox) -> House:
    site = Site({shop.url(n): shop.new_page(n) for n in range(1, 9)})
    return House(tmp_path, site, MemoryStore(tmp_path / "fixtures"), sandbox)


def run(place: House, provider: Provider, **more: Any) -> str:
    """How a run ends, in words."""
    place.completer = provider.completer(**more)
    try:
        ending = place.run(*NUMBERS, policy=Policy(models=(provider.model,), samples=PAGES))
    except CompletionError as dead:
        return str(dead)
    return "promoted" if isinstance(ending, Promotion) else str(ending)


@pytest.mark.parametrize(("provider", "row"), CASES, ids=lambda one: getattr(one, "name", one), indirect=["provider"])
def test_each_ends_as_documented_and_nothing_is_paid_twice(
    row: Row, provider: Provider, tmp_path: Path, sandbox: ProcessSandbox
) -> None:
    place = house(tmp_path, sandbox)
    provider.answer = lambda user: row.does(user, provider.asked.count(user) - 1)
    ends = run(place, provider, timeout=0.5 if row.name == "hangs" else 60.0)
    assert re.search(row.ends, ends)
    assert "secret-key" not in ends
    assert len(place.told("FamilyEscalated")) == ("promoted" not in ends and not row.is_dead)
    assert len(provider.asked) == row.asked
    calls, dollars = place.store.spend()
    assert (calls, dollars) == (row.kept, pytest.approx(row.kept * DOLLARS))

    if not row.is_dead:
        provider.asked.clear()
        provider.answer = right
        assert run(place, provider) == ends
        assert provider.asked == []


@pytest.mark.parametrize("provider", ["local"], indirect=True)
def test_a_provider_that_is_mended_is_asked_what_it_has_not_answered(
    provider: Provider, tmp_path: Path, sandbox: ProcessSandbox
) -> None:
    place = house(tmp_path, sandbox)
    answered = f"page {shop.url(1)} "
    provider.answer = lambda user: right(user) if answered in user else Fault(401, "bad key")
    assert "bad key" in run(place, provider)
    provider.asked.clear()
    provider.answer = right
    assert run(place, provider) == "promoted"
    assert len(provider.asked) == PAGES - 1


@pytest.mark.parametrize("provider", ["local"], indirect=True)
def test_an_answer_that_was_cut_off_is_asked_for_again_with_more_room(
    provider: Provider, tmp_path: Path, sandbox: ProcessSandbox
) -> None:
    place = house(tmp_path, sandbox)
    provider.answer = lambda user: Ended(right(user)[:-9], "length")
    assert "models.max_tokens may help" in run(place, provider, max_tokens=40)
    provider.answer = right
    assert run(place, provider, max_tokens=80) == "promoted"
    assert len(provider.asked) == 2 * PAGES
