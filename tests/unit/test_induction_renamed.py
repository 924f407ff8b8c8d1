"""Fields of which history remembers a value that is gone: read in the head, under the name of the old place."""

from crawloop.extract.plan import Plan
from crawloop.model.family import Version
from crawloop.model.kind import Field, Kind
from crawloop.model.page import Page
from crawloop.model.truth import Claim, Conflict, Sample, Truth
from tests.unit.test_induction_cases import propose, read, sample

URL = "https://news.example/1"
FIELDS = Field("headline"), Field("lead_image", Kind.URL), Field("desk")
OLD = (
    '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Harbour to reopen in spring, city says",'
    '"image": {"url": "https://cdn.example/small/1.jpg"}, "articleSection": "Metro"}</script>'
)
NEW = (
    '<meta property="og:headline" content="Harbour to reopen in autumn, city says"><p class="desk">Metro</p>'
    '<meta name="twitter:image" content="https://cdn.example/square/1.jpg">'
    '<meta property="og:image" content="https://img.example/wide/1.jpg">'
)
REMEMBERED = {
    "headline": "Harbour to reopen in spring, city says",
    "lead_image": "https://cdn.example/small/1.jpg",
    "desk": "Metro",
}


def healed(new: str):
    old = propose([sample(1, OLD, **REMEMBERED)], *FIELDS)
    active = Version("news", 1, old.source, old.origin, "Item@1", 1, "", plan=old.plan)
    claims = {name: Claim(one, ("history",), supported=name == "desk") for name, one in REMEMBERED.items()}
    found = propose([Sample(Page(URL, new), Truth(URL, (claims,)))], *FIELDS, active=active)
    return found, read(Plan.loads(found.plan), new)


def test_an_image_is_read_under_its_old_name_and_a_text_that_is_like_the_old_one() -> None:
    found, record = healed(NEW)
    assert record["lead_image"] == "https://img.example/wide/1.jpg"
    assert record["headline"] == "Harbour to reopen in autumn, city says"
    assert "read under its old name" in found.notes["lead_image"][0]


def test_another_text_under_the_old_name_is_not_taken() -> None:
    _, record = healed(NEW.replace("Harbour to reopen in autumn, city says", "Ten recipes for plums"))
    assert "headline" not in record


def test_what_markup_contradicts_is_remembered_all_the_same() -> None:
    old = propose([sample(1, OLD, **REMEMBERED)], *FIELDS)
    active = Version("news", 1, old.source, old.origin, "Item@1", 1, "", plan=old.plan)
    wide, small = "https://img.example/wide/1.jpg", REMEMBERED["lead_image"]
    differ = Conflict(URL, 0, "lead_image", (("markup", wide), ("history", small)))
    truth = Truth(URL, ({"desk": Claim("Metro", ("history",))},), conflicts=(differ,))
    found = propose([Sample(Page(URL, NEW), truth)], *FIELDS, active=active)
    assert read(Plan.loads(found.plan), NEW)["lead_image"] == wide


def test_a_link_that_the_page_has_yet_is_read_from_its_data_and_no_other_is() -> None:
    small = REMEMBERED["lead_image"]
    moved = f'<script type="application/ld+json">{{"@type": "Story", "image": [{{"url": "{small}"}}]}}</script>'
    _, record = healed(NEW + moved)
    assert record["lead_image"] == small
    _, record = healed(NEW + moved.replace('"image"', '"related"'))
    assert "lead_image" not in record
