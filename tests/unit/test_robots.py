"""robots.txt as RFC 9309 has it; what is fetched, and what is not, is in tests/flow/test_fetch_manners.py."""

import pytest

from crawloop.crawl.fetch.robots import parse

AGENT = "crawloop/0.1 (+https://pypi.org/project/crawloop-extract/)"
FILE = b"""User-agent: *
Disallow: /
User-agent: crawloop
Disallow: /private/
Allow: /private/open
Disallow: /*.pdf$
Crawl-delay: 2.5
"""


@pytest.mark.parametrize(
    ("path", "is_allowed"),
    [("/", True), ("/private/a", False), ("/private/open/a", True), ("/a.pdf", False), ("/a.pdf?x=1", True)],
)
def test_the_group_of_our_own_name_decides(path: str, is_allowed: bool) -> None:
    rules = parse(FILE, AGENT)
    assert rules.can_fetch(f"https://shop.example{path}", AGENT) is is_allowed
    assert rules.crawl_delay(AGENT) == 2.5


def test_without_our_name_the_group_for_all_decides() -> None:
    rules = parse(b"User-agent: other\nDisallow: /\n\nUser-agent: *\nDisallow: /a\n", AGENT)
    assert rules.can_fetch("https://shop.example/b", AGENT)
    assert not rules.can_fetch("https://shop.example/a", AGENT)


def test_what_is_no_robots_file_forbids_nothing() -> None:
    assert parse(b"\xff\xfe<html><body>Welcome", AGENT).can_fetch("https://shop.example/b", AGENT)


def test_wildcards_are_matched_without_going_back() -> None:
    """What froze protego before 0.6.2 (CVE-2026-55520)."""
    rules = parse(b"User-agent: *\nDisallow: /" + b"*1" * 40 + b"*Z\n", AGENT)
    assert rules.can_fetch("https://shop.example/" + "1" * 200, AGENT)


def test_a_hostile_file_is_read_within_the_time_of_a_test() -> None:
    """Rules by agents are 150 million: without care it takes minutes, and gigabytes."""
    agents = "".join(f"User-agent: a{n}\n" for n in range(15_000))
    body = (agents + "User-agent: *\n" + "Disallow: /x*y*z*a*b*c\n" * 10_000).encode()
    assert parse(body, AGENT).can_fetch("https://shop.example/" + "x" * 2_000, AGENT)
