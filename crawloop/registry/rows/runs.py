"""What a killed run resumes from: the journal of its steps, and the ledger of the answers that it has paid for."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update

from crawloop.contract import Answer
from crawloop.registry.dialect import upsert
from crawloop.registry.packing import dumps, loads, pack, unpack
from crawloop.registry.tables import answers, journal_steps, journals

_Query = Select[*tuple[Any, ...]]


def begin(connection: Connection, run: str, family: str, at: str) -> None:
    forget(connection, family)
    connection.execute(insert(journals), {"run": run, "family": family, "begun_at": at})


def forget(connection: Connection, family: str) -> None:
    """Closes the journal that the family has open."""
    for run in connection.execute(select(journals.c.run).where(journals.c.family == family)).scalars().all():
        finish(connection, run)


def add_step(connection: Connection, run: str, step: int, name: str, state: str) -> None:
    upsert(connection, journal_steps, {"run": run, "step": step, "name": name, "state": pack(state)})


def unfinished(connection: Connection, family: str) -> tuple[str, int, str, str] | None:
    run = connection.execute(select(journals.c.run).where(journals.c.family == family)).scalar_one_or_none()
    if run is None:
        return None
    steps = select(journal_steps).where(journal_steps.c.run == run)
    last = connection.execute(steps.order_by(journal_steps.c.step.desc()).limit(1)).one_or_none()
    return (run, last.step, last.name, unpack(last.state)) if last else (run, 0, "", "")


def finish(connection: Connection, run: str) -> None:
    """A closed journal is not kept: the audit says what happened, and states are large."""
    connection.execute(delete(journal_steps).where(journal_steps.c.run == run))
    connection.execute(delete(journals).where(journals.c.run == run))


def answer(connection: Connection, key: str) -> Answer | None:
    row = connection.execute(select(answers).where(answers.c.key == key)).one_or_none()
    return None if row is None else _answer(row)


def every_answer(connection: Connection, family: str | None, since: str | None) -> list[Answer]:
    query = _of(select(answers), family, None, since).order_by(answers.c.at, answers.c.key)
    return [_answer(row) for row in connection.execute(query)]


def save_answer(connection: Connection, answer: Answer) -> None:
    row = {
        **asdict(answer),
        "text": dumps(answer.text),
        "question": pack(answer.question),
        "verdict": dumps(answer.verdict),
        "flaw": dumps(answer.flaw),
    }
    upsert(connection, answers, row, keep=True)


def conclude(connection: Connection, key: str, verdict: str) -> None:
    connection.execute(update(answers).where(answers.c.key == key).values(verdict=dumps(verdict)))


def spend(connection: Connection, family: str | None, run: str | None, since: str | None) -> tuple[int, float | None]:
    query = _of(select(func.count(), func.count(answers.c.dollars), func.sum(answers.c.dollars)), family, run, since)
    calls, priced, dollars = connection.execute(query).one()
    return calls, float(dollars or 0.0) if priced == calls else None


def _of(query: _Query, family: str | None, run: str | None, since: str | None) -> _Query:
    if family is not None:
        query = query.where(answers.c.family == family)
    if run is not None:
        query = query.where(answers.c.run == run)
    return query if since is None else query.where(answers.c.at >= since)


def _answer(row: Row[Any]) -> Answer:
    """An answer that was kept before questions were has none."""
    known = {name: getattr(row, name) for name in (one.name for one in fields(Answer))}
    known["text"] = loads(row.text)
    known["question"] = unpack(row.question) if row.question is not None else ""
    known["verdict"] = loads(row.verdict) if row.verdict else ""
    known["flaw"] = loads(row.flaw) if row.flaw else ""
    return Answer(**known)
