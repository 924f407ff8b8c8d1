"""Honest Python is admitted, and gives what plain Python gives. Each program defines `extract(html, url)`."""

from __future__ import annotations

import sys
import textwrap
import types
from collections.abc import Iterator

import pytest

from crawloop.model.page import Page
from crawloop.sandbox import ProcessSandbox

HTML = """<!doctype html><html lang="en"><head><title>Two things &amp; more</title>
<script type="application/ld+json">{"@type": "Product", "name": "Thing", "offers": {"price": "1,299.50"}}</script>
<script>window.STATE = {"items": [{"id": 1}, {"id": 2}]}; run();</script></head>
<body><ul><li class="item" data-id="2"><a href="/p/2?x=1&amp;y=2">Second  thing</a> <b>€ 12,50</b> <i>3 May</i></li>
<li class="item" data-id="1"><a href="../p/1">First thing</a> <b>€ 7,00</b> <i>12 Jan 2023</i></li></ul>
<p>a<br>b</p></body></html>"""
URL = "https://shop.example/list/all?page=2"

PROGRAMS = {
    "class with private state": """
        from selectolax.lexbor import LexborHTMLParser
        class Reader(object):
            KINDS = ("a", "b")
            def __init__(self, tree, *, limit: int = 5):
                self._tree = tree
                self.__limit = limit
                self.count = 0
            @property
            def limit(self):
                return self.__limit
            @staticmethod
            def clean(text):
                return " ".join(text.split())
            @classmethod
            def of(cls, html):
                return cls(LexborHTMLParser(html))
            def __iter__(self):
                for node in self._tree.css("li.item"):
                    self.count += 1
                    yield {"name": self.clean(node.css_first("a").text()), "n": self.count, "most": self.limit}
        def extract(html, url):
            return list(Reader.of(html))
    """,
    "inheritance": """
        class Field:
            def __init__(self, name):
                self.name = name
            def read(self, row):
                return row[self.name]
            def __repr__(self):
                return f"{self.__class__.__name__}({self.name!r})"
        class Number(Field):
            def __init__(self, name, scale=1):
                super().__init__(name)
                self.scale = scale
            def read(self, row):
                return super().read(row) * self.scale
        class Problem(Exception):
            def __init__(self, text):
                super().__init__(text)
                self.text = text
        def extract(html, url):
            try:
                raise Problem("no price")
            except Problem as problem:
                told = str(problem) + problem.text
            return [{"value": Number("n", 10).read({"n": 3}), "said": repr(Number("n")), "told": told}]
    """,
    "dataclasses": """
        from __future__ import annotations
        from dataclasses import asdict, dataclass, field, replace
        from typing import ClassVar, Optional
        @dataclass(frozen=True, order=True)
        class Money:
            amount: float
            currency: str = "EUR"
        @dataclass
        class Item:
            name: str
            price: Optional[Money] = None
            tags: list[str] = field(default_factory=list)
            unit: ClassVar[str] = "piece"
            def __post_init__(self):
                self.name = self.name.title()
        @dataclass(slots=True)
        class Spot:
            x: int
            y: int = 0
        def extract(html, url):
            item = Item("thing", Money(1.5))
            item.tags.append("new")
            spot = Spot(1)
            spot.y += 2
            more = Money(2) > Money(1)
            return [asdict(item), {"more": more, "less": replace(Money(1), amount=3).amount, "y": spot.y}]
    """,
    "named tuples and enums": """
        from collections import namedtuple
        from enum import Enum, IntEnum, auto
        from typing import NamedTuple, TypedDict
        Pair = namedtuple("Pair", "left right")
        class Link(NamedTuple):
            href: str
            text: str = ""
        class Row(TypedDict, total=False):
            name: str
        class Stock(Enum):
            YES = "in stock"
            NO = "sold out"
        class Size(IntEnum):
            SMALL = auto()
            LARGE = auto()
        def extract(html, url):
            row: Row = {"name": "x"}
            pair = Pair("a", "b")._replace(right="c")
            found = {stock.value: stock.name for stock in Stock}
            return [{**pair._asdict(), **Link("/x")._asdict(), **row, "stock": Stock("sold out").name, "all": found,
                     "large": Size.LARGE.value, "fields": list(Pair._fields)}]
    """,
    "generators and unpacking": """
        from itertools import chain, count, groupby, islice, zip_longest
        def pairs(words):
            for (index, word), letter in zip(enumerate(words), "abc"):
                yield index, word, letter
        def extract(html, url):
            first, *rest = "one two three".split()
            (a, b), c = (1, 2), 3
            x = y = [a, b, c]
            rows = [{"index": i, "word": w, "letter": l} for i, w, l in pairs([first, *rest])]
            groups = {k: [w for w in g] for k, g in groupby(sorted(rest), key=lambda w: w[0])}
            flat = list(chain.from_iterable([x, y]))
            more = [list(pair) for pair in zip_longest([1], [2, 3], fillvalue=0)]
            return rows + [{"groups": groups, "flat": flat, "more": more, "some": list(islice(count(5), 3))}]
    """,
    "a generator as extract": """
        from selectolax.lexbor import LexborHTMLParser
        def extract(html, url):
            for node in LexborHTMLParser(html).css("li"):
                yield {"id": int(node.attributes["data-id"])}
    """,
    "text and numbers": """
        import re
        from decimal import ROUND_HALF_UP, Decimal
        PRICE = re.compile(r'''
            (?P<whole>\\d+)   # euros
            ,(?P<part>\\d\\d)   # cents
        ''', re.VERBOSE | re.I)
        def extract(html, url):
            out = []
            for match in PRICE.finditer(html):
                value = Decimal("{whole}.{part}".format(**match.groupdict()))
                taxed = (value * Decimal("1.19")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
                out.append({"net": float(value), "gross": float(taxed), "text": "%05.1f|%s" % (value, match["part"])})
            words = re.sub(r"(\\w)(\\w*)", lambda m: m.group(1).upper() + m.group(2), "some words")
            out.append({"words": words, "split": re.split(r"[;,]\\s*", "a, b;c"), "n": f"{1234567.891:,.2f}"})
            return out
    """,
    "dates": """
        import datetime as dt
        import calendar, time
        def extract(html, url):
            when = dt.datetime.strptime("3 May 2024 14:05", "%d %B %Y %H:%M")
            day = dt.date.fromisoformat("2024-02-28") + dt.timedelta(days=2)
            zone = dt.timezone(dt.timedelta(hours=2))
            months = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
            return [{"iso": when.isoformat(), "day": day.strftime("%d.%m.%y"), "may": months["may"],
                     "utc": when.replace(tzinfo=zone).astimezone(dt.timezone.utc).isoformat(),
                     "old": time.strftime("%Y", time.strptime("1999", "%Y")), "late": when > dt.datetime(2020, 1, 1)}]
    """,
    "islands by hand": """
        import json, re
        from selectolax.lexbor import LexborHTMLParser
        def extract(html, url):
            tree = LexborHTMLParser(html)
            data = json.loads(tree.css_first('script[type="application/ld+json"]').text())
            start = html.index("window.STATE = ") + len("window.STATE = ")
            state, end = json.JSONDecoder().raw_decode(html[start:])
            price = float(re.sub(r"[^\\d.]", "", data.get("offers", {}).get("price") or "0"))
            try:
                json.loads("{")
            except json.JSONDecodeError as problem:
                told = problem.msg
            return [{"name": data["name"], "price": price, "ids": [i["id"] for i in state["items"]], "told": told,
                     "again": json.dumps(state, sort_keys=True)}]
    """,
    "links": """
        import urllib.parse
        from urllib.parse import parse_qs, urlencode, urljoin, urlsplit, urlunsplit
        from selectolax.lexbor import LexborHTMLParser
        def extract(html, url):
            out = []
            for link in LexborHTMLParser(html).css("a[href]"):
                full = urljoin(url, link.attributes["href"])
                parts = urlsplit(full)._replace(query="")
                out.append({"url": urlunsplit(parts), "query": parse_qs(urlsplit(full).query), "host": parts.netloc,
                            "quoted": urllib.parse.quote_plus(link.text()), "made": urlencode({"a": 1, "b": "ü"})})
            return out
    """,
    "changing the tree": """
        from selectolax.lexbor import LexborHTMLParser
        def extract(html, url):
            tree = LexborHTMLParser(html)
            for tag in tree.css("script, style"):
                tag.decompose()
            for tag in tree.css("br"):
                tag.replace_with("|")
            tree.unwrap_tags(["i"])
            node = tree.css_first("li")
            siblings = []
            while node is not None:
                if node.tag == "li":
                    siblings.append(node.attrs["data-id"])
                node = node.next
            return [{"p": tree.css_first("p").text(), "title": tree.head.css_first("title").text(), "ids": siblings,
                     "deep": [n.tag for n in tree.body.traverse() if n.tag != "-text"][:4]}]
    """,
    "functions": """
        from functools import lru_cache, partial, reduce, wraps
        from operator import attrgetter, itemgetter
        TOTAL = 0
        def retry(times=2, *, quiet=True):
            def decorate(function):
                @wraps(function)
                def call(*args, **kwargs):
                    for _ in range(times):
                        try:
                            return function(*args, **kwargs)
                        except ValueError:
                            if not quiet:
                                raise
                    return None
                return call
            return decorate
        @retry(times=3)
        def number(text):
            global TOTAL
            TOTAL += 1
            return int(text)
        @lru_cache(maxsize=None)
        def fib(n):
            return n if n < 2 else fib(n - 1) + fib(n - 2)
        def extract(html, url):
            rows = [{"n": number(t), "t": t} for t in ("3", "x", "1")]
            rows.sort(key=itemgetter("t"))
            add = partial(lambda a, b: a + b, 10)
            return [*rows, {"total": TOTAL, "fib": fib(20), "sum": reduce(add.func, [1, 2, 3]), "ten": add(1),
                            "name": number.__name__, "top": attrgetter("real")(5)}]
    """,
    "patterns": """
        from dataclasses import dataclass
        @dataclass
        class Offer:
            price: float
            stock: str = "no"
        class Words:
            YES = "yes"
        def tell(value):
            match value:
                case {"price": int() | float() as price, **rest} if price > 0:
                    return f"price {price} and {len(rest)}"
                case [first, *others]:
                    return f"list of {1 + len(others)} from {first}"
                case Offer(price=p, stock=Words.YES):
                    return f"offer {p}"
                case Offer(p, s):
                    return f"offer {p} {s}"
                case "a" | "b":
                    return "letter"
                case None | True:
                    return "constant"
                case _:
                    return "else"
        def extract(html, url):
            values = [{"price": 2, "x": 1}, [1, 2], Offer(3, "yes"), Offer(4), "b", True, 5.5]
            return [{"told": [tell(value) for value in values]}]
    """,
    "scopes": """
        import contextlib
        _CACHE: dict[str, int] = {}
        __all__ = ["extract"]
        def outer():
            count = 0
            def inner(step: int = 1) -> int:
                nonlocal count
                count += step
                return count
            return inner
        def extract(html: str, url: str) -> "list[dict]":
            bump = outer()
            rows: list[dict] = []
            box = {"n": 1, "l": [0, 1]}
            box["n"] += 5; box["l"][0] -= 1; box["l"][1:] = [7, 8]
            del box["l"][-1]
            with contextlib.suppress(KeyError, IndexError):
                box["missing"]["deeper"]
            assert box, "never"
            while (n := bump()) < 4:
                if n == 2:
                    continue
                rows.append({"n": n})
            else:
                rows.append({"end": n})
            _CACHE["x"] = _CACHE.get("x", 0) + 1
            rows.append({"box": box, "cache": _CACHE["x"], "same": 1 < n <= 4 != 3, "__": __name__ == "__main__"})
            return rows
        if __name__ == "__main__":
            import sys
            print(extract(open(sys.argv[1]).read(), ""))
    """,
    "sets, bytes, codecs": """
        import base64, html as h, math, string, unicodedata
        from collections import ChainMap, Counter, OrderedDict, deque
        def extract(html, url):
            seen = {1, 2} | {3} - {2} ^ {4}
            words = "Größe".encode("latin-1").decode("cp1252").encode("utf-8").decode("utf-8", errors="ignore")
            last = deque(maxlen=2)
            for n in range(5):
                last.append(n)
            plain = unicodedata.normalize("NFKD", "Café").encode("ascii", "ignore").decode()
            return [{"seen": sorted(seen), "words": words, "last": list(last), "plain": plain,
                     "b64": base64.b64decode("aGk=").decode(), "h": h.unescape("&lt;&eacute;"),
                     "c": Counter("hello").most_common(1)[0][0], "o": list(OrderedDict(a=1)),
                     "m": ChainMap({"a": 1}, {"b": 2})["b"], "r": math.ceil(1.2), "s": string.capwords("a b"),
                     "t": "ab".translate(str.maketrans("ab", "cd")), "nbsp": "\\xa0x".strip()}]
    """,
    "asking about values": """
        from collections.abc import Iterable, Mapping
        import typing as t
        def kind(value: t.Any) -> str:
            if isinstance(value, Mapping):
                return "mapping"
            if isinstance(value, (list, tuple)) or callable(value):
                return type(value).__name__
            return "many" if isinstance(value, Iterable) and not isinstance(value, str) else str(type(value) is str)
        class Item:
            pass
        def extract(html, url):
            item = Item()
            setattr(item, "name", "x")
            item.format = "paperback"
            missing = getattr(item, "price", None)
            tries = [getattr(item, name, "-") for name in ("name", "price", "format")]
            spare = object()
            kinds = [kind(v) for v in ({}, [], (), {1}, "s", len)]
            return [{"kinds": kinds, "has": hasattr(item, "name"), "m": missing,
                     "tries": tries, "vars": vars(item), "same": spare is spare, "sub": issubclass(bool, int),
                     "said": "{0.name}: {1[k]!r:>5}".format(item, {"k": "v"})}]
    """,
    "the parser of the standard library": """
        from abc import ABC, abstractmethod
        from html.parser import HTMLParser
        import json.decoder
        class Sink(ABC):
            @abstractmethod
            def take(self, word): ...
        class Links(HTMLParser):
            def __init__(self):
                super().__init__(convert_charrefs=True)
                self.links = []
            def handle_starttag(self, tag, attrs):
                if tag == "a":
                    self.links.append(dict(attrs).get("href"))
        def extract(html, url):
            parser = Links()
            parser.feed(html)
            try:
                json.loads("")
            except json.decoder.JSONDecodeError:
                pass
            lengths = {"a": 1, "b": 2}
            return [{"links": parser.links, "longest": max(lengths, key=lengths.__getitem__)}]
    """,
    "errors": """
        def check(value):
            if value < 0:
                raise ValueError(f"negative: {value}")
            return value ** 0.5
        def extract(html, url):
            out = []
            for value in (4, -1, "x"):
                try:
                    root = check(value)
                except (ValueError, TypeError) as problem:
                    out.append({"error": type(problem).__name__, "args": len(problem.args)})
                except Exception:
                    raise
                else:
                    out.append({"root": root})
                finally:
                    out[-1]["seen"] = True
            try:
                try:
                    {}["a"]
                except KeyError as cause:
                    raise RuntimeError("wrapped") from cause
            except RuntimeError as problem:
                out.append({"told": str(problem)})
            return out
    """,
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[ProcessSandbox]:
    with ProcessSandbox() as made:
        yield made


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_gives_what_plain_python_gives(name: str, sandbox: ProcessSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    source = textwrap.dedent(PROGRAMS[name])
    plain = types.ModuleType("plain_program")
    monkeypatch.setitem(sys.modules, plain.__name__, plain)
    exec(compile(source, "program", "exec", dont_inherit=True), plain.__dict__)
    expected = list(plain.extract(HTML, URL))
    (run,) = sandbox.run(source, [Page(url=URL, html=HTML)])
    assert run.failure is None
    assert run.records is not None
    assert list(run.records) == expected
    assert expected


def test_unknown_codecs_are_errors(sandbox: ProcessSandbox) -> None:
    source = "def extract(page):\n    return [{'x': 'a'.encode('uu_nothing')}]\n"
    (run,) = sandbox.run(source, [Page(url=URL, html=HTML)])
    assert run.failure is not None
    assert run.failure.message == "LookupError: unknown encoding: uu_nothing"


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("page", "h1"),
        ("html, url", HTML[:5] + URL),
        ("html", HTML[:5]),
        ("html, url=''", HTML[:5] + URL),
        ("html: str, url: str, /", HTML[:5] + URL),
        ("page, url", "h1"),
        ("page, limit=5", "h1"),
        ("doc", "h1"),
    ],
)
def test_signatures(signature: str, expected: str, sandbox: ProcessSandbox) -> None:
    name = signature.partition(",")[0]
    if name in ("page", "doc"):
        body = f"'h1' if {name}.css('li') else ''"
    else:
        body = "html[:5] + url" if "url" in signature else "html[:5]"
    source = f"def extract({signature}):\n    return [{{'x': {body}}}]\n"
    (run,) = sandbox.run(source, [Page(url=URL, html=HTML)])
    assert run.records == ({"x": expected},)


@pytest.mark.parametrize(
    "tail", ["", "extract = read", "extract = lambda html, url: read(html, url)", "extract = Box().read"]
)
def test_extract_may_be_any_function(tail: str, sandbox: ProcessSandbox) -> None:
    name = "read" if tail else "extract"
    source = f"def {name}(html, url):\n    return [{{'x': url}}]\nclass Box:\n    def read(self, html, url):\n"
    source += f"        return [{{'x': url}}]\n{tail}\n"
    (run,) = sandbox.run(source, [Page(url=URL, html=HTML)])
    assert run.records == ({"x": URL},)


def test_the_page_reads_as_in_plain_python(sandbox: ProcessSandbox) -> None:
    source = """
def extract(page):
    return [{"id": row.attr("", "data-id"), "name": row.text("a"), "link": page.absolute(row.attr("a", "href")),
             "product": page.json("@Product.name"), "ids": page.json_all("window.STATE.items[*].id")}
            for row in page.css("li.item")]
"""
    (run,) = sandbox.run(source, [Page(url=URL, html=HTML)])
    assert run.records is not None
    assert run.records[1] == {
        "id": "1",
        "name": "First thing",
        "link": "https://shop.example/p/1",
        "product": "Thing",
        "ids": [1, 2],
    }


def test_the_transforms_are_there_and_can_be_imported_too(sandbox: ProcessSandbox) -> None:
    source = """
from crawloop.extract.transforms import clean
def extract(page):
    return [{"price": money(row.text("b")), "name": first(clean(row.text("a"))), "n": number(row.attr("", "data-id"))}
            for row in page.css("li.item")]
"""
    (run,) = sandbox.run(source, [Page(url=URL, html=HTML)])
    assert run.records == (
        {"price": 12.5, "name": "Second thing", "n": 2},
        {"price": 7, "name": "First thing", "n": 1},
    )
