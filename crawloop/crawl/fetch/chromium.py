"""An installed Chromium, without network, secrets or history, and started anew where it has died."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shutil
from contextlib import AsyncExitStack
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING

from crawloop.errors import UserError, how_to_install
from crawloop.model.policy import RenderRules

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_DEAD_END = (
    "--proxy-server=http://0.0.0.0:1",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic")


def find_browser(rules: RenderRules) -> str:
    """The path of the browser that is named, or of one on the PATH. Raises UserError where pages cannot be rendered."""
    if importlib.util.find_spec("playwright") is None:
        raise UserError(f"pages are rendered by Playwright, which is missing: {how_to_install('browser')}")
    if rules.browser and not shutil.which(rules.browser):
        raise UserError(f"render.browser is {rules.browser!r}, and not there: install Chromium, or name another")
    found = rules.browser or next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        raise UserError("there is no Chromium on the PATH: install it, or set render.browser")
    return found


class Chromium:
    """A browser within one `async with`, which raises UserError where there is none that starts."""

    def __init__(self, rules: RenderRules, agent: str) -> None:
        self._rules, self._agent = rules, agent
        self._open = AsyncExitStack()
        self._starting = asyncio.Lock()

    async def __aenter__(self) -> Chromium:
        path = find_browser(self._rules)
        from playwright.async_api import Error, async_playwright

        async with AsyncExitStack() as stack:
            home = stack.enter_context(TemporaryDirectory(prefix="crawloop-browser-", ignore_cleanup_errors=True))
            self._playwright = await stack.enter_async_context(async_playwright())
            try:
                self._browser = await self._started(path, home)
            except Error as error:
                why = error.message.splitlines()[0]
                raise UserError(f"{path} does not start ({why}): name another as render.browser") from error
            self._path, self._home = path, home
            self._open = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        await self._browser.close()
        await self._open.aclose()

    async def visit(self) -> BrowserContext:
        """A visit that knows of no other. Raises Playwright's Error."""
        async with self._starting:
            if not self._browser.is_connected():
                self._browser = await self._started(self._path, self._home)
        return await self._browser.new_context(user_agent=self._agent, service_workers="block", accept_downloads=False)

    async def _started(self, path: str, home: str) -> Browser:
        return await self._playwright.chromium.launch(
            executable_path=path,
            args=[*_DEAD_END, *_QUIET],
            chromium_sandbox=os.geteuid() != 0,  # Chromium's own sandbox does not start as root
            env={"PATH": os.environ.get("PATH", ""), "HOME": home},
        )
