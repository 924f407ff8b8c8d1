"""The filter, run step by step by a small machine of our own, as if on each kind of processor."""

from __future__ import annotations

import errno

import pytest

from crawloop.sandbox.seccomp import MACHINES, assembled, steps

ALLOW, KILL, DENY = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EACCES
RESULT = 3


def decision(name: str, number: int, *words: int, audit: int | None = None) -> int:
    """What the filter says of a call, by the rules of classic BPF: load, three jumps, return."""
    machine = MACHINES[name]
    memory = {0: number, 4: machine.audit if audit is None else audit}
    for place, word in enumerate((*words, 0, 0, 0)[:6]):
        memory[16 + 8 * place] = word & 0xFFFFFFFF
        memory[20 + 8 * place] = word >> 32
    value, at = 0, 0
    program = assembled(steps(machine, RESULT))
    while True:
        step = program[at]
        if step.code == 0x06:
            return int(step.word)
        if step.code == 0x20:
            value = memory[step.word]
            at += 1
            continue
        holds = {0x15: value == step.word, 0x35: value >= step.word, 0x45: bool(value & step.word)}[step.code]
        at += 1 + (step.yes if holds else step.no)


@pytest.mark.parametrize("name", MACHINES)
def test_the_filter_decides_as_said(name: str) -> None:
    machine = MACHINES[name]
    assert decision(name, machine.write, RESULT) == ALLOW
    assert decision(name, machine.write, 1) == KILL
    assert decision(name, machine.write, RESULT + (1 << 32)) == KILL
    for memory in (machine.mmap, machine.mprotect):
        assert decision(name, memory, 0, 4096, 3) == ALLOW
        assert decision(name, memory, 0, 4096, 7) == KILL
    assert {decision(name, number) for number in machine.plain} == {ALLOW}
    assert {decision(name, number) for number in machine.asking} == {DENY}


@pytest.mark.parametrize("name", MACHINES)
def test_everything_else_is_killed(name: str) -> None:
    machine = MACHINES[name]
    known = {machine.write, machine.mmap, machine.mprotect, *machine.plain, *machine.asking}
    assert {decision(name, number) for number in range(1000) if number not in known} == {KILL}
    assert {decision(name, number, audit=0x40000003) for number in known} == {KILL}
    assert {decision(name, number | 0x40000000) for number in known} == {KILL}
