"""What is heavy is loaded by whoever needs it, and by nobody else."""

import subprocess
import sys

import pytest

HEAVY = ("litellm", "sqlalchemy", "selectolax", "RestrictedPython", "httpx", "pydantic", "rich")


def loaded(code: str) -> list[str]:
    listing = f"{code}\nimport sys\nprint(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize(
    "code",
    [
        "import crawloop",
        "import crawloop.cli",
        "from crawloop.cli import run\nassert run(['--help']) == 0",
        "from crawloop.cli import run\nassert run(['--version']) == 0",
        "from crawloop.cli import run\nassert run(['no-such-command']) == 2",
    ],
)
def test_help_loads_nothing_heavy(code: str) -> None:
    assert loaded(code) == []


@pytest.mark.parametrize("command", ["families", "doctor"])
def test_no_command_that_asks_no_model_loads_litellm(command: str, tmp_path: object) -> None:
    code = f"from crawloop.cli import run\nassert run(['--workspace', {str(tmp_path)!r}, {command!r}]) == 0"
    assert "litellm" not in loaded(code)
