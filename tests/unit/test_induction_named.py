"""Fields of which no sample has a value, read by a label or heading of their name where the others are."""

import json

from crawloop.model.kind import Field, Kind
from tests.fakes.listings import proposed
from tests.fakes.listings import read as rows_of
from tests.fakes.listings import sample as listing
from tests.unit.test_induction_cases import TITLE, learned, propose, read, sample

OWNER, OPENED, CLOSED = Field("owner"), Field("opened", Kind.DATE), Field("closed_on", Kind.DATE)
FIELDS = (TITLE, OWNER, OPENED, CLOSED, Field("remark"))
SHOWN = [("Leaking roof", "Ana Roe", "03/17/2024"), ("Broken lift", "Ben Poe", "04/02/2024")]


def case(title, owner, opened, more=""):
    return f"<h1>{title}</h1><dl><dt>Owner:<dd>{owner}<dt>Opened:<dd>{opened}{more}</dl><p>Case of the city</p>"


def cases(more=""):
    return [sample(n, case(*one, more), title=one[0], owner=one[1], opened=iso(one[2])) for n, one in enumerate(SHOWN)]


def iso(day):
    month, day, year = day.split("/")
    return f"{year}-{month}-{day}"


def test_a_label_of_the_field_s_name_is_read_where_others_are_called_by_theirs():
    other = case("Wet wall", "Cy Low", "05/06/2024", "<dt>Closed on:<dd>06/07/2024<dt>Remark:<dd>Painted")
    got = read(learned(cases(), *FIELDS), other)
    assert (got["closed_on"], got["remark"]) == ("2024-06-07", "Painted")
    plain = read(learned(cases(), *FIELDS), case("Wet wall", "Cy Low", "05/06/2024"))
    assert (plain["closed_on"], plain["remark"]) == (None, None)


def test_what_a_sample_has_under_the_name_and_nobody_calls_the_field_s_is_not_read():
    found = propose(cases("<dt>Remark:<dd>Painted"), *FIELDS)
    assert found.fields == {"title", "owner", "opened", "closed_on"}


def test_one_word_that_is_the_name_of_a_field_is_no_custom():
    some = [sample(n, case(*one), title=one[0], owner=one[1]) for n, one in enumerate(SHOWN)]
    assert propose(some, *FIELDS).fields == {"title", "owner"}


def test_two_words_that_are_the_name_of_a_field_are_one():
    more = "<dt>Closed on:<dd>{}"
    days = ["05/27/2024", "06/18/2024"]
    some = [
        sample(n, case(*one, more.format(day)), title=one[0], closed_on=iso(day))
        for n, (one, day) in enumerate(zip(SHOWN, days, strict=True))
    ]
    other = case("Wet wall", "Cy Low", "05/06/2024", "<dt>Remark:<dd>Painted")
    assert read(learned(some, *FIELDS), other)["remark"] == "Painted"


def test_a_column_of_the_field_s_name_is_read_where_others_are_called_by_theirs():
    def table(note, *rows):
        heads = f"<tr><th>Title</th><th>Code</th><th>{note}</th></tr>"
        return f"<table>{heads}{''.join(f'<tr><td>{a}</td><td>{b}</td><td>{c}</td></tr>' for a, b, c in rows)}</table>"

    shown = [("Amber Lamp", "A-12", ""), ("Birch Table", "B-7", ""), ("Copper Kettle", "C-33", "")]
    found = proposed(listing(table("", *shown), [{"title": a, "code": b} for a, b, _ in shown]), untaught=["note"])
    assert rows_of(found, table("Note", ("Elm Shelf", "E-5", "On loan"), ("Felt Rug", "F-9", ""))) == [
        {"title": "Elm Shelf", "code": "E-5", "note": "On loan"},
        {"title": "Felt Rug", "code": "F-9", "note": None},
    ]


TOLD, NOTES = Field("summary", many=True), Field("image_captions", many=True)
STORY = (TITLE, Field("author"), TOLD, NOTES)


def story(number, description, shown, captions=()):
    """A page with an article in JSON-LD, and how it shows what that says of itself."""
    images = [{"@type": "ImageObject", "caption": one} for one in captions]
    said = {"@type": "Article", "headline": f"Story {number}", "author": {"name": f"Ana {number}"}}
    told = json.dumps({**said, "description": description, "image": images})
    return f'<script type="application/ld+json">{told}</script><h1>Story {number}</h1><b>Ana {number}</b>{shown}'


def learned_story(description, shown, **others):
    page = story(1, description, shown, others.pop("captions", ()))
    return learned([sample(1, page, title="Story 1", author="Ana 1", **others)], *STORY)


SENTENCE = "Nobody in the valley knows who has built the long bridge."
ANOTHER = "The ferry stays on its side while the river is high."


def test_a_sentence_that_markup_tells_and_the_page_shows_as_a_line_is_a_list_of_one():
    for shown in (f"<p>{SENTENCE}</p>", f"<div><p><span>{SENTENCE}</span></p><p>More.</p></div>"):
        got = read(learned_story(SENTENCE, shown), story(2, ANOTHER, f"<p>{ANOTHER}</p>"))
        assert got["summary"] == [ANOTHER]


def test_what_the_page_shows_otherwise_or_another_field_says_is_no_list_of_one():
    apart = (
        "",
        f"<p><b>Bern.</b> <span>{SENTENCE}</span></p>",
        f"<figure><figcaption>{SENTENCE}</figcaption></figure>",
        f"<h2>{SENTENCE}</h2>",
        SENTENCE.replace(" who", "<br>who").join(("<p>", "</p>")),
    )
    for shown in apart:
        assert "summary" not in read(learned_story(SENTENCE, shown), story(2, ANOTHER, f"<p>{ANOTHER}</p>"))
    said = learned_story(SENTENCE, f"<p>{SENTENCE}</p>", image_captions=[SENTENCE])
    assert "summary" not in read(said, story(2, ANOTHER, f"<p>{ANOTHER}</p>"))


def test_a_name_that_markup_tells_may_be_several():
    assert "summary" not in read(
        learned_story("Long bridge", "<p>Long bridge</p>"), story(2, ANOTHER, f"<p>{ANOTHER}</p>")
    )


def test_what_several_objects_of_a_list_say_alike_is_told_once():
    two = ("The bridge at noon.", "The bridge at night.")
    got = read(learned_story("", "", captions=two), story(2, "", "", ("A ferry.", "A ferry.", "A quay.")))
    assert got["image_captions"] == ["A ferry.", "A quay."]


def test_a_film_on_a_page_that_says_as_much_as_its_story_is_not_what_the_page_is_about():
    def page(number, sentence):
        film = {"@type": "VideoObject", "name": f"Story {number}", "description": "A film of a bridge and of a ferry."}
        return f'<script type="application/ld+json">{json.dumps(film)}</script>' + story(
            number, sentence, f"<p>{sentence}</p>"
        )

    plan = learned([sample(1, page(1, SENTENCE), title="Story 1")], *STORY)
    assert read(plan, page(2, ANOTHER))["summary"] == [ANOTHER]


def test_what_the_object_of_most_fields_lacks_is_read_from_another_of_the_same_thing():
    def page(number, sentence):
        told = json.dumps({"@type": "Report", "headline": f"Story {number}", "description": sentence})
        marked = f'<h1 itemprop="headline">Story {number}</h1><b itemprop="author">Ana {number}</b>'
        about = f'<article itemscope itemtype="https://schema.org/Article">{marked}<p>{sentence}</p></article>'
        return f'<script type="application/ld+json">{told}</script>{about}'

    plan = learned([sample(1, page(1, SENTENCE), title="Story 1", author="Ana 1")], *STORY)
    assert read(plan, page(2, ANOTHER))["summary"] == [ANOTHER]
