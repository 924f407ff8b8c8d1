"""What a killed run resumes from: the journal of its steps, and the ledger of the answers that it has paid for."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select

from crawloop.contract import Answer
from crawloop.registry.dialect import upsert
from crawloop.registry.packing import dumps, loads, pack, unpack
from crawloop.registry.tables import answers, journal_steps, journals


def begin(connection: Connection, run: str, family: str, at: str) -> None:
    for other in connection.execute(select(journals.c.run).where(journals.c.family == family)).scalars().all():
        finish(connection, other)
    connection.execute(insert(journals), {"run": run, "family": family, "begun_at": at})


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
    if row is None:
        return None
    return Answer(
        row.key, row.model, row.purpose, loads(row.text), row.dollars, row.seconds, row.family, row.run, row.at
    )


def save_answer(connection: Connection, answer: Answer) -> None:
    row = {
        "key": answer.key,
        "model": answer.model,
        "purpose": answer.purpose,
        "text": dumps(answer.text),
        "dollars": answer.dollars,
        "seconds": answer.seconds,
        "family": answer.family,
        "run": answer.run,
        "at": answer.at,
    }
    upsert(connection, answers, row, keep=True)


def spend(connection: Connection, family: str | None, run: str | None) -> tuple[int, float | None]:
    query = select(func.count(), func.count(answers.c.dollars), func.sum(answers.c.dollars))
    if family is not None:
        query = query.where(answers.c.family == family)
    if run is not None:
        query = query.where(answers.c.run == run)
    calls, priced, dollars = connection.execute(query).one()
    return calls, float(dollars or 0.0) if priced == calls else None
