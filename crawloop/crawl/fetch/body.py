"""The body of an answer, unpacked: never larger than the cap, and never a part that passes for the whole."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

from crawloop.errors import AnswerLost, FetchError, PageRefused

_GZIP, _RAW = 16 + zlib.MAX_WBITS, -zlib.MAX_WBITS


async def read_body(pieces: AsyncIterator[bytes], encoding: str, cap: int) -> bytes:
    """The unpacked body. Raises PageRefused above `cap` bytes, AnswerLost where it is cut off, FetchError."""
    unpack = _unpacker(encoding)
    body = bytearray()
    async for piece in pieces:
        body += unpack.feed(piece, cap + 1 - len(body)) if unpack else piece
        if len(body) > cap:
            raise PageRefused(f"the page is larger than {cap / 1e6:g} MB (fetch.max_bytes)")
    if unpack:
        unpack.end()
    return bytes(body)


def _unpacker(encoding: str) -> Unpacker | None:
    """None where nothing is packed. Raises FetchError for what a few bytes can blow up without bound: packed twice."""
    packed = [one for one in (part.strip().lower() for part in encoding.split(",")) if one not in ("", "identity")]
    if not packed:
        return None
    if packed not in (["gzip"], ["x-gzip"], ["deflate"]):
        raise FetchError(f"the page is packed as {encoding[:80]!r}, but gzip or deflate, once, was asked for")
    return Unpacker(packed[0].removeprefix("x-"))


class Unpacker:
    """Unpacks piece by piece, and knows whether the end has come."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._stream = zlib.decompressobj(_GZIP) if encoding == "gzip" else None
        self._is_empty = True

    def feed(self, piece: bytes, most: int) -> bytes:
        """At most `most` bytes of what the piece holds."""
        if not piece:
            return b""
        self._is_empty = False
        if self._stream is None:  # deflate: with zlib's head, as it should be, or raw, as it is often sent
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if piece[0] & 0x0F == 8 else _RAW)
        try:
            unpacked = self._stream.decompress(piece, most)
            while self._stream.unused_data[:2] == b"\x1f\x8b" and len(unpacked) < most:  # gzip joined to gzip
                rest, self._stream = self._stream.unused_data, zlib.decompressobj(_GZIP)
                unpacked += self._stream.decompress(rest, most - len(unpacked))
        except zlib.error as error:
            raise AnswerLost(f"the {self._encoding} is broken ({error})") from error
        return unpacked

    def end(self) -> None:
        """Raises AnswerLost where the packed data has not come to its end."""
        if not self._is_empty and (self._stream is None or not self._stream.eof):
            raise AnswerLost(f"the page is cut off: its {self._encoding} has no end")
