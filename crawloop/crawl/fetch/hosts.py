"""Which hosts may be asked, and which of them may have an address inside a private network.

Hosts of the URLs that somebody asked for are named by them, with and without `www.`; `fetch.hosts` names more. A port
that is not one of the web's own is part of the host's name: who names http://127.0.0.1:8000 has not named port 5432.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

Place = tuple[str, int | None]  # a host as it goes over the wire, and its port where that is not one of the web's own

_USUAL = (None, 80, 443)
_INSIDE_IPV6 = ipaddress.IPv6Network("2000::/3")  # all that is given to hosts on the internet
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class Hosts:
    """The hosts that may be asked. `urls` were asked for by somebody; `named` are hosts, with a port or without."""

    def __init__(self, urls: Iterable[str], named: Iterable[str] = ()) -> None:
        known = {twin for netloc in named for place in _places(netloc) for twin in _twins(place)}
        self._all, self._inside = set(known), known
        self.add(urls)

    def add(self, urls: Iterable[str]) -> None:
        """The hosts of more URLs that somebody asked for."""
        asked = {place for netloc in {_netloc(url) for url in urls} for place in _places(netloc)}
        self._all |= {twin for place in asked for twin in _twins(place)}
        self._inside |= {place for place in asked if _is_literal(place[0])}

    def allows(self, host: str, port: int | None) -> bool:
        """Whether the host may be asked at all."""
        return (host.lower(), _port(port)) in self._all

    def trusts(self, host: str, port: int | None) -> bool:
        """Whether the host may also have a private address: it is named, or its URL said the address itself."""
        return (host.lower(), _port(port)) in self._inside


def is_public(address: str) -> bool:
    """Whether an IP address is one of the internet's: not private, loopback, link-local or multicast, in any guise."""
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.is_global and not ip.is_multicast
    wrapped = ip.ipv4_mapped or ip.sixtofour
    if ip in _NAT64:
        wrapped = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    if wrapped is not None:
        return is_public(str(wrapped))
    return ip in _INSIDE_IPV6 and ip.is_global


def _netloc(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""


def _places(netloc: str) -> list[Place]:
    """The host and port of "user@host:port", read as they are when it is asked; none where that is impossible."""
    import httpx

    try:
        url = httpx.URL(f"http://{netloc}")
    except (httpx.InvalidURL, ValueError):
        return []
    return [(url.raw_host.decode("ascii"), _port(url.port))] if url.raw_host else []


def _port(port: int | None) -> int | None:
    return None if port in _USUAL else port


def _twins(place: Place) -> set[Place]:
    """A host with and without `www.`."""
    host, port = place
    bare = host.removeprefix("www.")
    return {place} if _is_literal(host) else {(bare, port), (f"www.{bare}", port)}


def _is_literal(host: str) -> bool:
    """Whether a host says its address itself, so that no name server has a word in it."""
    if host == "localhost":
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
