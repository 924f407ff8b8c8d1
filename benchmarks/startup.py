"""How long a person waits for `crawloop --help`, beside Python itself and commands that open a workspace.

python benchmarks/startup.py [--runs N]     prints the median and the slowest of N starts, in milliseconds
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time

STARTS = {
    "python -c pass": ["-c", "pass"],
    "import crawloop": ["-c", "import crawloop"],
    "crawloop --help": ["-m", "crawloop", "--help"],
    "crawloop --version": ["-m", "crawloop", "--version"],
    "crawloop families": ["-m", "crawloop", "--workspace", "{folder}", "families"],
    "crawloop crawl --help": ["-m", "crawloop", "crawl", "--help"],
}


def seconds(arguments: list[str]) -> float:
    """How long one start takes, from the call to the end of the process."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    print(f"{'':24}{'median ms':>10}{'slowest ms':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in STARTS.items():
            command = [one.format(folder=folder) for one in arguments]
            seconds(command)  # the first start writes bytecode and fills the disk's cache
            taken = [1000 * seconds(command) for _ in range(runs)]
            print(f"{name:24}{statistics.median(taken):10.0f}{max(taken):12.0f}")


if __name__ == "__main__":
    main()
