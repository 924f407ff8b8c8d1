"""What the next round is told: by candidate and field, what was expected, what came, and where the right value stands.

candidate 1, by codegen, stopped at agreement
  price (12.5 expected, 1250 got) on https://shop.example/p/2, record 0: …
    on the page: json @Product.offers.price: "price": "12,50"
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from crawloop.model.truth import Sample
from crawloop.model.verdict import Finding, Verdict

LONGEST = 8_000
LONGEST_VALUE = 300
FINDINGS_PER_FIELD = 2
FINDINGS_PER_CANDIDATE = 12


def feedback(verdicts: Sequence[Verdict], samples: Sequence[Sample]) -> str:
    """The verdicts of a round as text for a model, at most `LONGEST` characters; empty where there are none."""
    shown = [_candidate(number, one, samples) for number, one in enumerate(verdicts, 1)]
    text = "\n\n".join(shown)
    return text if len(text) <= LONGEST else text[: LONGEST - 2].rstrip() + " …"


def _candidate(number: int, verdict: Verdict, samples: Sequence[Sample]) -> str:
    head = f"candidate {number}, by {verdict.candidate.origin}, " + (
        f"stopped at {verdict.stopped_at}" if verdict.stopped_at else "passed"
    )
    lines = [head]
    right = sorted(name for name, tally in verdict.fields.items() if tally.right and not tally.wrong and not tally.gap)
    if right:
        lines.append(f"  right everywhere: {', '.join(right)}")
    for finding in _telling(verdict.findings):
        lines.append(f"  {_finding(finding)}")
        places = () if _is_kept(finding) else _evidence(finding, samples)
        lines += [f"    on the page: {where}" for where in places]
    return "\n".join(lines)


def _telling(findings: Iterable[Finding]) -> list[Finding]:
    """The fatal ones first, no more than a few of the same field."""
    shown: list[Finding] = []
    counts: dict[str | None, int] = {}
    for one in sorted(findings, key=lambda one: not one.fatal):
        counts[one.field] = counts.get(one.field, 0) + 1
        if one.field is None or counts[one.field] <= FINDINGS_PER_FIELD:
            shown.append(one)
    return shown[:FINDINGS_PER_CANDIDATE]


def _finding(one: Finding) -> str:
    parts = [f"[{one.gate}]"]
    if one.field:
        parts.append(f"{one.field}:")
    if _is_kept(one):
        return " ".join((*parts, "does not hold on a page that is kept from you: read it by what all pages share"))
    parts.append(one.message)
    if one.field and one.expected is not None:
        parts.append(f"(expected {value(one.expected)}, got {value(one.got)})")
    if one.line is not None:
        parts.append(f"at line {one.line}")
    if one.url:
        parts.append(f"on {one.url}" + (f", record {one.record}" if one.record is not None else ""))
    return " ".join(parts)


def _is_kept(finding: Finding) -> bool:
    """Whether it tells right values of a page that must stay unseen, or it could judge no later program."""
    return finding.gate == "unseen" and finding.expected is not None


def _evidence(finding: Finding, samples: Sequence[Sample]) -> list[str]:
    """Where the right value of the finding's field stands on its page: at most two places."""
    for sample in samples:
        if sample.truth is None or finding.field is None or sample.page.url != finding.url:
            continue
        index = finding.record or 0
        if index < len(sample.truth.records) and finding.field in sample.truth.records[index]:
            claim = sample.truth.records[index][finding.field]
            return [f"{one.carrier} {one.path}: {_short(one.snippet)}".replace("  ", " ") for one in claim.evidence[:2]]
    return []


def value(held: Any) -> str:
    """A value as JSON, shortened where it is long."""
    return _short(json.dumps(held, ensure_ascii=False, default=str))


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_VALUE else flat[: LONGEST_VALUE - 1] + "…"
