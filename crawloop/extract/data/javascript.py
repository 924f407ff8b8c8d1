"""JavaScript literals, read token by token without running anything; time is linear.

What is no literal (a function, a sum, an unknown name) is read as null, and so is all that follows it up to the comma.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

_DECODER = json.JSONDecoder(strict=False)
_DEPTH = 100
_TOKEN = re.compile(
    r"""(?P<space>(?:\s+|//[^\n]*|/\*.*?\*/)+)
      | (?P<text>"[^"\\]*(?:\\.[^"\\]*)*" | '[^'\\]*(?:\\.[^'\\]*)*' | `[^`\\]*(?:\\.[^`\\]*)*`)
      | (?P<number>[-+]?(?:0[xX][0-9a-fA-F]+ | (?:\d+\.?\d* | \.\d+)(?:[eE][-+]?\d+)?)(?![\w$]))
      | (?P<word>[\w$]+)
      | (?P<mark>.)""",
    re.X | re.S,
)
# A quote ends a string only before what can follow a string: for texts whose inner quotes nobody escaped.
_LOOSE = re.compile(r"""(?P<text>"(?:[^"]*)(?:"(?!\s*(?:[}\]]|,\s*["{\[\]}\dtfn-]|:\s*["{\[\dtfn-]))[^"]*)*")""")
# What most members are: a plain key and a plain value, read in one step with the comma behind them.
_SCALAR = r"""(?:"([^"\\]*)"|'([^'\\]*)'|(-?\d+(?:\.\d+)?)(?![\w.$])|(true|false|null)(?![\w$]))\s*(?:,|(?=[}\]]))"""
_PAIR = re.compile(rf"""\s*(?:"([^"\\]*)"|'([^'\\]*)'|([A-Za-z_$][\w$]*))\s*:\s*{_SCALAR}""")
_ITEM = re.compile(rf"\s*{_SCALAR}")
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.S)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_ENDS = frozenset((",", "}", "]", ")"))
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "undefined": None, "NaN": None}


class NoLiteral(Exception):
    """Nothing that can be read starts here."""


class Reader:
    """Reads one literal, token by token. `end` is where the last token that belongs to it ended.

    `mode`: "script" takes an expression for null, "json" refuses one after a string, "loose" has unescaped quotes.
    """

    __slots__ = ("_kind", "_match", "_mode", "_names", "_text", "_token", "end")

    def __init__(self, text: str, at: int, names: Mapping[str, Any], mode: str = "script") -> None:
        self._text = text
        self._names = names
        self._mode = mode
        self.end = at
        self._peek()

    def _peek(self) -> None:
        """Looks at the token after `end`."""
        found = _TOKEN.match(self._text, self.end)
        if found is not None and found.lastgroup == "space":
            found = _TOKEN.match(self._text, found.end())
        if self._mode == "loose" and found is not None and found[0][0] == '"':
            found = _LOOSE.match(self._text, found.start())
        self._match = found
        self._kind, self._token = (found.lastgroup or "", found[0]) if found is not None else ("", "")

    def _take(self) -> str:
        if self._match is None or (self._kind == "mark" and self._never_ends(self._match)):
            raise NoLiteral
        token, self.end = self._token, self._match.end()
        self._peek()
        return token

    def _never_ends(self, found: re.Match[str]) -> bool:
        """A quote or comment without an end: to go on would read the rest of the text once for each."""
        return found[0] in "\"'`" or self._text.startswith("/*", found.start())

    def value(self, depth: int = 0) -> Any:
        """The value that starts here; null where it is an expression. Raises NoLiteral where it never ends."""
        if depth > _DEPTH:
            raise NoLiteral
        quoted = self._kind == "text"
        value = self._plain(depth)
        if depth and self._token not in _ENDS:
            if quoted and self._mode == "json":
                raise NoLiteral
            self._skip()
            return None
        return value

    def _plain(self, depth: int) -> Any:
        if self._kind == "text":
            return text_of(self._take())
        if self._kind == "number":
            return _number(self._take())
        if self._kind == "word":
            return self._word(self._take())
        if self._token == "{":
            return self._object(depth + 1)
        if self._token == "[":
            return self._list(depth + 1)
        if self._token == "/" and (regex := _REGEX.match(self._text, self._match.start() if self._match else 0)):
            self.end = regex.end()
            self._peek()
            return None
        if self._token == "!":
            self._take()
            return {"0": True, "1": False}.get(self._take())
        return None

    def _word(self, word: str) -> Any:
        if word in _WORDS:
            return _WORDS[word]
        if word == "void" and self._kind == "number":
            self._take()
        if word == "new" and self._token == "Date":
            self._take()
            return self._argument()
        if word == "JSON" and self._token == ".":
            self._take()
            if self._token == "parse":
                self._take()
                return _parsed(self._argument())
        return self._names.get(word)

    def _argument(self) -> Any:
        """The only argument of a call, where it is a plain literal."""
        value = None
        if self._token == "(":
            self._take()
            if self._kind in ("text", "number"):
                value = self._plain(0)
            if self._token == ")":
                self._take()
                return value
        return None

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self._take()
        while self._token != "}":
            if self._members(_PAIR, found):
                continue
            key = self._key()
            if key is not None and self._token == ":":
                self._take()
                found[key] = self.value(depth)
            elif key is not None and self._token in _ENDS:
                found[key] = self._names.get(key)
            else:
                self._skip()
            self._comma("}")
        self._take()
        return found

    def _comma(self, end: str) -> None:
        if self._token == ",":
            self._take()
        elif self._token != end:
            raise NoLiteral

    def _members(self, member: re.Pattern[str], into: dict[str, Any] | list[Any]) -> bool:
        """Reads plain members, as many as follow one another; False where there is none."""
        at = start = self.end
        while self._mode != "loose" and (found := member.match(self._text, at)) is not None:
            at = found.end()
            *key, double, single, number, word = found.groups()
            text = double if double is not None else single
            value = text if text is not None else _number(number) if number else _WORDS[word]
            if isinstance(into, list):
                into.append(value)
            else:
                into[next(one for one in key if one is not None)] = value
        if at > start:
            self.end = at
            self._peek()
        return at > start

    def _key(self) -> str | None:
        if self._kind == "text":
            return text_of(self._take())
        return self._take() if self._kind in ("word", "number") else None

    def _list(self, depth: int) -> list[Any]:
        found: list[Any] = []
        self._take()
        while self._token != "]":
            if not self._members(_ITEM, found):
                found.append(None if self._token == "," else self.value(depth))
                self._comma("]")
        self._take()
        return found

    def _skip(self) -> None:
        """Goes on to the end of an expression: a comma or closing bracket that belongs to what is around it."""
        depth = 0
        while depth or self._token not in _ENDS:
            if self._kind == "mark":
                depth += (self._token in "([{") - (self._token in ")]}")
            self._take()


def _parsed(text: Any) -> Any:
    try:
        return _DECODER.decode(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None


def _number(text: str) -> int | float:
    if text.lstrip("+-")[:2].lower() == "0x":
        return int(text, 16)
    number = float(text)
    return int(text) if re.fullmatch(r"[-+]?\d{1,300}", text) else number if math.isfinite(number) else 0.0


def text_of(quoted: str) -> str | None:
    """The text of a JavaScript string literal; None for a template with substitutions."""
    if "\\" not in quoted and quoted[0] != "`":
        return quoted[1:-1]
    if quoted[0] == '"':
        try:
            return str(_DECODER.decode(quoted))
        except ValueError:
            pass
    if quoted[0] == "`" and "${" in quoted:
        return None
    text = _ESCAPE.sub(_unescaped, quoted[1:-1])
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code:
        return chr(min(int(code, 16), 0x10FFFF))
    return _ESCAPED.get(found[4], found[4])
