"""Listing induction on small pages: where the fields of a row may stand."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawloop.model.kind import Field, Kind
from crawloop.model.truth import Sample
from crawloop.values import equal
from tests.fakes.listings import proposed, read, sample

NAMES = ["Amber Lamp", "Birch Table", "Copper Kettle", "Daisy Chair", "Elm Shelf", "Felt Rug"]


def check(page: Any, records: Any, known: int = 4) -> None:
    """What is learned from a page with a few entries holds on a page with all of them."""
    found = proposed(sample(page(known), records(known)))
    assert read(found, page(len(NAMES))) == records(len(NAMES))


def test_values_in_the_row_that_follows() -> None:
    def page(count: int) -> str:
        rows = "".join(
            f"<tr class=head><td>{n + 1}.</td><td><a href='/e/{n}x'>{name}</a></td></tr>"
            f"<tr class=foot><td></td><td><span class=age>{n + 2} hours ago</span> ago</td></tr><tr class=gap>"
            for n, name in enumerate(NAMES[:count])
        )
        return f"<table>{rows}<tr class=more><td><a href=/next>More</a></td></tr></table>"

    def records(count: int) -> list[dict[str, Any]]:
        return [
            {"title": name, "link": f"https://site.example/e/{n}x", "note": f"{n + 2} hours ago"}
            for n, name in enumerate(NAMES[:count])
        ]

    check(page, records)


def test_a_field_that_a_row_lacks_is_null_and_moves_no_other() -> None:
    def page(count: int) -> str:
        return "".join(
            f"<div class=card><h3>{name}</h3>{'' if n == 2 else f'<i class=note>since {1900 + n}</i>'}"
            f"<b>{n + 5}.50 €</b></div>"
            for n, name in enumerate(NAMES[:count])
        )

    def records(count: int) -> list[dict[str, Any]]:
        return [
            {"title": name, "price": n + 5.5, "note": f"since {1900 + n}" if n != 2 else None}
            for n, name in enumerate(NAMES[:count])
        ]

    check(page, records)


def test_three_cards_after_their_class_is_renamed() -> None:
    def page(count: int, name: str = "card") -> str:
        cards = "".join(
            f'<div class="{name}"><h3>{one}</h3><b>{n + 5}.50 €</b></div>' for n, one in enumerate(NAMES[:count])
        )
        return f'<div class="ads"><div class="ad"><h3>Buy!</h3></div></div><div class="{name}s">{cards}</div>'

    def records(count: int) -> list[dict[str, Any]]:
        return [{"title": one, "price": n + 5.5} for n, one in enumerate(NAMES[:count])]

    before = proposed(sample(page(4), records(4)))
    assert read(before, page(3, "tile")) == []
    found = proposed(sample(page(3, "tile"), records(3)))
    assert read(found, page(3, "tile")) == records(3)
    assert read(found, page(6, "tile")) == records(6)


def test_a_date_in_the_heading_above() -> None:
    def page(count: int) -> str:
        days = ["March 3, 2024", "March 3, 2024", "April 4, 2024", "May 5, 2024", "May 5, 2024", "June 6, 2024"]
        parts, last = [], ""
        for name, day in zip(NAMES[:count], days, strict=False):
            if day != last:
                parts.append(f"{'</ul>' if last else ''}<h3>Added {day}</h3><ul>")
            parts.append(f"<li><a href='/e/{name[:3]}'>{name}</a></li>")
            last = day
        return (
            f"<h1>News</h1><ul class=menu><li><a href=/>Home</a></li></ul><div id=content>{''.join(parts)}</ul></div>"
        )

    def records(count: int) -> list[dict[str, Any]]:
        days = ["2024-03-03", "2024-03-03", "2024-04-04", "2024-05-05", "2024-05-05", "2024-06-06"]
        return [{"title": name, "date": day} for name, day in zip(NAMES[:count], days, strict=False)]

    check(page, records, 5)


def test_a_link_that_is_the_row_itself_with_two_values_in_one_text() -> None:
    def page(count: int) -> str:
        links = "<br>".join(f"<a href='f/{n}.pdf'>2D{n}-{40 + n} / {name}</a>" for n, name in enumerate(NAMES[:count]))
        return f"<base href='https://files.example/d/'><p class=list>{links}</p><p><a href=/imprint>Imprint</a></p>"

    def records(count: int) -> list[dict[str, Any]]:
        return [
            {"title": name, "code": f"2D{n}-{40 + n}", "link": f"https://files.example/d/f/{n}.pdf"}
            for n, name in enumerate(NAMES[:count])
        ]

    check(page, records)


def test_repeated_values_stay_as_many_as_there_are_rows() -> None:
    def page(count: int) -> str:
        cards = "".join(f"<li class=item><b>{NAMES[n % 6]} {n}</b> <i>{5 + n % 2}.00 €</i></li>" for n in range(count))
        return f"<ul>{cards}</ul><ul class=ads><li class=ad><b>Buy!</b></li></ul>"

    def records(count: int) -> list[dict[str, Any]]:
        return [{"title": f"{NAMES[n % 6]} {n}", "price": 5 + n % 2} for n in range(count)]

    found = proposed(sample(page(18), records(18)))
    assert read(found, page(18)) == records(18)


def test_a_label_before_the_value_and_lists_in_a_row() -> None:
    def page(count: int) -> str:
        return "".join(
            f"<article><h2>{name}</h2><p>Code: K-{n}7<br>Note: made of {name.split()[0]}</p>"
            f"<ul><li>small</li><li>no {n}</li></ul></article>"
            for n, name in enumerate(NAMES[:count])
        )

    def records(count: int) -> list[dict[str, Any]]:
        return [
            {"title": name, "code": f"K-{n}7", "note": f"made of {name.split()[0]}", "tags": ["small", f"no {n}"]}
            for n, name in enumerate(NAMES[:count])
        ]

    check(page, records)


def test_a_date_in_an_attribute_before_a_group_and_one_in_a_link() -> None:
    def page(count: int, link: bool) -> str:
        rows = ""
        for n, name in enumerate(NAMES[:count]):
            rows += f"<input name=day type=button value='0{1 + n // 2}/17/2024'>" if not n % 2 and not link else ""
            day = f"20240{1 + n // 2}17"
            rows += f"<div class=item><a href='/x/{day if link else 'all'}/{n}.pdf'>{name}</a></div>"
        return f"<form>{rows}</form><p>January 17, 2024</p><p>February 17, 2024</p><p>March 17, 2024</p>"

    def records(count: int) -> list[dict[str, Any]]:
        return [{"title": name, "date": f"2024-0{1 + n // 2}-17"} for n, name in enumerate(NAMES[:count])]

    check(lambda count: page(count, link=False), records)
    check(lambda count: page(count, link=True), records)


def test_names_that_are_always_written_with_other_signs() -> None:
    def page(count: int) -> str:
        return "".join(
            f"<li class=item><b>{name} v {name.split()[1]} Co. ({n}7-{n}2)</b></li>"
            for n, name in enumerate(NAMES[:count])
        )

    def records(count: int) -> list[dict[str, Any]]:
        return [
            {"title": f"{name} v. {name.split()[1]} Co.", "code": f"{n}7-{n}2"} for n, name in enumerate(NAMES[:count])
        ]

    check(page, records)


def test_an_address_that_a_script_opens_and_an_end_that_is_left_out() -> None:
    def page(count: int) -> str:
        return "".join(
            f"<li class=item><b onclick='show(\"http://files.example/?c=1&amp;n={n}7\")'>{name}</b>"
            f"<i>made of {name.split()[0]}, used{';' if n % 2 else ''}</i></li>"
            for n, name in enumerate(NAMES[:count])
        )

    def records(count: int) -> list[dict[str, Any]]:
        return [
            {"title": name, "link": f"http://files.example/?c=1&n={n}7", "note": f"made of {name.split()[0]}, used"}
            for n, name in enumerate(NAMES[:count])
        ]

    check(page, records)


def test_signs_around_a_name_are_none_of_it() -> None:
    def page(count: int) -> str:
        return "".join(
            f"<li class=item><b>{'. ' * (n % 2)}{name.upper()}{'-' * (n % 3)},</b> no. <i>K{n}7</i></li>"
            for n, name in enumerate(NAMES[:count])
        )

    def records(count: int) -> list[dict[str, Any]]:
        return [{"title": name.upper(), "code": f"K{n}7"} for n, name in enumerate(NAMES[:count])]

    check(page, records)


def test_a_cell_is_read_whether_its_text_is_bold_or_not() -> None:
    def page(bold: str) -> str:
        return "<table>{}</table>".format(
            "".join(
                f"<tr><td>{bold.format(f'No. {n}7-{n}')}</td><td><a href='/{n}'>{name}</a></td></tr>"
                for n, name in enumerate(NAMES)
            )
        )

    records = [{"title": name, "code": f"{n}7-{n}"} for n, name in enumerate(NAMES)]
    found = proposed(sample(page("<strong>{}</strong>"), records))
    assert read(found, page("{}")) == records
    assert read(found, page("{}").replace("No.", "NO.", 2)) == records


def test_signs_that_differ_without_a_rule_teach_nothing() -> None:
    there, right = (", ", ". ", " - "), (" - ", ", ", ". ")
    page = "".join(f"<li class=item><b>{name}{there[n % 3]}new</b><i>K{n}7</i></li>" for n, name in enumerate(NAMES))
    records = [{"title": f"{name}{right[n % 3]}new", "code": f"K{n}7"} for n, name in enumerate(NAMES)]
    assert read(proposed(sample(page, records)), page) == [{"code": f"K{n}7"} for n in range(len(NAMES))]


def test_signs_that_are_always_left_out() -> None:
    def page(count: int) -> str:
        return "".join(
            f"<li class=item><b>{name}{'; unit #' if n % 2 else ' '}{n}</b><i>K{n}7</i></li>"
            for n, name in enumerate(NAMES[:count])
        )

    def records(count: int) -> list[dict[str, Any]]:
        return [
            {"title": f"{name}{' unit ' if n % 2 else ' '}{n}", "code": f"K{n}7"}
            for n, name in enumerate(NAMES[:count])
        ]

    check(page, records)


@pytest.mark.parametrize(
    ("href", "right"),
    [
        ("2024/f%20{n}.pdf", "https://files.example/d/2024/f {n}.pdf"),
        ("/dl/{n}/show", "https://other.example/dl/{n}/show"),
        ("../f/{n}a.pdf", "saved/pages/f/{n}a.pdf"),
    ],
)
def test_links_whose_right_value_is_written_from_another_base(href: str, right: str) -> None:
    def page(count: int) -> str:
        return "".join(
            f"<li class=item><a href='{href.format(n=n)}'>{name}</a></li>" for n, name in enumerate(NAMES[:count])
        )

    def records(count: int) -> list[dict[str, Any]]:
        return [{"title": name, "link": right.format(n=n)} for n, name in enumerate(NAMES[:count])]

    found = proposed(sample(page(4), records(4)))
    got = read(found, page(len(NAMES)))
    assert all(
        equal(one["link"], want["link"], Field("link", Kind.URL)) for one, want in zip(got, records(6), strict=True)
    )


WORDS = st.lists(st.sampled_from(("amber", "birch", "copper", "daisy", "elm", "felt")), min_size=2, max_size=4)
ENTRIES = st.lists(st.tuples(WORDS, st.integers(100, 999)), min_size=3, max_size=9, unique_by=lambda one: one[1])


def listing(entries: list[tuple[list[str], int]]) -> Sample:
    rows = "".join(
        f"<li class=entry><a href='/p/{code}'>{' '.join(words)} no {code}</a><span class=code>C{code}</span></li>"
        for words, code in entries
    )
    page = f"<nav><ul><li><a href=/>Home</a></li></ul></nav><ol class=entries>{rows}</ol><ul><li>Other</li></ul>"
    truth = [
        {"title": f"{' '.join(words)} no {code}", "code": f"C{code}", "link": f"https://site.example/p/{code}"}
        for words, code in entries
    ]
    return sample(page, truth)


@settings(deadline=None, max_examples=25)
@given(ENTRIES, ENTRIES)
def test_what_one_page_teaches_holds_on_another(first: Any, second: Any) -> None:
    found = proposed(listing(first))
    other = listing(second)
    assert other.truth is not None
    got = read(found, other.page.html)
    assert [{name: row.get(name) for name in ("title", "code", "link")} for row in got] == list(other.truth.values())


def test_a_column_is_found_by_its_heading_and_without_it_by_its_place() -> None:
    def page(heads: list[str], row: str, count: int) -> str:
        rows = "".join(f"<tr>{row.format(size=n + 3, name=name)}</tr>" for n, name in enumerate(NAMES[:count]))
        return f"<table><tr>{''.join(f'<th>{one}</th>' for one in heads)}</tr>{rows}</table>"

    records = [{"note": f"{n + 3} kg", "title": name} for n, name in enumerate(NAMES)]
    row, box = "<td>{size} kg</td><td>{name}</td>", "<td>{size} kg</td><td><input type=checkbox>one</td><td>{name}</td>"
    found = proposed(sample(page(["Weight", "Name"], row, 4), records[:4]))
    assert read(found, page(["Weight", "Select", "Name"], box, 6)) == records
    assert read(found, page(["Gewicht", "Titel"], row, 6)) == records


def test_a_link_in_a_column_is_found_by_its_heading_and_without_it_by_its_place() -> None:
    def page(heads: list[str], row: str, count: int) -> str:
        rows = "".join(f"<tr>{row.format(n=n, name=name)}</tr>" for n, name in enumerate(NAMES[:count]))
        return f"<table><tr>{''.join(f'<th>{one}</th>' for one in heads)}</tr>{rows}</table>"

    records = [{"title": name, "link": f"https://site.example/{n}.pdf"} for n, name in enumerate(NAMES)]
    row = '<td><a href="/no/{n}">{n}</a></td><td><a href="/{n}.pdf">{name}</a></td>'
    found = proposed(sample(page(["No", "Name"], row, 4), records[:4]))
    assert read(found, page(["Term", "No", "Name"], f"<td>Fall</td>{row}", 6)) == records
    assert read(found, page(["Nr.", "Titel"], row, 6)) == records


def test_what_all_links_of_a_row_share_is_read_from_its_cells_but_for_what_a_link_says_itself() -> None:
    def page(later: list[list[int]]) -> str:
        links = (
            "".join([f"<a href=/p/{n}>Order</a>", *(f" <a href=/p/{n}-{day}>4/{day}/2024</a>" for day in days)])
            for n, days in enumerate(later)
        )
        lines = (f"<td>3/{n + 13}/2024</td><td>{one}</td><td>A-{n}</td>" for n, one in enumerate(links))
        head = "<th>Filed</th><th>Papers</th><th>No.</th>"
        return f"<table class=papers><tr>{head}</tr>{''.join(f'<tr>{one}</tr>' for one in lines)}</table>"

    def right(later: list[list[int]]) -> list[dict[str, Any]]:
        return [
            {"code": f"A-{n}", "link": f"https://site.example/p/{n}{f'-{day}' if day else ''}", "date": date}
            for n, days in enumerate(later)
            for day, date in [(0, f"2024-03-{n + 13}"), *((day, f"2024-04-{day}") for day in days)]
        ]

    taught, other = [[], [15], [], [17, 19], []], [[], [], [13, 28], []]
    found = proposed(sample(page(taught), right(taught)))
    assert read(found, page(other)) == right(other)


def test_a_column_of_days_without_its_heading_is_found_by_its_place_too() -> None:
    def page(head: str, count: int) -> str:
        rows = "".join(f"<tr><td>03/{n + 11}/2024</td><td>{name}</td></tr>" for n, name in enumerate(NAMES[:count]))
        return f"<table><tr><th>{head}</th><th>Name</th></tr>{rows}</table>"

    records = [{"date": f"2024-03-{n + 11}", "title": name} for n, name in enumerate(NAMES)]
    found = proposed(sample(page("Date Filed", 4), records[:4]))
    assert read(found, page("Filed", 6)) == records


def test_a_date_in_a_sentence_is_read_after_its_label_though_no_labelled_row_has_another() -> None:
    def page(texts: list[str]) -> str:
        return "<ul>" + "".join(f"<li><b>{name}</b><p>{text}</p>" for name, text in zip(NAMES, texts, strict=False))

    taught = [f"Lent to the school of the neighbouring town (Entered: 03/{day}/2024)" for day in (11, 12, 13)]
    right = [{"title": name, "date": f"2024-03-{day}"} for name, day in zip(NAMES, (11, 12, 13), strict=False)]
    found = proposed(sample(page(taught), right))
    other = [
        "Seen on 04/01/2024 by a guest from the town (Entered: 04/02/2024)",
        "Seen by the guest on 04/03/2024 only",
    ]
    assert [one["date"] for one in read(found, page(other))] == ["2024-04-02", None]


def test_a_link_is_found_by_its_place_where_its_name_is_gone() -> None:
    def page(names: list[str], kind: str) -> str:
        rows = (f"<tr><td><a {kind} href='/{n}.pdf'>{name}</a><td>C-{n}" for n, name in enumerate(names, 20))
        return f"<html><body><table>{''.join(rows)}</table>"

    right = [{"link": f"https://site.example/{n}.pdf", "code": f"C-{n}"} for n in range(20, 24)]
    found = proposed(sample(page(NAMES[:4], "class=wrap"), right))
    assert read(found, page(NAMES[:3], "class=cell")) == right[:3]


def test_a_reading_that_one_label_of_six_contradicts_is_proposed() -> None:
    def page(names: list[str]) -> str:
        rows = (f"<h3>BY {name.upper()}:</h3><p><a href='/{n}.pdf'>Case {n}</a>" for n, name in enumerate(names, 20))
        return f"<html><body><blockquote>{''.join(rows)}</blockquote>"

    right = [{"title": f"Case {n}", "note": name.upper()} for n, name in enumerate(NAMES, 20)]
    labelled = [*right[:2], right[2] | {"note": "COPPER"}, *right[3:]]
    found = proposed(sample(page(NAMES), labelled))
    assert read(found, page(NAMES)) == right


def test_an_element_by_an_id_that_all_rows_repeat() -> None:
    def page(kinds: list[list[str]]) -> str:
        boxes = ("".join(f"<input id=box{k} name='/{n}.{k.lower()}'>" for k in row) for n, row in enumerate(kinds, 5))
        return f"<html><body><ul>{''.join(f'<li>{one}</li>' for one in boxes)}</ul>"

    def right(count: int) -> list[dict[str, object]]:
        return [{"link": f"https://site.example/{n}.pdf"} for n in range(5, 5 + count)]

    found = proposed(sample(page([["HTML", "PDF"]] * 4), right(4)))
    assert read(found, page([["PDF"]] * 3)) == right(3)


def test_a_heading_is_told_from_bold_words_of_the_rows_by_what_holds_it() -> None:
    def page(days: list[tuple[int, list[str]]]) -> str:
        rows = (
            f"<tr><td><strong>Filed: {day} March 2024</strong>"
            + "".join(f"<tr><td class=case><p><strong>{name}</strong> (case)</p>" for name in names)
            for day, names in days
        )
        return f"<html><body><table>{''.join(rows)}</table>"

    days = [(4, NAMES[:3]), (11, NAMES[3:4]), (18, NAMES[4:])]
    found = proposed(sample(page(days), [{"title": n, "date": f"2024-03-{d:02}"} for d, names in days for n in names]))
    later = [(9, NAMES[:1]), (16, NAMES[1:3])]
    right = [{"title": n, "date": f"2024-03-{d:02}"} for d, names in later for n in names]
    assert read(found, page(later)) == right


def test_a_part_of_what_a_click_calls() -> None:
    def page(count: int) -> str:
        rows = "".join(
            f"<tr><td>{n + 1}/3/2024</td><td><a href='/doc/{n}' onclick=\"show('/doc/4{n}','{n}7','{n + 5}','','1')\">"
            f"{n + 1}</a></td><td>{name}{', see <a href=/doc/0>1</a>' if n % 2 else ''}</td></tr>"
            for n, name in enumerate(NAMES[:count])
        )
        return f"<table>{rows}</table>"

    def records(count: int) -> list[dict[str, Any]]:
        return [{"code": str(n + 1), "note": str(n + 5)} for n in range(count)]

    check(page, records)


def test_an_end_of_names_that_differ_is_no_part_of_the_mark_before_a_value() -> None:
    def page(name: str, parts: list[str]) -> str:
        rows = (f"<tr><td>A-{n}</td><td><a href='{name}.html#{part}'>Open</a>" for n, part in enumerate(parts))
        return f"<table>{''.join(rows)}</table>"

    def right(parts: list[str]) -> list[dict[str, Any]]:
        return [{"code": f"A-{n}", "note": part} for n, part in enumerate(parts)]

    taught = {"notice": ["lead", "scope", "terms"], "rule": ["title", "fees"]}
    samples = [
        sample(page(name, parts), right(parts), f"https://site.example/{name}") for name, parts in taught.items()
    ]
    assert read(proposed(*samples), page("form", ["start", "end"])) == right(["start", "end"])


def test_a_few_texts_that_links_have_loosened_are_read_tight_in_all_rows() -> None:
    def page(count: int, every: int = 1) -> str:
        rows = "".join(
            f"<tr><td>{n}/2</td><td>Notice {n} of item <a href=/d/{n}>{n}</a>{' , <a href=/x>7</a>' * (n % 36 == 35)}."
            f"</td></tr>"
            for n in range(count)
        )
        return f"<table>{rows}</table>"

    def records(count: int) -> list[dict[str, Any]]:
        return [{"code": f"{n}/2", "note": f"Notice {n} of item {n}{', 7' * (n % 36 == 35)}."} for n in range(count)]

    found = proposed(sample(page(72), records(72)))
    assert read(found, page(150)) == records(150)


def test_the_first_sentence_is_learned_where_few_texts_have_a_second() -> None:
    notes = ["Adds a lamp.", "Takes one away. None may be left.", "Counts them", "Says which is lit.", "Turns all off."]

    def page(texts: list[str]) -> str:
        rows = "".join(
            f"<li><b>Item {chr(65 + n)}</b><div><p>{one}</p><p>Since May.</p></div></li>" for n, one in enumerate(texts)
        )
        return f"<ul class=calls>{rows}</ul>"

    def records(texts: list[str]) -> list[dict[str, object]]:
        return [{"title": f"Item {chr(65 + n)}", "note": one} for n, one in enumerate(texts)]

    found = proposed(sample(page(notes), records([one.replace(" None may be left.", "") for one in notes])))
    others = ["Buys a lamp. It must be paid", "Sells one", "Breaks one. And another. And so on."]
    assert [one["note"] for one in read(found, page(others))] == ["Buys a lamp.", "Sells one", "Breaks one."]


def test_the_start_of_a_longer_code_is_no_code() -> None:
    def page(codes: list[str]) -> str:
        rows = "".join(f"<li>{name}, ({code})</li>" for name, code in zip(NAMES, codes, strict=False))
        return f"<ul class=list>{rows}</ul><ul><li>Home</li></ul>"

    codes = ["94PA13", "461A13", "39PA11", "527A12", "8PA13", "33A11"]
    found = proposed(sample(page(codes), [{"code": one} for one in codes]))
    later = read(found, page(["94PA13-2", *codes[1:]]))
    assert later[0]["code"] in (None, "94PA13-2")
    assert [one["code"] for one in later[1:]] == codes[1:]


def test_a_day_written_by_hand_with_its_year_in_front_tells_no_order() -> None:
    def page(day: str) -> str:
        links = "".join(f"<li><a href='/e/{n}'>{name}</a></li>" for n, name in enumerate(NAMES))
        return f"<h3>{day} Release</h3><ul class=list>{links}</ul>"

    found = proposed(sample(page("2019-01-30"), [{"title": name, "date": "2019-01-30"} for name in NAMES]))
    assert {one["date"] for one in read(found, page("09-12-2018"))} == {None}
    assert {one["date"] for one in read(found, page("09-30-2018"))} == {"2018-09-30"}


def test_days_of_groups_that_other_bold_words_follow() -> None:
    def page(*groups: tuple[str, list[str]]) -> str:
        rows = "".join(
            f"<tr><td><b>{day}</b></td><td></td></tr><tr><td><b>All of that day</b></td><td><b>Names</b></td></tr>"
            + "".join(f"<tr><td><a href='/e/{name[:3]}'>{name}</a></td><td>A-{name[:2]}</td></tr>" for name in names)
            for day, names in groups
        )
        return f"<table>{rows}</table>"

    def told(day: str, names: list[str]) -> list[dict[str, Any]]:
        return [{"title": name, "date": day} for name in names]

    found = proposed(sample(page(("March 3, 2024", NAMES[:4])), told("2024-03-03", NAMES[:4])))
    later = page(("May 5, 2024", NAMES[:2]), ("June 6, 2024", NAMES[2:]))
    assert read(found, later) == told("2024-05-05", NAMES[:2]) + told("2024-06-06", NAMES[2:])


def test_a_day_above_is_found_where_its_name_is_gone_and_its_month_in_capitals() -> None:
    def page(heading: str, names: list[str]) -> str:
        return heading + "".join(f"<div><a href='/e/{name[:3]}'>{name}</a></div>" for name in names)

    right = [{"title": name, "date": "2024-03-03"} for name in NAMES[:4]]
    found = proposed(sample(page("<p class=day>Week of March 3, 2024</p>", NAMES[:4]), right))
    other = read(found, page("<p>WEEK OF MAY 5, 2024</p>", NAMES[2:]))
    assert other == [{"title": name, "date": "2024-05-05"} for name in NAMES[2:]]


def test_a_code_may_have_more_letters_than_those_that_are_known() -> None:
    def page(codes: list[str]) -> str:
        return "".join(f"<p class=item><a href='/{one}'>{one} Lamp of {n}</a></p>" for n, one in enumerate(codes))

    found = proposed(sample(page(["7A-11", "8B-12", "9C-13"]), [{"code": one} for one in ("7A-11", "8B-12", "9C-13")]))
    assert [one["code"] for one in read(found, page(["7AB-11", "8-B"]))] == ["7AB-11", None]


def test_a_heading_has_its_label_or_none_and_may_end_with_a_colon() -> None:
    def page(groups: list[tuple[str, list[str]]]) -> str:
        return "".join(
            f"<p><b>{head}</b></p>" + "".join(f"<p><a href='/{one}.pdf'>{one}</a> is for sale.</p>" for one in codes)
            for head, codes in groups
        )

    taught = [("SOLD BY ROE", ["A-1", "A-2"]), ("ANONYMOUS", ["A-3"]), ("SOLD BY POE", ["A-4", "A-5"])]
    right = [{"code": one, "note": head.removeprefix("SOLD BY ")} for head, codes in taught for one in codes]
    found = proposed(sample(page(taught), right))
    got = read(found, page([("SOLD BY LEE:", ["B-7"]), ("ANONYMOUS:", ["B-8"])]))
    assert got == [{"code": "B-7", "note": "LEE"}, {"code": "B-8", "note": "ANONYMOUS"}]


def test_a_link_that_is_wanted_as_it_is_written_says_nothing_of_the_base_of_others() -> None:
    def page(links: list[str]) -> str:
        return "<ul>" + "".join(
            f"<li><a href='{link}'>{name}</a></li>" for link, name in zip(links, NAMES, strict=True)
        )

    def right(links: list[str]) -> list[dict[str, Any]]:
        joined = (link if link.startswith("/") else f"copies/of/{link}" for link in links)
        return [{"title": name, "link": link} for link, name in zip(joined, NAMES, strict=True)]

    taught, later = (
        ["a.pdf", "/f/b.pdf", "/f/c.pdf", "/f/d.pdf", "/f/e.pdf", "/f/g.pdf"],
        [f"{n}.pdf" for n in range(6)],
    )
    assert read(proposed(sample(page(taught), right(taught))), page(later)) == right(later)
