"""A workspace whose family was learnt from a local web server, which then changes its pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from crawloop.cli import run
from tests.fakes import shop
from tests.fakes.server import Reply, Server


class ShopServer:
    """Serves `page(n)` at /p/n for all n below `count`; set `page` to redesign it."""

    def __init__(self, page: Callable[[int], str] = shop.old_page, count: int = 40) -> None:
        self.page = page
        script: dict[str, Reply | Callable[[int], Reply]] = {f"/p/{n}": self._reply(n) for n in range(1, count)}
        self.server = Server(script)

    def _reply(self, number: int) -> Callable[[int], Reply]:
        return lambda before: Reply(self.page(number).encode(), headers={"Content-Type": "text/html; charset=utf-8"})

    def url(self, number: int) -> str:
        return f"{self.server.url}/p/{number}"

    def asked(self, number: int) -> int:
        """How often a page was asked for."""
        return self.server.asked.count(f"/p/{number}")


def learnt(folder: Path, site: ShopServer, settings: str = "", family: str = shop.FAMILY) -> Path:
    """A workspace with the family in its first version, from the markup of the shop's old pages."""
    (folder / "schemas").mkdir(exist_ok=True)
    (folder / "schemas" / "product.py").write_text(shop.SCHEMA)
    (folder / "crawloop.toml").write_text(settings)
    urls = [site.url(n) for n in range(1, 6)]
    assert run(["--workspace", str(folder), "bootstrap", family, *urls, "--schema", "Product@1", "--no-llm"]) == 0
    return folder
