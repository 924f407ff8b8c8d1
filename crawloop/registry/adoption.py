"""A family that only its golden pages tell of, as after a fresh clone: fixtures/ are in git, the registry is not."""

from __future__ import annotations

import json
from pathlib import Path

from crawloop.contract import Store
from crawloop.errors import RegistryError
from crawloop.model.family import Family
from crawloop.registry.golden import GoldenFolder, family_parts


def adopt(store: Store, fixtures: Path, name: str, at: str) -> Family | None:
    """Makes the family known from its newest golden set: its schema, URLs and last known values. None without one.

    Raises ConfigError for a name that is no folder of fixtures/, RegistryError for a golden page that cannot be read.
    """
    folder = fixtures.joinpath(*family_parts(name))
    shelf = GoldenFolder(fixtures)
    goldens = [golden for case in shelf.cases(name) if (golden := shelf.read(name, case)) is not None]
    if not goldens:
        return None
    newest = max((one.epoch, one.version) for one in goldens)
    current = [one for one in goldens if (one.epoch, one.version) == newest]
    family = Family(name, _schema_ref(folder / current[0].case / "meta.json"), urls=tuple(one.url for one in current))
    with store.batch():
        store.save_family(family)
        for one in current:
            store.remember(name, one.url, one.records, one.saved_at or at)
    return family


def _schema_ref(meta: Path) -> str:
    said = json.loads(meta.read_text(encoding="utf-8")).get("schema")
    if not isinstance(said, str):
        raise RegistryError(f'{meta}: needs the key schema, as in "Product@1"; restore it from version control')
    return said
