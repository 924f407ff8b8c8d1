"""`crawloop` and `python -m crawloop`: the command line, and how each ending becomes an exit code."""

from __future__ import annotations

import sys

from crawloop.cli import run


def main() -> None:
    """Runs the command line and exits with its code."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
