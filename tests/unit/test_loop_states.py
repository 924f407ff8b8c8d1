"""States come back from the journal as they were, and a page's text stands in the store once."""

import json
from dataclasses import replace

import pytest

from crawloop.errors import RegistryError
from crawloop.loop.states import Round, Sampled, State, dump, load
from crawloop.model.candidate import Candidate
from crawloop.model.outcome import Escalation, Promotion, Reason, Spend
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Conflict, Evidence, Sample, Truth
from crawloop.model.verdict import Finding, Tally, Verdict
from crawloop.registry import MemoryStore

PAGE = Page(
    "http://a.example/1",
    "<h1>Text that is long \udcff</h1>",
    200,
    "https://a.example/1",
    fetched_at="2026-01-01T00:00:00Z",
)
SAME_TEXT = replace(PAGE, url="http://a.example/2", final_url="")
TRUTH = Truth(
    PAGE.url,
    (
        {
            "title": Claim("Kettle", ("markup", "history"), (Evidence("json", "@Product.name", "…"),)),
            "tags": Claim(["a"], ("x",)),
        },
    ),
    absent=frozenset({(0, "badge"), (0, "rating")}),
    conflicts=(Conflict(PAGE.url, 0, "price", (("markup", 1), ("history", [2])), 1),),
    complete=False,
)
WINNER = Candidate(
    "def extract(page): ...", "dom", frozenset({"title", "tags"}), "{}", "small", {"title": ("h1", "doubt")}
)
VERDICT = Verdict(
    WINNER,
    (Finding("agreement", "is wrong", field="title", expected=["a"], got=None, line=3),),
    {"title": Tally(1, 2, 3)},
)
SAMPLED = Sampled((PAGE, SAME_TEXT), 1, (VERDICT,))


@pytest.mark.parametrize(
    "state",
    [
        SAMPLED,
        Round(SAMPLED, (Sample(PAGE, TRUTH),), (SAME_TEXT,), 2, "price is wrong", (VERDICT,), True, "no key", True),
        Promotion(
            WINNER,
            VERDICT,
            (Sample(PAGE, TRUTH), Sample(SAME_TEXT)),
            ("price",),
            ("moved",),
            2,
            True,
            (VERDICT,),
            Spend(3, None, 1.5),
            {"title": {"fill": 1}},
        ),
        Escalation(Reason.TOO_FEW_ORACLES, "got 1, need 3", (Sample(PAGE, TRUTH),), (VERDICT,), 1, Spend(1, 0.5, 2.0)),
    ],
    ids=lambda state: type(state).__name__,
)
def test_a_state_comes_back_as_it_was(state: State) -> None:
    store = MemoryStore()
    text = dump(state, store)
    assert load(text, store) == state
    assert "Text that is long" not in text


def test_a_page_that_the_store_has_lost_is_an_error_that_names_it() -> None:
    text = dump(SAMPLED, MemoryStore())
    with pytest.raises(RegistryError, match="http://a.example/1"):
        load(text, MemoryStore())


def test_a_state_of_another_program_is_an_error_of_the_registry() -> None:
    foreign = json.dumps({"kind": "Pondered", "state": {}})
    with pytest.raises(RegistryError, match="cannot read"):
        load(foreign, MemoryStore())
