"""What flows share: one sandbox for all, closed at the end."""

import signal
from collections.abc import Iterator

import pytest

from crawloop.sandbox import ProcessSandbox

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background job, which children would inherit
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[ProcessSandbox]:
    jail = ProcessSandbox()
    yield jail
    jail.close()
