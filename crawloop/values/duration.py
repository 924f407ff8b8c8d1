"""Durations: ISO 8601, worded in several languages, clocks like 1:30, or a bare number in the asked unit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import normalize

from crawloop.values.months import bare
from crawloop.values.number import MOST_DIGITS, parse_number
from crawloop.values.text import cleaned

SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400}

_ISO = re.compile(
    r"P(?:(\d+(?:[.,]\d+)?)Y)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?"
    r"(?:T(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?",
    re.IGNORECASE,
)
_NUMBERLESS = re.compile(r"(?<=[THM])[HMS]|(?<=T)[HMS]", re.IGNORECASE)
_WORDS = {
    1: "s sec secs second seconds sek sekunde sekunden seconde secondes secs segundo segundos seg secondo secondi "
    'sekund sekunder sekunti sekuntia sekunda sekundy saniye sn с сек секунда секунды секунд " ″',
    60: "m mn min mins minute minutes minuten minut minuts minuto minutos minuti minuter minutter minutt minuttia "
    "minuutti minuuttia minuut minuta minuty dakika dk dak мин минута минуты минут минути хв хвилина хвилини "
    "хвилин λεπτο λεπτα λεπτων perc minutit phut menit דקה דקות דק دقيقة دقائق 分 分钟 分鐘 分間 분 ' ′",
    3600: "h hr hrs hour hours std stunde stunden heure heures hora horas hs ora ore uur uren u timme timmar tim "
    "time timer tunti tuntia t godz godzina godziny godzin hodina hodiny hodin hod saat sa ч час часа часов "
    "година години годин ωρα ωρες ωρων tund tundi ura ure שעה שעות ساعة ساعات 時間 小时 小時 시간",
    86_400: "d day days tag tage tagen jour jours j dia dias giorno giorni dag dagen dagar dage dager paiva paivaa "
    "dzien dni den dny dni gun день дня дней",
    604_800: "w wk week weeks woche wochen semaine semaines semana semanas settimana settimane weken vecka veckor "
    "uge uger uke uker viikko viikkoa tydzien tygodnie tygodni tyden tydny hafta неделя недели недель",
}
UNITS = {bare(word): seconds for seconds, words in _WORDS.items() for word in words.split()}
_ONE_WORDS = "a an one ein eine einer un une una uno en ett et één een um uma jeden jedna bir один одна"
_HALF_WORDS = "half halbe demi demie media mezza mezz halv halve puoli pół půl yarım meia пол"
_AND_WORDS = "and und et y e en og och ja i a ve es si и і та και & + , plus"
_ONE, _HALF, _AND = (frozenset(bare(words).split()) for words in (_ONE_WORDS, _HALF_WORDS, _AND_WORDS))
_SIZE_WORDS = (_ONE | _HALF | _AND) - {"&", "+", ","}
_RANGE = {"-", "–", "to", "bis", "a", "tot", "till", "til", "al", "do", "до"}
_TOKEN = re.compile(r"\d+(?:[.,]\d+)?(?:\s\d{1,2}/\d{1,2}(?!\d)|/\d{1,2}(?!\d))?|[^\W\d_]+|[^\s\w]")
_CLOCK = re.compile(r"(\d{1,3}):([0-5]\d)(?::([0-5]\d))?(?:\s?([^\W\d_]+)\.?)?")
_LABEL = re.compile(r"[^\W\d_][^:\d]{0,40}:\s*(?=\S)")
_FIGURES = re.compile(r"[\d¼-¾⅐-⅞](?:[\d.,' /¼-¾⅐-⅞]*[\d¼-¾⅐-⅞])?")
_VULGAR = re.compile(r"[¼-¾⅐-⅞]")
_LONGEST = 500
_MOST = 1e12
_LONGEST_STRICT = 100


@dataclass(frozen=True, slots=True)
class _Read:
    """A duration read from tokens: its seconds, the units in their order, and the first token behind it."""

    seconds: float
    units: tuple[str, ...]
    end: int


def parse_duration(value: object, unit: str | None = "minutes", *, strict: bool = False) -> float | None:
    """The duration in `unit` (seconds, minutes, hours or days; None is minutes). A bare number is in that unit already.

    `1:30` is hours and minutes, unless the unit is seconds. `strict` wants the whole text to be the duration; else it
    is the only one in the text. ISO durations with years or months, and ranges ("30-40 min"), are none.
    """
    divisor = SECONDS[unit or "minutes"]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if 0 <= value < _MOST else None
    text = cleaned(value, _LONGEST_STRICT if strict else _LONGEST) if isinstance(value, str) else None
    if text is None:
        return None
    if _FIGURES.fullmatch(text):
        number = parse_number(text, strict=True)
        return float(number) if number is not None and number < _MOST else None
    seconds = _iso(text) if text[:1] in ("P", "p") else None
    if seconds is None:
        seconds = _written(_plain(text), divisor, strict)
    return None if seconds is None or seconds / divisor >= _MOST else round(seconds / divisor, 6)


def _plain(text: str) -> str:
    if text.isascii():
        return text.lower()
    return bare(normalize("NFKC", _VULGAR.sub(lambda m: f" {normalize('NFKC', m[0])}", text)).replace("⁄", "/"))


def _iso(text: str) -> float | None:
    """ISO 8601; an hour or minute of which a template left the number out ("PTH30M") is 0 where others are told."""
    text = _NUMBERLESS.sub("", text)
    found = _ISO.fullmatch(text)
    if not found or not any(found.groups()):
        return None
    years, months, *rest = (float(part.replace(",", ".")) if part else 0.0 for part in found.groups())
    if years or months:
        return None
    return sum(size * scale for size, scale in zip(rest, (604_800, 86_400, 3600, 60, 1), strict=True))


@lru_cache(maxsize=4096)
def _written(text: str, divisor: int, strict: bool) -> float | None:
    clock = _clock(text, divisor)
    if clock is not None:
        return clock
    tokens = [token for token in _TOKEN.findall(text) if token != "."]
    if (whole := _read(tokens, 0)) and whole.end == len(tokens):
        return whole.seconds
    if strict:
        return None
    label = _LABEL.match(text)
    inner = _written(text[label.end() :], divisor, True) if label else None
    return inner if inner is not None else _only(tokens)


def _clock(text: str, divisor: int) -> float | None:
    found = _CLOCK.fullmatch(text)
    if not found:
        return None
    unit = UNITS.get(found[4]) if found[4] else None
    if found[4] and unit not in (60, 3600):
        return None
    first, second, third = int(found[1]), int(found[2]), int(found[3] or 0)
    if found[3]:
        return first * 3600 + second * 60 + third
    scale = unit or (60 if divisor == 1 else 3600)
    return first * scale + second * scale // 60


def _only(tokens: list[str]) -> float | None:
    """The only duration among the tokens. Lone one-letter units are too weak here: "5 m" may be metres."""
    found: set[float] = set()
    at = 0
    while at < len(tokens):
        read = _read(tokens, at)
        if read is None:
            at += 1
            continue
        if at >= 2 and tokens[at - 1] in _RANGE and tokens[at - 2][0].isdigit():
            return None
        is_article = tokens[at] in _ONE and read.end == at + 2  # "30 minutes a day"
        if not is_article and (len(read.units) > 1 or len(read.units[0]) > 1 or read.units[0] == "h"):
            found.add(read.seconds)
        at = read.end
    return found.pop() if len(found) == 1 else None


def _read(tokens: list[str], at: int) -> _Read | None:
    """The longest run of sizes with units from large to small that begins here."""
    seconds, smallest, end = 0.0, float("inf"), at
    units: list[str] = []
    while at < len(tokens):
        size, after = _size(tokens, at)
        if size is None:
            if not units or tokens[at] not in _AND:
                break
            at += 1
            continue
        unit = tokens[after] if after < len(tokens) else ""
        scale = UNITS.get(unit)
        if scale is None and after == len(tokens) and smallest in (3600, 60) and at == end and size < 60:
            return _Read(seconds + size * smallest / 60, tuple(units), after)  # "1 h 5"
        if scale is None or scale >= smallest:
            break
        seconds, smallest = seconds + size * scale, scale
        units.append(unit)
        at = end = after + 1
        if len(tokens) > at + 1 and tokens[at] in _AND and tokens[at + 1] in _HALF:  # "una hora y media"
            return _Read(seconds + scale / 2, tuple(units), at + 2)
    return _Read(seconds, tuple(units), end) if units else None


def _size(tokens: list[str], at: int) -> tuple[float | None, int]:
    """How many of a unit, in figures or words ("half an", "eine halbe"), and the token behind."""
    if tokens[at][0].isdigit():
        number = _figure(tokens[at])
        return (None, at) if number is None else (number, at + 1)
    words: list[str] = []
    while at < len(tokens) and len(words) < 4 and tokens[at] in _SIZE_WORDS:
        words.append(tokens[at])
        at += 1
        if at < len(tokens) and tokens[at] in UNITS:
            break
    else:
        return None, at
    halves = sum(word in _HALF for word in words)
    if halves == 0:
        return (1.0, at) if len(words) == 1 and words[0] in _ONE else (None, at)
    return (1.5 if len(words) == 4 else 0.5, at) if halves == 1 else (None, at)


def _figure(token: str) -> float | None:
    if token.isascii() and token.isdigit():
        return float(token) if len(token) <= MOST_DIGITS else None
    whole, _, rest = token.rpartition(" ")
    if "/" in rest:
        top, _, bottom = rest.partition("/")
        is_mixed = all(part.isdigit() for part in (whole or "0", top, bottom)) and int(bottom) > 0
        return int(whole or 0) + int(top) / int(bottom) if is_mixed else None
    number = parse_number(token, strict=True)
    return None if number is None else float(number)
