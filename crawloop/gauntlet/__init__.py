"""The gauntlet that every candidate runs: `judge(trial, case)` says whether it may be promoted, and why not."""

from crawloop.gauntlet.judge import GATES, judge

__all__ = ["GATES", "judge"]
