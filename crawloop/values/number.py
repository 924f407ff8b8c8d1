"""Numbers as people write them: which sign is the decimal mark is decided by the evidence in the text.

One separator before exactly three digits is ambiguous. A comma then groups thousands (`1,234`), and so does a dot
beside a currency (`3.350 €`); a bare `3.350` is 3.35, as machines write it. `decimal` settles it where it is known;
a text that contradicts it (`12.50` where the mark is a comma) is no number.
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import digit, normalize, numeric

from crawloop.values.currency import AFTER, BEFORE, CURRENCY, SIGNS, has_thousandths
from crawloop.values.text import clean, cleaned

Number = int | float

_LONGEST_STRICT = 80
_LONGEST = 500
MOST_DIGITS = 40
_NEAR = 12
_DIGIT = re.compile(r"\d|[¼-¾⅐-⅞↉]")
_VULGAR = re.compile(r"[¼-¾⅐-⅞↉]")
_SIGNS = {ord(c): "-" for c in "‐‑‒–—―−﹘﹣－"} | {ord(c): "'" for c in "‘’′ʼ＇´`"} | {ord("٫"): ".", ord("٬"): ","}
_RUN = r"(?:\d+(?:[.,']\d+|[ ]\d{3}(?!\d))*|[.,]\d+)"
_NOTE = re.compile("[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+")  # "78²" has a footnote, and is not 782
_POWER = re.compile(r"[eE][-+]?\d")
_TAIL = re.compile(r"(?<=\d)[.,]\s?-+(?!\d)")  # "12,-" and "CHF 12.–"
_SIGN_AS_POINT = re.compile(r"(?<=\d)([€£])(?=\d{2}(?!\d))")  # "12€50"
_CENTS_APART = re.compile(rf"({CURRENCY}\s?)(\d{{1,3}}(?:[.,' ]\d{{3}})+|\d+) (\d\d)")  # "$12 99"
_CENTS = re.compile(r" \d\d(?![.,]?\d|\s?%)")
_HAS_CENTS = re.compile(r"[.,]\d\d?\Z")
_FRACTION = re.compile(
    r"(?:(?<![\d.,/])(\d{1,4})[ -])?(?<![\d.,/])(\d{1,2})\s?[/⁄]\s?(2|3|4|5|6|8|10|16)(?![\d/.,]*\d)"
)
_SCALES = {"k": 10**3, "tsd": 10**3, "mio": 10**6, "million": 10**6, "millions": 10**6, "m": 10**6, "mn": 10**6}
_SCALES["thousand"] = 10**3
_SCALES |= {"b": 10**9, "bn": 10**9, "mrd": 10**9, "billion": 10**9, "billions": 10**9, "lakh": 10**5, "crore": 10**7}
_SCALE = r"(?:(?P<scale>[kKMB]|\s?(?i:tsd|mio|mrd|mn|bn)\.?|\s?(?i:millions?|billions?|thousand|lakh|crore))(?![^\W_]))"
_NUMBER = re.compile(rf"(?P<run>{_RUN}){_SCALE}?")
_WHOLE = re.compile(
    rf"(?P<sign>[-+]?)\s?(?P<before>{CURRENCY})?\s?(?P<inner>-?)\s?(?P<run>{_RUN}){_SCALE}?\s?(?P<after>{CURRENCY}|%)?"
)
_EXPONENT = re.compile(r"[-+]?\d+(?:\.\d+)?[eE][-+]?\d{1,3}")
_GROUPS = {mark: re.compile(rf"[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+") for mark in ".,' "}
_INDIAN = re.compile(r"[1-9]\d?(?:,\d{2})*,\d{3}")


def parse_number(value: object, *, decimal: str | None = None, strict: bool = False) -> Number | None:
    """The number in a text; a currency, a percent sign or a scale (`1.2k`) may stand with it. `45%` is 45.

    `strict` wants the whole text to be the number. Else it is the only number in the text: where several different
    ones stand ("2 pairs from $349") the answer is None, never the first. An int where no decimals are written.
    """
    return _parse(value, decimal, strict, money=False)


def parse_money(value: object, *, decimal: str | None = None, strict: bool = False) -> Number | None:
    """As parse_number, but an amount with a currency goes before numbers without: "2 pairs from $349" is 349."""
    return _parse(value, decimal, strict, money=True)


@lru_cache(maxsize=4096)
def has_currency(text: str) -> bool:
    """Whether a currency sign, code or word stands directly beside a number."""
    plain = _plain(clean(text))
    return any(_marks(plain, m) != "" for m in _NUMBER.finditer(plain))


def number_readings(text: str) -> tuple[Number, ...]:
    """Every number that a whole text may mean: two for `3.350`, else one or none."""
    found = [parse_number(text, decimal=mark, strict=True) for mark in (None, ".", ",")]
    return tuple(dict.fromkeys(n for n in found if n is not None))


def _parse(value: object, decimal: str | None, strict: bool, money: bool) -> Number | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value if abs(value) < 1e300 else None  # neither NaN nor infinite
    text = cleaned(value, _LONGEST) if isinstance(value, str) and _DIGIT.search(value) else None
    if text is None:
        return None
    text = _plain(text)
    if text.isascii() and text.isdigit():
        return _read(text, None, "")
    if text[-3:-2] == " " and (apart := _CENTS_APART.fullmatch(text)):
        text = apart[1] + "".join(filter(str.isdigit, apart[2])) + (decimal or ".") + apart[3]
    whole = _whole(text, decimal) if len(text) <= _LONGEST_STRICT else None
    return whole if strict or whole is not None else _only(text, decimal, money)


def _plain(text: str) -> str:
    """ASCII digits, plain spaces and minus signs; `1½` as `1 1/2`, `12€50` as `12.50`, `12,-` as `12`."""
    if not text.isascii():
        text = _NOTE.sub(" ", text)
        text = _VULGAR.sub(lambda m: f" {_as_fraction(m[0])}", text)
        text = normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)
        text = "".join(str(digit(c)) if c.isdigit() and not c.isascii() and digit(c, -1) >= 0 else c for c in text)
        text = _SIGN_AS_POINT.sub(".", text)
        text = " ".join(text.split())
    return _TAIL.sub("", text) if "-" in text else text


def _as_fraction(char: str) -> str:
    share = numeric(char)
    bottom = next((b for b in (2, 3, 4, 5, 6, 7, 8, 9, 10) if abs(share * b - round(share * b)) < 1e-9), 1)
    return f"{round(share * bottom)}/{bottom}"


@lru_cache(maxsize=4096)
def _whole(text: str, decimal: str | None) -> Number | None:
    if _has_slash(text) and (found := _FRACTION.fullmatch(text)):
        return _fraction(found)
    if ("e" in text or "E" in text) and _EXPONENT.fullmatch(text):
        return float(text) if abs(float(text)) < 1e300 else None
    debit = text.startswith("(") and text.endswith(")") and any(c in SIGNS for c in text)
    found = _WHOLE.fullmatch(text[1:-1].strip() if debit else text)
    if not found:
        return None
    mark = found["before"] or (found["after"] or "").replace("%", "")
    size = _size(found, decimal, mark)
    if size is None:
        return None
    return -size if debit or "-" in (found["sign"], found["inner"]) else size


@lru_cache(maxsize=4096)
def _only(text: str, decimal: str | None, money: bool) -> Number | None:
    """The only number in the text, or with `money` the only one beside a currency."""
    plain: set[Number | None] = set()
    marked: set[Number | None] = set()
    for fraction in _FRACTION.finditer(text) if _has_slash(text) else ():
        plain.add(_fraction(fraction))
        text = text[: fraction.start()] + "|" * len(fraction[0]) + text[fraction.end() :]
    for match in _NUMBER.finditer(text):
        mark = _marks(text, match)
        before = text[max(0, match.start() - _NEAR) : match.start()]
        if not mark and before and (before[-1].isalpha() or before[-1] == "_"):
            continue  # a part of a word: "B12"
        if _POWER.match(text, match.end()):
            return None  # "1e999999" is not 1
        if mark and _is_torn(match, before, text):
            return None
        size = _size(match, decimal, mark)
        size = -size if size is not None and _is_negative(before, mark) else size
        (marked if mark else plain).add(size)
        if len(marked) > 1 or (not money and len(plain | marked) > 1):
            return None
    sizes = marked if money and marked else plain | marked
    return sizes.pop() if len(sizes) == 1 else None


def _has_slash(text: str) -> bool:
    return "/" in text or "⁄" in text


def _is_torn(match: re.Match[str], before: str, text: str) -> bool:
    """Whether two digits stand beside an amount as cents in superscript do, "180 50 EUR": both may be half of one."""
    run = match["run"]
    if not _HAS_CENTS.search(run) and _CENTS.match(text, match.end()):
        return True
    return len(run) == 2 and before[-1:] == " " and before[-2:-1].isdigit()


def _is_negative(before: str, mark: str) -> bool:
    """Whether a minus sign stands before a number, rather than the dash of a range or of a word."""
    head = before.rstrip()
    if mark and (currency := BEFORE.search(head)):
        head, before = head[: currency.start()] + ("-" if head.endswith("-") else ""), ""
    return head.endswith("-") and not head[-2:-1].isalnum() and before[-1:] != " "


def _marks(text: str, match: re.Match[str]) -> str:
    """The currency directly before or behind a number, or nothing."""
    near = BEFORE.search(text[max(0, match.start() - _NEAR) : match.start()]) or AFTER.match(text, match.end())
    return near[0].strip(" -") if near else ""


def _fraction(found: re.Match[str]) -> Number | None:
    whole, top, bottom = int(found[1] or 0), int(found[2]), int(found[3])
    # "4/5" and "9/10" are ratings rather than fractions
    if top >= bottom or (not found[1] and bottom in (5, 6, 10) and top > 1):
        return None
    return whole + top / bottom


def _size(found: re.Match[str], decimal: str | None, mark: str) -> Number | None:
    """The number of a match with its scale; cents count as hundredths."""
    size = _read(found["run"], decimal, mark)
    if size is None:
        return None
    if scale := (found["scale"] or "").strip(" .").casefold():
        grown = round(size * _SCALES[scale], 6)
        size = int(grown) if grown == int(grown) else grown
    return size / 100 if mark == "¢" else size


def _read(run: str, decimal: str | None, mark: str) -> Number | None:
    """The value of digits with separators, or None where they follow no way of writing numbers."""
    if run.isdigit():
        return int(run) if len(run) <= MOST_DIGITS else None
    point = decimal if decimal else _point(run, mark)
    head, found, tail = run.rpartition(point) if point else (run, "", "")
    if not found:
        head, tail = run, ""
    if (tail and not tail.isdigit()) or len(run) > MOST_DIGITS or not _is_grouped(head, point):
        return None
    digits = "".join(c for c in head if c.isdigit())
    return float(f"{digits or '0'}.{tail}") if tail else int(digits)


def _point(run: str, mark: str) -> str:
    """The decimal mark by evidence: "." or "," or none."""
    marks = [c for c in run if not c.isdigit()]
    last = marks[-1]
    if last not in ".,":
        return ""
    if len(set(marks)) > 1:
        return last
    if len(marks) > 1:
        return ""
    head, _, tail = run.partition(last)
    if len(tail) != 3 or len(head) > 3 or head.startswith("0") or not head:
        return last
    grouped = last == "," or (mark != "" and not has_thousandths(mark))
    return "" if grouped else last


def _is_grouped(head: str, point: str) -> bool:
    """Whether the part before the decimal mark is plain digits, or in groups of one sort."""
    if not head or head.isdigit():
        return True
    marks = {c for c in head if not c.isdigit()}
    if len(marks) > 1 or point in marks:
        return False
    mark = marks.pop()
    return bool(_GROUPS[mark].fullmatch(head) or (mark == "," and _INDIAN.fullmatch(head)))
