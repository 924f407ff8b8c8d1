"""Lists of texts of which the elements stand among others that the labels leave out."""

import pytest

from crawloop.extract.reading import printed
from crawloop.extract.view import PageView
from crawloop.model.kind import Field
from tests.unit.test_induction_cases import TITLE, learned, propose, read, sample

PARAGRAPHS = Field("paragraphs", many=True)
SHOWN = ("Ana crossed the bridge.", "Ben stayed at home.", "Cy sold the ferry.", "Nobody came back.")
OTHER = ("Rain fell all day.", "The river rose.", "Two boats sank.", "Ducks did well.")


def page(texts, more, before=False):
    lines = [f"<p>{one}</p>" for one in texts]
    lines.insert(0 if before else 2, more)
    return f"<h1>{texts[0]}</h1><main>{''.join(lines)}</main>"


@pytest.mark.parametrize(
    ("left_out", "there"),
    [
        ("<p><b>Read also: </b><a href=/1>Ten bridges</a></p>", "<p><i>With reports by agencies</i></p>"),
        ("<p>See <b>also <a href=/1>ten bridges</a></b></p>", "<p>See <b>also <a href=/2>nine boats</a></b></p>"),
        ("<p><img src=/1.png>Ana on the bridge</p>", "<p><img src=/2.png>A duck</p>"),
        ("<p class=note>Corrected today</p>", "<p class=note>A boat was added</p>"),
    ],
)
def test_what_the_labels_leave_out_among_the_elements_is_left_out_where_it_is_told_apart(left_out, there):
    plan = learned([sample(1, page(SHOWN, left_out), title=SHOWN[0], paragraphs=[*SHOWN])], TITLE, PARAGRAPHS)
    assert read(plan, page(OTHER, there))["paragraphs"] == [*OTHER]


def test_what_leads_in_is_left_out_where_the_labels_begin_behind_it():
    plan = learned(
        [
            sample(
                1,
                page(SHOWN, "<p>Far away, where the hills are green, nobody works.</p>", before=True),
                title=SHOWN[0],
                paragraphs=[*SHOWN],
            )
        ],
        TITLE,
        PARAGRAPHS,
    )
    assert read(plan, page(OTHER, "<p>Near by, on the flat and dusty land, all do.</p>", before=True))[
        "paragraphs"
    ] == [*OTHER]


def test_what_nothing_tells_apart_is_not_left_out():
    found = propose([sample(1, page(SHOWN, "<p>Why?</p>"), title=SHOWN[0], paragraphs=[*SHOWN])], TITLE, PARAGRAPHS)
    assert found.fields == {"title"}


def test_what_stands_elsewhere_does_not_say_what_is_left_out():
    links = "".join(f"<p><a href=/{one}>{one}</a></p>" for one in range(3))
    parted = "<main><section>{}<p>{}</p><p>{}</p></section>{}<section><p>{}</p><p>{}</p></section></main>"
    shown = f"<h1>Bridge</h1>{parted.format('<h2>One</h2>', *SHOWN[:2], links, *SHOWN[2:])}"
    for one in learned([sample(1, shown, title="Bridge", paragraphs=[*SHOWN])], TITLE, PARAGRAPHS).fields.values():
        assert "bare=True" not in printed(one.expression)


def test_elements_without_a_word_of_their_own_are_left_out_of_bare_texts():
    view = PageView("<p>One <a>two</a></p><p><b>Three</b> <a>four</a></p><p><i>*</i></p><p>Five</p>")
    assert view.texts("p", bare=True) == ["One two", "Five"]
    assert view.texts("p", bare=True, plain=True) == ["One two", "Five"]


def test_plain_texts_are_none_where_one_has_no_word_of_its_own():
    texts = "<p>One <a>two</a></p><p><b>Read also:</b> <a>four boats</a></p>"
    assert PageView(texts).texts("p", plain=True) == []
    assert PageView(texts.replace("<b>", "<span>")).texts("p", plain=True) == ["One two", "Read also: four boats"]


def test_bare_texts_are_none_where_one_is_a_link_for_the_most_part():
    texts = "<p>One <a>two</a> three</p><p>See <a>four boats on the river</a></p>"
    assert PageView(texts).texts("p", bare=True) == []


def test_a_heading_ahead_is_nothing_that_leads_in():
    shown = [f"<h3>{one}</h3>" for one in ("For our readers", *SHOWN[:3])]
    html = f"<h1>Bridge</h1><main>{'<p>Some words.</p>'.join(shown)}</main>"
    found = propose([sample(1, html, title="Bridge", headings=[*SHOWN[:3]])], TITLE, Field("headings", many=True))
    assert found.fields == {"title"}


def test_lists_whose_labels_drop_the_breaks_of_lines_are_read_so():
    shown = ("Ana crossed.<br>Ben stayed.", "Cy sold the ferry.", "Nobody came.")
    texts = [one.replace("<br>", "") for one in shown]
    plan = learned([sample(1, page(shown, ""), title="Ana crossed. Ben stayed.", paragraphs=texts)], TITLE, PARAGRAPHS)
    assert read(plan, page(("Rain.<br>Wind.", "The 1<br>2 boats."), ""))["paragraphs"] == [
        "Rain.Wind.",
        "The 12 boats.",
    ]
