"""HTTP/2 and TLS at a checked address: certificate, handshake and authority still say the name."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
from pathlib import Path

import h2.config
import h2.connection
import h2.events
import pytest

from crawloop.crawl.fetch import HttpFetcher
from crawloop.errors import FetchError
from crawloop.model.page import Page
from crawloop.model.policy import FetchRules

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl for a certificate")


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate of shop.test, and its key."""
    crt, key = tmp_path / "crt.pem", tmp_path / "key.pem"
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    name = ["-subj", "/CN=shop.test", "-addext", "subjectAltName=DNS:shop.test"]
    command = ["openssl", "req", "-x509", *kind, *name, "-keyout", str(key), "-out", str(crt)]
    subprocess.run(command, check=True, capture_output=True)
    return crt, key


class SecureSite:
    """Speaks HTTP/2 alone, and notes the name in the handshake and the authority of each request."""

    def __init__(self, crt: Path, key: Path) -> None:
        self.names: list[str | None] = []
        self.asked: list[tuple[str, str]] = []
        self.tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.tls.load_cert_chain(crt, key)
        self.tls.set_alpn_protocols(["h2"])
        self.tls.sni_callback = lambda _, name, __: self.names.append(name)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        link.initiate_connection()
        while writer.write(link.data_to_send()) or (data := await reader.read(65536)):
            for event in link.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    asked = dict(event.headers)
                    self.asked.append((asked[":authority"], asked[":path"]))
                    link.send_headers(event.stream_id, [(":status", "200"), ("content-type", "text/html")])
                    link.send_data(event.stream_id, f"<p>{asked[':path']}".encode(), end_stream=True)
        writer.close()


def got(site: SecureSite, host: str, *paths: str) -> tuple[int, list[Page | FetchError]]:
    """The port, and the pages in their order, or the errors in their place."""

    async def run() -> tuple[int, list[Page | FetchError]]:
        server = await asyncio.start_server(site.talk, "127.0.0.1", 0, ssl=site.tls)
        port = server.sockets[0].getsockname()[1]
        rules = FetchRules(robots=False, retries=0, per_host=8, hosts=(f"{host}:{port}",))
        async with server, HttpFetcher(rules, clock=lambda: "") as fetcher:
            asked = (fetcher.fetch(f"https://{host}:{port}{path}") for path in paths)
            told = await asyncio.gather(*asked, return_exceptions=True)
        return port, [one for one in told if isinstance(one, Page | FetchError)]

    return asyncio.run(run())


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch, certificate: tuple[Path, Path]) -> None:
    """Every name is at 127.0.0.1, and the certificate is trusted."""
    real = socket.getaddrinfo

    def found(host: object, port: object, *rest: object, **more: object) -> object:
        return real("127.0.0.1", port, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))


def test_many_pages_over_one_connection_of_http_2(certificate: tuple[Path, Path]) -> None:
    site = SecureSite(*certificate)
    paths = [f"/{n}" for n in range(20)]
    port, pages = got(site, "shop.test", *paths)
    assert [page.html for page in pages if isinstance(page, Page)] == [f"<p>{path}" for path in paths]
    assert sorted(site.asked) == sorted((f"shop.test:{port}", path) for path in paths)
    assert site.names == ["shop.test"]


def test_a_certificate_of_another_name_is_refused(certificate: tuple[Path, Path]) -> None:
    site = SecureSite(*certificate)
    _, (error,) = got(site, "other.test", "/")
    assert "certificate" in str(error)
    assert site.asked == []
