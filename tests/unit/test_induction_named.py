"""Fields of which no sample has a value, read by a label or heading of their name where the others are."""

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
