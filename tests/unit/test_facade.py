"""The façade: every name is there, and importing the package loads nothing heavy."""

import subprocess
import sys

import pytest

import crawloop

HEAVY = ("litellm", "sqlalchemy", "selectolax", "RestrictedPython", "httpx", "pydantic")


@pytest.mark.parametrize("name", crawloop.__all__)
def test_every_exported_name_is_there(name: str) -> None:
    assert getattr(crawloop, name).__name__


def test_another_name_is_an_error_of_attributes() -> None:
    with pytest.raises(AttributeError, match="run_loops"):
        crawloop.run_loops  # noqa: B018


def test_importing_the_package_loads_nothing_heavy() -> None:
    program = f"import sys, crawloop; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_index_names_what_is_exported() -> None:
    assert sorted(crawloop._PLACES) == sorted(crawloop.__all__)
    assert dir(crawloop) == sorted(crawloop.__all__)
