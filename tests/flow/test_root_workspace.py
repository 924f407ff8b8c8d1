"""The repository is a small workspace itself: its golden pages are enough to regenerate their families from a clone."""

import json
import shutil
from pathlib import Path

import pytest

from crawloop.cli import run

ROOT = Path(__file__).parents[2]
FAMILY = "shop.example/product"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    for name in ("schemas", "fixtures"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_a_family_of_the_clone_is_regenerated_from_its_golden_pages(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = clone / "fixtures" / FAMILY
    call = ["--workspace", str(clone), "regen", FAMILY, "--archive", str(golden), "--no-llm", "--json"]
    assert run(call) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["outcome"] == "promoted"
    assert told["cost"]["calls"] == 0
    assert {"name", "price", "sku", "brand"} <= set(told["fields"])


def test_a_family_without_golden_pages_stays_unknown(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--workspace", str(clone), "regen", "shop.example/none"]) == 2
    assert "crawloop bootstrap shop.example/none" in capsys.readouterr().err


def test_a_golden_page_that_was_damaged_is_named(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = next((clone / "fixtures" / FAMILY).iterdir())
    (case / "meta.json").write_text("{")
    assert run(["--workspace", str(clone), "regen", FAMILY, "--archive", str(case.parent)]) == 2
    assert "meta.json" in capsys.readouterr().err
