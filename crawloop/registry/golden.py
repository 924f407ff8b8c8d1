"""Golden pages on disk: fixtures/<family>/<case>/ with page.html, records.json and meta.json, fit for git and review.

A folder appears whole or not at all. Folders that the registry does not name are ignored, and a folder that a person
has removed is a case withdrawn; a person's change of records.json counts. Where the very same page is written again, as
after a fresh clone, it keeps the values of fields that the new program does not read.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from crawloop.errors import ConfigError, RegistryError
from crawloop.model.family import Golden
from crawloop.shape import without_user


class GoldenShelf(Protocol):
    """Where the pages of golden sets are kept."""

    def write(self, goldens: Iterable[Golden], schema_ref: str) -> None: ...

    def read(self, family: str, case: str) -> Golden | None: ...

    def remove(self, goldens: Iterable[Golden]) -> None: ...

    def cases(self, family: str) -> list[str]:
        """The names of all cases that are there, whatever the registry knows of them."""
        ...

    def clear(self, family: str) -> None:
        """Removes all of them."""
        ...


class GoldenFolder:
    """A shelf on disk. Raises RegistryError naming the file where it cannot be written or read."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def write(self, goldens: Iterable[Golden], schema_ref: str) -> None:
        """Writes all, or none where one cannot be written."""
        done: list[Golden] = []
        for golden in goldens:
            target = self._case(golden.family, golden.case)
            try:
                _write_case(target, self._with_kept(golden), schema_ref)
            except OSError as error:
                self.remove(done)
                raise RegistryError(
                    f"golden page {target} cannot be written ({error.strerror or error}); nothing was promoted: "
                    "make room or give write permission, and run again"
                ) from error
            done.append(golden)

    def _with_kept(self, golden: Golden) -> Golden:
        with suppress(RegistryError):  # what cannot be read is written anew
            before = self.read(golden.family, golden.case)
            return _joined(golden, before) if before is not None else golden
        return golden

    def read(self, family: str, case: str) -> Golden | None:
        folder = self._case(family, case)
        if not folder.is_dir():
            return None
        html = _text(folder / "page.html")
        records, meta = _json(folder / "records.json"), _json(folder / "meta.json")
        try:
            url, epoch, version = str(meta["url"]), int(meta["epoch"]), int(meta["version"])
            rows = tuple(dict(record) for record in records)
        except (KeyError, TypeError, ValueError) as error:
            raise RegistryError(
                f"golden page {folder}: meta.json needs url, epoch and version, and records.json a list of objects "
                f"({type(error).__name__}: {error}); restore the folder from version control or remove it"
            ) from error
        return Golden(family, case, url, html, rows, epoch, version, str(meta.get("saved_at", "")))

    def remove(self, goldens: Iterable[Golden]) -> None:
        for golden in goldens:
            shutil.rmtree(self._case(golden.family, golden.case), ignore_errors=True)

    def cases(self, family: str) -> list[str]:
        return sorted(path.parent.name for path in self._home(family).glob("*/meta.json"))

    def clear(self, family: str) -> None:
        for case in self.cases(family):
            shutil.rmtree(self._case(family, case), ignore_errors=True)
        with suppress(OSError):  # another family, or what is not ours, is in it
            self._home(family).rmdir()

    def _home(self, family: str) -> Path:
        return self._root.joinpath(*family_parts(family))

    def _case(self, family: str, case: str) -> Path:
        return self._home(family).joinpath(*family_parts(case))


class GoldenMemory:
    """A shelf in memory."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Golden] = {}

    def write(self, goldens: Iterable[Golden], schema_ref: str) -> None:
        for golden in goldens:
            family_parts(golden.family)
            before = self.read(golden.family, golden.case)
            self._kept[golden.family, golden.case] = _joined(golden, before) if before else golden

    def read(self, family: str, case: str) -> Golden | None:
        return self._kept.get((family, case))

    def remove(self, goldens: Iterable[Golden]) -> None:
        for golden in goldens:
            self._kept.pop((golden.family, golden.case), None)

    def cases(self, family: str) -> list[str]:
        return sorted(case for name, case in self._kept if name == family)

    def clear(self, family: str) -> None:
        self._kept = {key: golden for key, golden in self._kept.items() if key[0] != family}


def _joined(golden: Golden, before: Golden) -> Golden:
    """The golden page with what an earlier one says of the same page besides: fields that this program does not read.

    Where nothing else is new its date is the earlier one's, and its files stay as they are.
    """
    if before.html != golden.html or len(before.records) != len(golden.records):
        return golden
    pairs = zip(before.records, golden.records, strict=True)
    joined = replace(golden, records=tuple({**old, **new} for old, new in pairs))
    return before if replace(joined, saved_at=before.saved_at) == before else joined


def family_parts(name: str) -> tuple[str, ...]:
    """The folders of a family's name. Raises ConfigError for a name that leads out of fixtures/ or hides in it."""
    parts = tuple(name.split("/"))
    for part in parts:
        strange = any(c in '\\:*?"<>|' or ord(c) < 32 for c in part)
        if not part or part.startswith(".") or part != part.strip() or strange or len(part.encode()) > 200:
            raise ConfigError(
                f"family name {name!r} cannot be a folder of fixtures/ (part {part!r}); use parts of letters, digits, "
                "dots and dashes with single slashes between, such as shop.example/product"
            )
    return parts


def _write_case(target: Path, golden: Golden, schema_ref: str) -> None:
    meta = {
        "url": without_user(golden.url),
        "schema": schema_ref,
        "epoch": golden.epoch,
        "version": golden.version,
        "saved_at": golden.saved_at,
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        draft.mkdir()
        _write(draft / "page.html", golden.html)
        _write(draft / "records.json", _pretty(list(golden.records)))
        _write(draft / "meta.json", _pretty(meta))
        if target.exists():  # left by a promotion that was killed before its transaction: no registry names it
            shutil.rmtree(target)
        draft.rename(target)
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _write(path: Path, text: str) -> None:
    with path.open("wb") as file:
        file.write(text.encode("utf-8", "surrogatepass"))
        file.flush()
        os.fsync(file.fileno())


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogatepass")
    except (OSError, UnicodeDecodeError) as error:
        raise RegistryError(
            f"golden page file {path} cannot be read ({error}); restore it from version control or remove its folder"
        ) from error


def _json(path: Path) -> Any:
    try:
        return json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise RegistryError(
            f"golden page file {path} is not JSON ({error}); correct it, or restore it from version control"
        ) from error
