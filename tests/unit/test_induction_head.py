"""What the head says under a key, wherever a template writes it; it is fallen back on where it names the field."""

from crawloop.extract.reading import Read
from crawloop.model.kind import Field, Kind
from crawloop.model.page import Page
from crawloop.model.truth import MARKUP, PERSON, Claim, Sample, Truth
from tests.unit.test_induction_cases import TITLE, URL, learned, read, sample

AUTHOR, DAY = Field("author"), Field("publishing_date", Kind.DATE)
JSON = '<script type="application/ld+json">{{"@type": "Article", "headline": "{}"}}</script>'


def head(key, said, by="property", says="content"):
    return f'<meta {by}="{key}" {says}="{said}">'


def test_a_key_of_a_vocabulary_is_read_by_whichever_attributes_name_it_and_say_it():
    plan = learned([sample(1, head("article:author", "Ana Roe"), author="Ana Roe")], AUTHOR)
    assert plan.fields["author"].readers[0] == Read("meta", ("article:author",))
    for by in ("property", "name"):
        for says in ("content", "value"):
            assert read(plan, head("article:author", "Ben Poe", by, says)) == {"author": "Ben Poe"}
    assert read(plan, head("article:author:url", "Ben Poe")) == {"author": None}


def test_a_bare_key_is_read_where_it_was_seen():
    plan = learned([sample(1, head("author", "Ana Roe"), author="Ana Roe")], AUTHOR)
    assert read(plan, head("author", "Ben Poe")) == {"author": "Ben Poe"}
    assert read(plan, head("author", "The Editors", "name")) == {"author": None}


def test_all_that_the_head_says_under_a_key_is_a_list():
    topics = Field("topics", many=True)
    tags = head("article:tag", "Seas") + head("article:tag", "Winds")
    plan = learned([sample(1, tags, topics=["Seas", "Winds"])], topics)
    other = (
        head("article:tag", "Tides", "name") + head("article:tag", "Moons", "name") + head("article:tag", "", "name")
    )
    assert read(plan, other) == {"topics": ["Tides", "Moons"]}


def test_what_the_head_calls_something_else_is_nothing_to_fall_back_on():
    def page(author, key):
        said = f'{{"@type": "Article", "author": {{"name": "{author}"}}}}' if author else "{}"
        return head(key, "Harbour Post") + f'<script type="application/ld+json">{said}</script><h1>News</h1>'

    def plan(key):
        return learned([sample(1, page("Harbour Post", key), author="Harbour Post")], AUTHOR)

    assert read(plan("article:author"), page("", "article:author")) == {"author": "Harbour Post"}
    assert read(plan("og:site_name"), page("", "og:site_name")) == {"author": None}


def test_a_dear_reading_is_fallen_back_on_where_its_place_is_called_as_the_field_is():
    def page(day, name, in_head=True):
        shown = f'<div id="{name}"><p>Harbour desk</p><time>{day}</time></div>'
        return (head("article:published_time", day) if in_head else "") + f"<nav><time>10:30</time></nav>{shown}"

    def plan(name):
        return learned([sample(1, page("2024-03-17", name), publishing_date="2024-03-17")], DAY)

    assert read(plan("publication-date"), page("2024-04-02", "publication-date", False)) == {
        "publishing_date": "2024-04-02"
    }
    assert read(plan("infobox"), page("2024-04-02", "infobox", False)) == {"publishing_date": None}


def test_what_the_markup_alone_told_is_null_where_readings_of_it_differ():
    def page(title, heading):
        return JSON.format(title) + f"<h1>{heading}</h1>"

    def plan(witness):
        claim = Claim("High seas", (witness,))
        truth = Truth(URL.format(1), ({"title": claim},))
        return learned([Sample(Page(URL.format(1), page("High seas", "High seas")), truth)], TITLE)

    assert read(plan(MARKUP), page("Low winds", "Low winds")) == {"title": "Low winds"}
    assert read(plan(MARKUP), page("Five tips for sailors", "Low winds")) == {"title": None}
    assert read(plan(PERSON), page("Low winds of May", "Low winds")) == {"title": "Low winds of May"}
