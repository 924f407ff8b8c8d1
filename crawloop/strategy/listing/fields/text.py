"""Texts in rows beside the texts that are wanted: what stands before and after the value is compared over all rows.

    "2013-0354, Ettinger v. Pomeroy"   →  "2013-0354"      up to ","
    "State v. Stokes, (94PA13-2)"      →  "94PA13-2"       between "(" and ")"
    "2D13-61 / Smith v. State"         →  "Smith v. State" after what looks like a code

What they share marks where the value starts and ends.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from crawloop.extract.reading import Table
from crawloop.extract.transforms import without
from crawloop.strategy.shaping.marks import parting
from crawloop.strategy.shaping.rewriting import rewritten
from crawloop.strategy.shaping.shape import SENTENCE, Shape, step
from crawloop.values import fold

Pair = tuple[str, str]

_SEPARATORS = (" / ", "/", " - ", " – ", " | ", ", ", ",", "; ", ": ", " · ", " • ")
_ENOUGH = 0.6
_EDITED = 0.3
_FEW = 3  # texts of which what they share may be theirs alone
_LONGEST_MARK = 25
_MOST_LABELS = 12
_SPARE = 0.3  # what it costs a map that several texts mean the same label: others may mean it too
_INSIDE = 0.3  # what it costs to cut inside a word
_MOST_FORMS = 4
_MOSTLY = 0.75
_END = ":?$"  # the end of a text, which may be a heading that leads to what follows it
BEFORE, AFTER = r"(?<![\w-])", r"(?![\w-])"  # around a whole code: the start of "94PA13-2" is none
_PART = 0.05  # what it costs a code that it may be a part of a longer one


def of_text(pairs: Sequence[Pair]) -> Iterator[Shape]:
    """Chains of (text as it is read, text that is wanted) that may fit most pairs."""
    found = [(around, value) for raw, value in pairs if (around := _around(raw, value)) is not None]
    edits = [*_ends(pairs), *_edits([(around[2], value) for around, value in found])]
    yield from edits
    for one in _cuts(pairs, [around for around, _ in found]):
        yield one
        for edit in edits:
            yield Shape((*one.steps, *edit.steps), one.cost + edit.cost)


def _ends(pairs: Sequence[Pair]) -> Iterator[Shape]:
    """Signs that are left out where a text starts or ends with them: "B-Z-R-," for "B-Z-R"."""
    wanted = [" ".join(value.split()) for _, value in pairs]
    heads, tails = set[str](), set[str]()
    for (raw, _), value in zip(pairs, wanted, strict=True):
        before, found, after = raw.partition(value)
        if found and value and not any(map(str.isalnum, before + after)):
            heads.update("".join(before.split()))
            tails.update("".join(after.split()))
    heads -= {one[0] for one in wanted if one}
    tails -= {one[-1] for one in wanted if one}
    if heads or tails:
        first, last = (rf"[{re.escape(''.join(sorted(one)))}\s]*" if one else "" for one in (heads, tails))
        yield Shape((step("match", f"^{first}(.+?){last}$"),), 0.12)


def _edits(pairs: Sequence[Pair]) -> Iterator[Shape]:
    """A word that is always written otherwise, "v" for "v."; signs that are always left out, "#" and ";"."""
    signs = {sign for raw, _ in pairs for sign in raw if not sign.isalnum() and not sign.isspace()}
    dropped = {sign for sign in signs if not any(sign in raw and sign in value for raw, value in pairs)}
    spare = "".join(sorted(dropped))
    if spare and any(fold(without(raw, spare) or "") == fold(value) != fold(raw) for raw, value in pairs):
        yield Shape((step("without", spare),), 0.15)
    counts: Counter[Pair] = Counter()
    for raw, value in pairs:
        there, wanted = raw.split(), value.split()
        if len(there) == len(wanted):
            counts.update({(a.casefold(), b) for a, b in zip(there, wanted, strict=True) if fold(a) != fold(b)})
    for (word, by), count in counts.most_common(1):
        if count >= _EDITED * len(pairs) and count > 1:
            yield Shape((step("replaced", word, by),), 0.3)


def _cuts(pairs: Sequence[Pair], around: Sequence[tuple[str, str, str]]) -> Iterator[Shape]:
    yield from _mapped(pairs)
    yield from _worded(pairs)
    yield from {one.steps: one for raw, value in pairs for one in rewritten(raw, value)}.values()
    if len(around) < _ENOUGH * len(pairs) or all(not before and not after for before, after, _ in around):
        return
    marks = Counter(filter(None, (parting(before, after) for before, after, _ in around)))
    for sep in dict.fromkeys((*(one for one, _ in marks.most_common(2)), *_SEPARATORS)):
        yield from _parted(sep, pairs)
    cut = [(before, after, text) for before, after, text in around if (before + after).strip()]
    if sum(not before and after[:1].isspace() and text[-1:] in ".!?" for before, after, text in cut) * 2 > len(cut):
        yield Shape((step("match", SENTENCE),), 0.3)
    heads, tails = list(_heads([one[0] for one in around])), list(_tails([one[1] for one in around]))
    if not any(one[2].endswith(":") for one in around):
        tails = [(_END if tail == "$" else tail, cost) for tail, cost in tails]
    body = pattern_of([one[2] for one in around])
    for head, cost in heads:
        for tail, more in tails:
            yield from _between(head, tail, cost + more)
    for before, after, doubt in ((BEFORE, AFTER, 0.0), ("", "", _PART)) if body else ():
        yield Shape((step("match", f"{before}({body}){after}"),), 0.45 + doubt)
        yield Shape((step("match", f"^.*{before}({body}){after}"),), 0.55 + doubt)
        for head, cost in heads:
            if head:
                yield Shape((step("match", f"{head}({body}){after}"),), 0.4 + cost + doubt)


def _between(head: str, tail: str, cost: float) -> Iterator[Shape]:
    pattern = f"{head}(.+?){tail}" if tail else f"{head}(.+)"
    if head or tail:
        yield Shape((step("match", pattern),), 0.35 + cost)
        if tail and tail not in ("$", _END) and head in ("", "^"):
            yield Shape((step("match", f"^(.+){tail}"),), 0.4 + cost)


def _around(raw: str, value: str) -> tuple[str, str, str] | None:
    """What stands before and after the value, and the value as it stands there."""
    plain = " ".join(value.split())
    word = re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", raw)
    at = word.start() if word else raw.find(plain)
    at = raw.casefold().find(plain.casefold()) if at < 0 else at
    if at < 0:
        words = re.findall(r"\w+", plain)
        inner = r"[\W_]+".join(map(re.escape, words))
        first, last = (re.escape(plain[at]) + "?" if plain and not plain[at].isalnum() else "" for at in (0, -1))
        found = re.search(f"{first}{inner}{last}", raw, re.I) if 0 < len(words) <= 60 else None
        return (raw[: found.start()], raw[found.end() :], found[0]) if found else None
    return raw[:at], raw[at + len(plain) :], raw[at : at + len(plain)]


def _heads(befores: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Patterns of what stands before: nothing, the same words, the same mark, texts of one shape."""
    some = [one for one in befores if one.strip()]
    if len(some) * 2 <= len(befores):
        yield "^", 0.0
    if not some:
        return
    most, count = Counter(some).most_common(1)[0]
    if count >= _ENOUGH * len(some) and len(most) <= 2 * _LONGEST_MARK:
        label = words(most)
        label = f"(?i:{label})" if re.search(r"[^\W\d_]{2}", most) else f"(?:{label})"  # "No." and "NO."
        yield f"^{label}", 0.05
        if len(some) < len(befores):
            yield f"^{label}?", 0.1
    mark = _whole(_shared([one[::-1] for one in some])[::-1][-_LONGEST_MARK:], some)
    for one in dict.fromkeys((mark, mark[-1:] if mark.strip() else "", mark.strip()[-1:])):
        if one.strip() and not (one.isalnum() and len(one) < 3):
            yield words(one), 0.1 if len(one.strip()) > 1 else 0.15
            yield f"^.*{words(one)}", 0.25
    shape = pattern_of([one.strip() for one in some])
    if shape:
        yield f"^{shape}\\s*", 0.15
    first = pattern_of([one.split()[0] for one in some])
    if first and all(len(one.split()) == 1 for one in some):
        yield f"^{first}\\s+", 0.2
    if all(len(one.split()) == 1 for one in some):
        yield r"^\S+\s+", 0.25


def _whole(mark: str, befores: Sequence[str]) -> str:
    """A mark less the end of longer words that it starts with: ".html#" of "rule.html#" and "notice.html#"."""
    ends_words = bool(mark) and any(one[: -len(mark)][-1:].isalnum() for one in befores)
    return re.sub(r"\A[^\W_]+", "", mark) if ends_words else mark


def _tails(afters: Sequence[str]) -> Iterator[tuple[str, float]]:
    some = [one for one in afters if one.strip()]
    if len(some) < len(afters):
        yield "$", 0.0
    if not some:
        return
    mark = _shared(some)[:_LONGEST_MARK]
    if len(set(some)) < _FEW:
        mark = "".join(re.findall(r"\A\s*[^\w\s]*\w*", mark))
    for one in dict.fromkeys((mark, mark.rstrip(), mark[:2].rstrip(), mark[:1].strip())):
        if one.strip():
            pattern = words(one)
            cost = 0.1 + (_INSIDE if one[0].isalnum() else 0.0)
            yield pattern, cost
            if len(some) < len(afters):
                yield f"(?:{pattern}|$)", cost
    marks = Counter(found[0] for one in some if (found := re.match(r"\s*[^\w\s]|\s+\w+", one)))
    for one, count in marks.most_common(2):
        if count >= _ENOUGH * len(some) and one != mark:
            yield f"(?:{words(one)}|$)", 0.15
    shape = pattern_of([one.strip() for one in some])
    if shape:
        yield f"\\s*{shape}$", 0.2


def words(text: str) -> str:
    """A pattern of these words with any white space between them, and any figures for figures.

    A word that white space parts from what is beside it is no part of a longer one: "Lot 4", and not "Lots 4".
    """
    inner = re.sub(r"\d+", r"\\d+", r"\s+".join(map(re.escape, text.split())))
    first, last = (one.isalnum() for one in (text.strip()[:1], text.strip()[-1:]))
    before = (r"\s+" if first else r"\s*") if text[:1].isspace() else ""
    after = (r"\s+" if last else r"\s*") if text[-1:].isspace() else "" if last else r"\s*"
    return before + inner + after


def _parted(sep: str, pairs: Sequence[Pair]) -> Iterator[Shape]:
    """A part of a text that one sign parts, by its place from either end."""
    places: Counter[int] = Counter()
    coded = pattern_of([value for _, value in pairs]) is not None  # its form is surer than its place
    for raw, value in pairs:
        parts = [part for one in raw.split(sep) if (part := fold(one))]
        wanted = fold(value)
        if len(parts) > 1 and wanted in parts:
            at = parts.index(wanted)
            places.update({at, at - len(parts)})
    for place, count in places.most_common(2):
        if count >= _ENOUGH * len(pairs):
            doubt = 0.3 * (sep == ": ") + 0.1 * (place not in (0, -1)) + 0.2 * coded
            yield Shape((step("split", sep), step("at", place)), 0.3 + doubt)


def _mapped(pairs: Sequence[Pair]) -> Iterator[Shape]:
    """A few labels that always mean the same."""
    table: dict[str, Counter[str]] = {}
    for raw, value in pairs:
        table.setdefault(fold(raw), Counter())[value] += 1
    if not 2 <= len(table) <= _MOST_LABELS or len(pairs) < 3 * len(table):
        return
    if all(len(counts) == 1 for counts in table.values()) and len({next(iter(one)) for one in table.values()}) > 1:
        said = Table(tuple((raw, next(iter(counts))) for raw, counts in sorted(table.items())))
        spare = len(table) - len({next(iter(one)) for one in table.values()})
        yield Shape((step("labels", said),), 1.0 + _SPARE * spare)


def _worded(pairs: Sequence[Pair]) -> Iterator[Shape]:
    """Fixed words around what stands there: "4" is "4 servings"."""
    ends: Counter[tuple[str, str]] = Counter()
    for raw, value in pairs:
        at = value.find(raw) if raw else -1
        if at >= 0 and raw != value:
            ends[value[:at], value[at + len(raw) :]] += 1
    for (before, after), count in ends.most_common(1):
        if count >= _ENOUGH * len(pairs) and len(before) + len(after) <= _LONGEST_MARK:
            steps = ([step("prefix", before)] if before else []) + ([step("suffix", after)] if after else [])
            yield Shape(tuple(steps), 0.5)


def pattern_of(values: Sequence[str]) -> str | None:
    """A pattern of codes like "2D13-61": runs of digits and letters with the signs between; None for plain words.

    Forms that are rare among many are left out: null is better than a guess.
    """
    forms: Counter[str] = Counter()
    for value in values:
        if 2 < len(value) <= 40 and re.search(r"\d", value):
            forms[_form(value)] += 1
    common = [form for form, count in forms.most_common(_MOST_FORMS) if count > 1 or len(values) < 12]
    if sum(forms[form] for form in common) < _MOSTLY * len(values) or not common:
        return None
    return common[0] if len(common) == 1 else f"(?:{'|'.join(sorted(common, key=len, reverse=True))})"


def _form(value: str) -> str:
    parts = []
    for run in re.findall(r"\d+|[A-Za-z]+|\s+|.", value):
        if run.isdigit():
            parts.append(r"\d+")
        elif run.isalpha():
            parts.append("[A-Za-z]+")
        else:
            parts.append(r"\s+" if run.isspace() else re.escape(run))
    return "".join(parts)


def _shared(texts: Sequence[str]) -> str:
    """What all the texts start with."""
    low, high = min(texts), max(texts)
    end = next((at for at, sign in enumerate(low) if at == len(high) or sign != high[at]), len(low))
    return low[:end]
