"""`crawloop` and `python -m crawloop`: the command line, and how each ending becomes an exit code."""

from __future__ import annotations

import sys
from io import TextIOWrapper

from crawloop.cli import run


def main() -> None:
    """Runs the command line and exits with its code. What a terminal cannot show is escaped, never an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
