"""Each layer switched off in turn: what the others still hold, and what remains for whoever breaks the language."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from crawloop.model.candidate import Run
from crawloop.model.page import Page
from crawloop.model.policy import LAYERS, SandboxRules
from crawloop.sandbox import ProcessSandbox, template
from tests.fakes.outside import ATTACKS, Outside
from tests.fakes.plain_worker import LANGUAGE, LIMITS, without

PAGE = Page(url="https://shop.example/p/1", html="<h1>Thing</h1>")
HONEST = "def extract(html, url):\n    return [{'size': len(html)}]\n"

FORGED = {"rows are forged"}
REMAINS = {"system calls": FORGED | {"the template is killed"}}
"""What plain Python still reaches where that layer is off; docs/security.md lists it. A template is replaced."""
LEFT = {
    LIMITS: {"a process is left"},
    "user id": {"a process is left"} if os.geteuid() == 0 else set(),  # root is not bound by the limit on processes
    "landlock": {"a bystander is killed"} if os.geteuid() != 0 else set(),  # jobs then run as the bystander's user
}
"""What it reaches besides where the filter is off as well."""


@pytest.fixture
def outside() -> Iterator[Outside]:
    made = Outside()
    yield made
    made.close()


def effects(outside: Outside, off: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What all attacks together achieve where these layers are off; the sandbox must go on working after each."""
    monkeypatch.setattr(template, "_BOOT", f"{without(*off)}\n# {outside.mark}")
    with ProcessSandbox(rules=SandboxRules(require=())) as sandbox:
        runs: dict[str, Run] = {}
        before = sandbox._template()
        for attack in ATTACKS:
            (runs[attack],) = sandbox.run(outside.program(attack), [PAGE], deadline=5)
            (honest,) = sandbox.run(HONEST, [PAGE])
            assert honest.records == ({"size": len(PAGE.html)},)
        layers = sandbox.layers()
        assert {name for name in LAYERS if layers[name] == "off: switched off"} == set(off) & set(LAYERS)
        after = sandbox._template()
        found = outside.effects(runs, after._process.pid)
        return found if after is before else found | {"the template is killed"}


def test_the_attacks_work_where_nothing_is_in_their_way(outside: Outside, monkeypatch: pytest.MonkeyPatch) -> None:
    assert effects(outside, (LANGUAGE, LIMITS, *LAYERS), monkeypatch) == set(ATTACKS)


@pytest.mark.parametrize("layer", [*LAYERS, LIMITS])
def test_with_the_language_layer_one_other_may_be_missing(
    layer: str, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert effects(outside, (layer,), monkeypatch) == set()


def test_without_the_language_layer_a_program_can_lie_of_its_own_pages_only(
    outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert effects(outside, (LANGUAGE,), monkeypatch) == FORGED


@pytest.mark.parametrize("layer", [*LAYERS, LIMITS])
def test_without_the_language_layer_one_other_may_be_missing_too(
    layer: str, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert effects(outside, (LANGUAGE, layer), monkeypatch) == REMAINS.get(layer, FORGED)


@pytest.mark.parametrize("layer", [layer for layer in (*LAYERS, LIMITS) if layer != "system calls"])
def test_without_language_and_filter_no_file_or_listener_is_reached_yet(
    layer: str, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = effects(outside, (LANGUAGE, "system calls", layer), monkeypatch)
    # what remains is a bound: a process that is left may end by itself before anybody looks
    assert found <= REMAINS["system calls"] | LEFT.get(layer, set())
