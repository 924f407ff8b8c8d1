"""A Postgres server of the test run's own, where its programs are installed: no port, no fsync, gone afterwards."""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def is_available() -> bool:
    """Whether initdb and the Python driver are here."""
    try:
        import psycopg  # noqa: F401
    except ModuleNotFoundError:
        return False
    return shutil.which("initdb") is not None and shutil.which("pg_ctl") is not None


@contextmanager
def server() -> Iterator[str]:
    """The URL of a fresh cluster's only database."""
    # a socket's path must be short, and the server refuses to run as root
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    user = "nobody" if os.getuid() == 0 else None
    if user:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    cluster, log = str(folder / "c"), str(folder / "log")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    try:
        _run(["initdb", "-D", cluster, "-U", "crawloop", "-A", "trust", "-E", "UTF8", "--no-sync"], user)
        _run(["pg_ctl", "-D", cluster, "-l", log, "-o", options, "-w", "start"], user)
        try:
            yield f"postgresql://crawloop@/postgres?host={folder}"
        finally:
            _run(["pg_ctl", "-D", cluster, "-m", "immediate", "-w", "stop"], user)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str], user: str | None) -> None:
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "USER": user or getpass.getuser()}
    subprocess.run(command, user=user, cwd="/tmp", env=environment, check=True, stdout=subprocess.DEVNULL)
