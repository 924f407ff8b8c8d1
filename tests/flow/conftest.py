"""What flows share: one sandbox for all, closed at the end."""

from collections.abc import Iterator

import pytest

from crawloop.sandbox import ProcessSandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[ProcessSandbox]:
    jail = ProcessSandbox()
    yield jail
    jail.close()
