"""The printed program and the plan are one thing; healing keeps what still stands; big pages stay cheap."""

import asyncio
import time

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crawloop.contract import Brief
from crawloop.errors import StrategyDeclined
from crawloop.extract import transforms
from crawloop.extract.plan import Plan
from crawloop.extract.view import PageView
from crawloop.model.family import Version
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Sample, Truth
from crawloop.strategy.induction import Induction

FIELDS = (
    Field("title"),
    Field("price", Kind.MONEY),
    Field("published", Kind.DATE),
    Field("tags", many=True),
    Field("link", Kind.URL),
    Field("total_time", Kind.DURATION, unit="minutes"),
)
URL = "https://shop.example/p"


def sample(url, html, values):
    return Sample(Page(url, html), Truth(url, ({name: Claim(value, ("x",)) for name, value in values.items()},)))


def propose(samples, active=None):
    return asyncio.run(Induction().propose(Brief("shop", Schema("Item@1", FIELDS), tuple(samples), active=active)))[0]


words = (
    st.text("abcdefghij klmnop", min_size=3, max_size=18)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: len(text) > 2)
)


@st.composite
def pages(draw):
    title, tags = draw(words), draw(st.lists(words, min_size=1, max_size=4, unique=True))
    price = draw(st.integers(1, 99_999)) / 100
    day, minutes = draw(st.dates()).isoformat(), draw(st.integers(1, 600))
    items = "".join(f"<li class=tag>{one}</li>" for one in tags)
    html = (
        f"<h1>{title}</h1><b class=price>EUR {price:.2f}</b><time datetime='{day}'>then</time><ul>{items}</ul>"
        f"<a class=more href='/x/{len(title)}'>more</a><dl><dt>Total time</dt><dd>{minutes} min</dd></dl>"
    )
    values = {"title": title, "price": price, "published": day, "tags": tags, "total_time": minutes}
    return html, values | {"link": f"https://shop.example/x/{len(title)}"}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(pages(), min_size=3, max_size=4))
def test_the_program_returns_what_the_plan_reads(drawn):
    samples = [sample(f"{URL}/{number}", html, values) for number, (html, values) in enumerate(drawn)]
    try:
        candidate = propose(samples[:-1])
    except StrategyDeclined:
        return
    space = {name: getattr(transforms, name) for name in transforms.__all__}
    exec(candidate.source, space)
    plan = Plan.loads(candidate.plan)
    for one in samples:
        view = PageView(one.page.html, one.page.url)
        assert space["extract"](view) == plan.read(view)
    for one in samples[:-1]:
        got = plan.read(PageView(one.page.html, one.page.url))[0]
        right = one.truth.values()[0]
        wrong = {name for name, value in got.items() if value is not None and name in right and value != right[name]}
        assert not wrong


OLD = "<h1 class=name>{}</h1><p class=cost>{} €</p><ul class=old><li class=label>{}</li></ul>"
NEW = "<h1 class=name>{}</h1><div data-qa=amount>Price: {} €</div><ul class=old><li class=label>{}</li></ul>"


def test_healing_keeps_what_known_values_confirm_and_looks_anew_for_what_broke():
    first = {"title": "Red chair", "price": 19.5, "tags": ["oak chairs"]}
    other = {"title": "Blue stool", "price": 140.25, "tags": ["metal stools"]}
    old = propose(
        [
            sample(f"{URL}/1", OLD.format("Red chair", "19,50", "oak chairs"), first),
            sample(f"{URL}/2", OLD.format("Blue stool", "140,25", "metal stools"), other),
        ]
    )
    active = Version("shop", 1, old.source, old.origin, "Item@1", 1, "", plan=old.plan)
    known = {"title": "Red chair", "price": 19.5}
    healed = propose([sample(f"{URL}/1", NEW.format("Red chair", "19,50", "oak chairs"), known)], active)
    before, after = Plan.loads(old.plan), Plan.loads(healed.plan)
    assert after.fields["title"].readers[0] == before.fields["title"].readers[0]
    assert after.fields["tags"] == before.fields["tags"]
    page = PageView(NEW.format("Green table", "33,10", "glass tables"), f"{URL}/3")
    got = after.read(page)[0]
    assert (got["title"], got["price"], got["tags"]) == ("Green table", 33.1, ["glass tables"])
    assert "active version" in healed.notes["tags"][0]


def test_five_large_pages_are_learned_in_reasonable_time():
    filler = "".join(f"<div class='row r{n % 7}'><p>Text {n} of many</p><span>{n}</span></div>" for n in range(3000))
    samples = [
        sample(
            f"{URL}/{n}",
            f"<h1>Chair number {n}00</h1>{filler}<b class=price>EUR {n}1.50</b>",
            {"title": f"Chair number {n}00", "price": n * 10 + 1.5},
        )
        for n in range(1, 6)
    ]
    began = time.process_time()
    candidate = propose(samples)
    assert time.process_time() - began < 8
    assert candidate.fields == {"title", "price"}
