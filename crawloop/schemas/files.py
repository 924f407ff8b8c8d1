"""Finds a model in the files of a schemas folder, and imports no more of them than it must.

Sources are compiled here rather than imported, so that no bytecode is left in the user's folder and none is stale.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from crawloop.errors import SchemaError
from crawloop.model.kind import Schema
from crawloop.schemas.fields import fields_of, version_of

_REF = re.compile(r"([A-Za-z_]\w*)(?:@(\d+))?")


def load(ref: str, folder: Path) -> Schema:
    """The schema "Name@N" of the folder; "Name" alone takes the version that is there. Raises SchemaError.

    A file is read once in a process: edits are seen by the next one.
    """
    return _load(ref, Path(folder).resolve())


@lru_cache(maxsize=256)
def _load(ref: str, folder: Path) -> Schema:
    parsed = _REF.fullmatch(ref)
    if not parsed:
        raise SchemaError(f"schema {ref!r} is not of the form Name@N: use for example Product@1")
    name, number = parsed[1], parsed[2]
    path, model = _find(name, folder)
    version = version_of(model, path)
    if number and int(number) != version:
        raise SchemaError(
            f"{path}: {name} has VERSION {version}, but {ref} was asked for: use {name}@{version}, "
            f"or set VERSION = {number}"
        )
    return Schema(f"{name}@{version}", fields_of(model, path), model)


def _find(name: str, folder: Path) -> tuple[Path, Any]:
    """The file that defines the model, and the model."""
    files = _files(folder)
    declares = re.compile(rf"^class\s+{name}\b|^{name}\s*[:=]", re.MULTILINE)
    likely = [path for path in files if declares.search(_text(path))]
    found = [(path, models[name]) for path in likely if name in (models := _models(path))]
    if len(found) > 1:
        places = " and ".join(str(path) for path, _ in found)
        raise SchemaError(f"{name} is defined in {places}: rename or remove all but one")
    if not found:
        raise SchemaError(f"no pydantic model {name} in {folder}: {_choice(files)}")
    return found[0]


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise SchemaError(f"there is no folder {folder}: create it and put a pydantic model into it")
    return sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")


def _choice(files: list[Path]) -> str:
    """What there is to choose from, for an error message; files that do not import are named with the reason."""
    names, broken = [], []
    for path in files:
        try:
            names += [f"{name}@{version_of(model, path)} ({path.name})" for name, model in _models(path).items()]
        except SchemaError as error:
            broken.append(str(error))
    there = (
        f"there are {', '.join(names)}" if names else "there is none; write a class that inherits pydantic.BaseModel"
    )
    return "; ".join([there, *broken])


@lru_cache(maxsize=256)
def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SchemaError(f"{path} cannot be read: {error}") from error


@lru_cache(maxsize=256)
def _models(path: Path) -> dict[str, Any]:
    """The models that a file defines itself, by name."""
    from pydantic import BaseModel

    module = _run(path)
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, BaseModel) and value.__module__ == module.__name__
    }


def _run(path: Path) -> ModuleType:
    name = f"crawloop_schema_{path.stem}_{sha256(str(path).encode()).hexdigest()[:12]}"
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # where pydantic looks up the names in annotations
    try:
        with _beside(path.parent):
            exec(compile(_text(path), str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise SchemaError(f"{path} does not import: {_where(error, path)}") from error
    return module


@contextmanager
def _beside(folder: Path) -> Iterator[None]:
    """Lets a schema import its neighbours, without bytecode; what they are called is forgotten afterwards."""
    before, bytecode = set(sys.modules), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    sys.path.append(str(folder))  # last, so that a schema file never hides a library
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = bytecode
        for name in set(sys.modules) - before:
            place = getattr(sys.modules[name], "__file__", None)
            if place and Path(place).parent == folder:
                del sys.modules[name]


def _where(error: BaseException, path: Path) -> str:
    """The line of the file that failed, and why."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == str(path) else (lines or [None])[-1]
    why = (str(error).splitlines() or [""])[0]
    return f"line {line}: {type(error).__name__}: {why}"
