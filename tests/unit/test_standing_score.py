"""The standing score: kept figures are compared, and a fall of more than two points ends the run with code 1."""

from pathlib import Path

import pytest

from benchmarks import score

RUN = "learn --sets swde --k 3"
SCORER = """
import sys
right = {right} if "swde" in sys.argv else 0.8
print("  induction seconds: median 0.30, max 0.70")
print(f"{{sys.argv[1]}}: mean over families: fields right {{right:.3f}}, wrong {wrong}; whole 0.5, families 4, ...")
"""


def ran(folder: Path, right: float, wrong: object, *options: str) -> int:
    """The benchmark with a scorer that always tells the same."""
    (folder / "INDEX.tsv").touch()
    (folder / "scorer.py").write_text(SCORER.format(right=right, wrong=wrong))
    return score.main([str(folder), str(folder / "scorer.py"), "--tables", str(folder), *options])


def test_a_full_run_keeps_its_figures_and_shows_the_ones_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran(tmp_path, 0.9, 0.02) == 0
    assert "0.900 / 0.020     –" in capsys.readouterr().out
    assert ran(tmp_path, 0.5, 0.03) == 0
    assert "0.500 / 0.030     0.900 / 0.020" in capsys.readouterr().out
    kept = score.load(tmp_path / "scores.tsv")
    assert (kept[RUN].right, kept[RUN].wrong, kept[RUN].families) == (0.5, 0.03, 4)
    assert list(kept) == list(score.RUNS)


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        (0.881, 0.039, None),
        (0.879, 0.02, f"FELL  {RUN}: right fell from 0.900 to 0.879"),
        (0.95, 0.041, f"FELL  {RUN}: wrong rose from 0.020 to 0.041"),
    ],
)
def test_the_sample_fails_where_a_figure_fell_by_more_than_two_points(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    right: float,
    wrong: float,
    fault: str | None,
) -> None:
    assert ran(tmp_path, 0.9, 0.02, "--sample", "--keep") == 0
    assert ran(tmp_path, right, wrong, "--sample") == bool(fault)
    told = capsys.readouterr().out
    assert fault in told if fault else "FELL" not in told
    assert score.load(tmp_path / "sample.tsv")[RUN].right == 0.9


def test_figures_of_another_corpus_are_not_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran(tmp_path, 0.9, 0.02, "--sample", "--keep")
    (tmp_path / "INDEX.tsv").write_text("other\n")
    assert ran(tmp_path, 0.1, 0.5, "--sample") == 0
    assert "no figures of this corpus" in capsys.readouterr().out


def test_a_scorer_that_tells_nothing_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"scorer\.py tells no figures"):
        ran(tmp_path, 0.9, "unknown")
