"""Listing induction on small pages: which rows there are, and no others."""

import asyncio
import re
from dataclasses import replace

import pytest

from crawloop.contract import Brief
from crawloop.errors import StrategyDeclined
from crawloop.extract.plan import FieldPlan, Plan, Rows
from crawloop.extract.reading import Apply, Read
from crawloop.model.family import Version
from crawloop.strategy.listing import ListingInduction
from crawloop.strategy.listing.induction import likeliest
from crawloop.strategy.listing.rows.roots import roots
from crawloop.strategy.listing.sheet import Sheet
from tests.fakes.listings import SCHEMA, proposed, read, sample

NAMES = ["Amber Lamp", "Birch Table", "Copper Kettle", "Daisy Chair", "Elm Shelf", "Felt Rug"]


def table(names: list[str]) -> str:
    rows = "".join(
        f"<tr><td>{7 + n}/02/2024</td><td><a href='/p/{name.split()[0].lower()}.pdf'>{name}</a></td>"
        f"<td>A-{100 + 7 * n}</td></tr>"
        for n, name in enumerate(names)
    )
    return (
        "<html><body><nav><a href=/home>Home</a><a href=/about>About us</a></nav>"
        "<table class=filter><tr><td>Search</td></tr></table>"
        f"<table class=items><tr><th>Date</th><th>Name</th><th>Code</th></tr>{rows}</table>"
        "<ul class=related><li><a href=/x>Other Lamp</a></li></ul></body></html>"
    )


def records(names: list[str]) -> list[dict[str, object]]:
    return [
        {
            "title": name,
            "code": f"A-{100 + 7 * n}",
            "link": f"https://site.example/p/{name.split()[0].lower()}.pdf",
            "date": f"2024-{7 + n:02}-02",
        }
        for n, name in enumerate(names)
    ]


def test_rows_of_a_table_without_its_head_and_without_what_stands_around_it() -> None:
    found = proposed(sample(table(NAMES[:4]), records(NAMES[:4])))
    assert read(found, table(NAMES)) == records(NAMES)


@pytest.mark.parametrize("names", [NAMES[:1], []])
def test_pages_with_one_row_or_none(names: list[str]) -> None:
    found = proposed(sample(table(NAMES[:4]), records(NAMES[:4])))
    assert read(found, table(names)) == records(names)


def test_truth_need_not_stand_in_the_order_of_the_page() -> None:
    found = proposed(sample(table(NAMES), records(NAMES)[::-1]))
    assert read(found, table(NAMES)) == records(NAMES)


def test_rows_are_found_by_their_tags_where_their_table_has_lost_its_name() -> None:
    found = proposed(sample(table(NAMES[:4]), records(NAMES[:4])))
    renamed = table(NAMES).replace("class=items", "class=goods")
    assert read(found, renamed) == records(NAMES)


def shelf(titles: list[str]) -> str:
    return "<html><body><ul>" + "".join(f"<li><a href='/p/{n}'>{title}</a></li>" for n, title in enumerate(titles))


def test_declines_where_no_page_has_several_records() -> None:
    only = sample(shelf(NAMES[:1]), [{"title": NAMES[0]}])
    with pytest.raises(StrategyDeclined):
        asyncio.run(ListingInduction().propose(Brief("site", SCHEMA, (only,))))


def test_the_only_record_of_a_page_is_read_as_the_row_of_a_table_with_headings_that_it_is() -> None:
    found = proposed(sample(table(NAMES[:1]), records(NAMES[:1])))
    assert read(found, table(NAMES)) == records(NAMES)
    assert read(found, table([])) == []


def test_headings_may_be_bold_cells_and_the_table_stand_in_a_layout_of_tables() -> None:
    def page(names: list[str]) -> str:
        heads = "".join(f"<td><font><b>{one}</b></font></td>" for one in ("Name", "Day", "Sort"))
        rows = "".join(f"<tr><td>{name}<td>{7 + n}/02/2024<td>Lot {n + 4}" for n, name in enumerate(names))
        return f"<table><tr><td>Results<tr><td><table><tr>{heads}</tr>{rows}</table><tr><td>Search again</table>"

    def right(names: list[str]) -> list[dict[str, object]]:
        return [{"title": name, "date": f"2024-{7 + n:02}-02"} for n, name in enumerate(names)]

    found = proposed(sample(page(NAMES[:1]), right(NAMES[:1])))
    assert read(found, page(NAMES[1:4])) == right(NAMES[1:4])


def test_where_the_active_version_takes_pages_for_records_a_row_of_a_table_is_none() -> None:
    plan = Plan({"title": FieldPlan((Read("text", ("h1",)),))}).dumps()
    active = Version("site", 1, "", "induction", SCHEMA.ref, 1, "", plan=plan)
    brief = Brief("site", SCHEMA, (sample(table(NAMES[:1]), records(NAMES[:1])),), active=active)
    with pytest.raises(StrategyDeclined):
        asyncio.run(ListingInduction().propose(brief))


def test_a_record_of_which_a_part_stands_outside_the_row_is_no_row() -> None:
    only = sample(f"<h1>Winter sale</h1>{table(NAMES[:1])}", [records(NAMES[:1])[0] | {"note": "Winter sale"}])
    with pytest.raises(StrategyDeclined):
        asyncio.run(ListingInduction().propose(Brief("site", SCHEMA, (only,))))


ITEM = "<p><a href='{link}'>{name}</a> {code}</p>"


def releases(lists: list[list[str]], title: str = "Opinions", seller: str = "ROE:", item: str = ITEM) -> str:
    def told(name: str) -> str:
        return item.format(name=name, link=f"/p/{name[:3].lower()}.pdf", code=f"Lot {len(name)}")

    parts = "".join(f"<div>{''.join(map(told, names))}</div><h3>Others</h3>" for names in lists)
    return (
        f"<html><title>{title}</title><p><a href=/>Home</a></p><div class=main>"
        f"<h3>March 3, 2024</h3><h4>{seller}</h4><p>{len(lists)} lists.</p>{parts}</div>"
    )


def released(name: str) -> dict[str, object]:
    link = f"https://site.example/p/{name[:3].lower()}.pdf"
    return {"title": name, "code": f"Lot {len(name)}", "link": link, "date": "2024-03-03"}


@pytest.mark.parametrize(
    "item",
    [
        ITEM,
        "<li><div><a href='{link}'>{name}</a> <i>{code}</i></div></li>",
        "<div><h5><a href='{link}'>{name}</a></h5><div>{code}</div></div>",
        "<p><a href='{link}'>{name}</a> {code}, " + "of which much is said here, " * 20 + "</p>",
    ],
)
def test_beside_the_only_record_of_a_page_that_is_about_something_else_others_may_stand(item: str) -> None:
    found = proposed(sample(releases([NAMES[:1]], item=item), [released(NAMES[0]) | {"note": "ROE"}]))
    assert "note" not in found.fields  # "SOLD BY" may come before another name
    other = releases([NAMES[1:4], NAMES[4:]], seller="SOLD BY POE:", item=item)
    assert read(found, other) == [*map(released, NAMES[1:4])]
    assert read(found, releases([])) == []


def test_a_record_that_the_title_names_is_what_its_page_is_about() -> None:
    only = sample(releases([NAMES[:1]], title=f"{NAMES[0]} - Shop"), [released(NAMES[0])])
    with pytest.raises(StrategyDeclined):
        asyncio.run(ListingInduction().propose(Brief("site", SCHEMA, (only,))))


def test_pages_that_all_have_one_record_are_about_it() -> None:
    both = [sample(releases([[name]]), [released(name)], f"https://site.example/{name[:3]}") for name in NAMES[:2]]
    with pytest.raises(StrategyDeclined):
        asyncio.run(ListingInduction().propose(Brief("site", SCHEMA, tuple(both))))


def entries(rows: list[tuple[str, str, str]]) -> str:
    """A register: a link where there is a document, and around it tables of other things with links."""
    adviser = "<table><tr><td>{0}</td><td>adviser</td><td><a href='/a/{0}'>Ann Poe</a></td></tr></table>"
    around = "".join(adviser.format(n) for n in "xyz")
    linked = "".join(
        f"<tr><td>{day}</td><td>{f'<a href=/d/{code}>{code}</a>' if code[0] == 'D' else code}</td><td>{text}</td></tr>"
        for day, code, text in rows
    )
    return f"<html><body>{around}<table><tr><th>Date</th><th>No.</th><th>Text</th></tr>{linked}</table>"


def test_a_row_elsewhere_whose_first_cell_only_mentions_a_date_is_none() -> None:
    taught = [("03/02/2024", "D-11", "Plan of the garden"), ("04/02/2024", "D-12", "Plan of the roof")]
    right = [{"date": f"2024-{day[:2]}-02", "code": code, "title": text} for day, code, text in taught]
    others = "<table><tr><td>Lee Roe, left 05/05/2005</td><td>adviser</td><td><a href=/a>Ann Poe</a></td></tr></table>"
    assert read(proposed(sample(entries(taught), right)), others + entries(taught)) == right


def test_a_row_of_cells_without_the_link_that_others_have_is_a_row_too() -> None:
    taught = [("03/02/2024", "D-11", "Plan of the garden"), ("04/02/2024", "D-12", "Plan of the roof")]
    right = [{"date": f"2024-{day[:2]}-02", "code": code, "title": text} for day, code, text in taught]
    found = proposed(sample(entries(taught), right))
    other = read(found, entries([("05/02/2024", "D-13", "Plan of the hall"), ("06/02/2024", "14", "Note on the hall")]))
    assert [one["code"] for one in other] == ["D-13", "14"]


@pytest.mark.parametrize("mark", ["(sold)", "**", "&lt;T&gt;"])
def test_rows_that_truth_leaves_out_are_told_by_a_word_or_sign_that_no_record_has(mark: str) -> None:
    titles = ["Amber Lamp", f"Birch Table {mark}", "Copper Kettle", "Daisy Chair", f"Elm Shelf {mark}", "Felt Rug"]
    right = [{"title": title} for title in titles if mark not in title]
    found = proposed(sample(shelf(titles), right))
    assert read(found, shelf(["Grey Sofa", f"Hemp Bag {mark}", "Iron Pan"])) == [
        {"title": "Grey Sofa"},
        {"title": "Iron Pan"},
    ]


def test_a_row_that_only_its_own_name_tells_from_records_is_no_reason_for_a_rule() -> None:
    right = [{"title": title} for title in NAMES if title != "Elm Shelf"]
    assert len(read(proposed(sample(shelf(NAMES), right)), shelf(NAMES))) == len(NAMES)


def test_a_row_of_the_layout_around_a_table_is_none_of_its_rows() -> None:
    def page(names: list[str]) -> str:
        rows = "".join(
            f"<tr><td><a href='/{n}'>{name}</a></td><td>{n}/05/2024</td></tr>" for n, name in names_of(names)
        )
        return f"<html><body><table><tr><td>Search</td></tr><tr><td><table>{rows}</table></td></tr></table>"

    def names_of(names: list[str]) -> list[tuple[int, str]]:
        return list(enumerate(names, 1))

    def right(names: list[str]) -> list[dict[str, object]]:
        return [{"title": name, "date": f"2024-{n:02}-05"} for n, name in names_of(names)]

    found = proposed(sample(page(NAMES), right(NAMES)))
    assert read(found, page(NAMES[:1])) == right(NAMES[:1])


def test_of_several_like_tables_the_first() -> None:
    def page(parts: list[list[str]]) -> str:
        tables = ["".join(f"<tr><td><a href='/p'>{name}</a></td></tr>" for name in part) for part in parts]
        return "<html><body><div class=main>" + "".join(f"<table class=year>{rows}</table>" for rows in tables)

    found = proposed(sample(page([NAMES[:4], NAMES[4:]]), [{"title": name} for name in NAMES[:4]]))
    assert read(found, page([NAMES[2:]])) == [{"title": name} for name in NAMES[2:]]


def test_rows_with_a_mark_that_no_record_has_are_none() -> None:
    def page(names: list[str]) -> str:
        cards = (f"<li class='card{' ad' * name.startswith('Ad')}'><h3>{name}</h3></li>" for name in names)
        return f"<html><body><ul>{''.join(cards)}</ul>"

    names = ["Amber Lamp", "Ad Best Rugs", "Birch Table", "Copper Kettle", "Ad Cheap Lamps", "Daisy Chair"]
    found = proposed(sample(page(names), [{"title": one} for one in names if not one.startswith("Ad")]))
    assert read(found, page(["Ad Huge Sofas", "Elm Shelf"])) == [{"title": "Elm Shelf"}]


def test_a_row_with_a_bold_word_is_a_row_like_the_others() -> None:
    def page(names: list[str]) -> str:
        rows = "".join(f"<tr><td>{n + 1}/2/2024<td>{n + 1}<td>{name}" for n, name in enumerate(names))
        foot = "<tr><td><b>Receipt</b><td>Cost<td><i>1.40</i><tr><td><b>Pages</b><td><u>9</u><td>all"
        return f"<table>{rows}</table><table>{foot}</table>"

    def records(names: list[str]) -> list[dict[str, object]]:
        return [{"date": f"2024-{n + 1:02}-02", "title": re.sub("<[^>]*>", "", name)} for n, name in enumerate(names)]

    found = proposed(sample(page(NAMES), records(NAMES)))
    more = ["Grey <b>Sofa</b>", "Hemp Bag", "<i>Iron</i> Gate <u>new</u>"]
    assert read(found, page(more)) == records(more)


def test_rows_elsewhere_that_hold_more_are_found_behind_many_ways_to_the_same_rows() -> None:
    def page(names: list[str]) -> str:
        codes = {name: f"A-{100 + 7 * n}" for n, name in enumerate(names)}
        short = "".join(f"<tr class=one><td><a href='/p/{codes[name]}'>{name}</a></td></tr>" for name in names)
        long = "".join(
            f"<section class=all><div class=more><article><h4>{name}</h4><p>{name} is of {n + 3} parts.</p></article>"
            "</div></section>"
            for n, name in enumerate(names)
        )
        return f"<table>{short}</table>{long}"

    def wanted(names: list[str]) -> list[dict[str, object]]:
        return [
            {"title": one, "code": f"A-{100 + 7 * n}", "link": f"https://site.example/p/A-{100 + 7 * n}"}
            for n, one in enumerate(names)
        ]

    found = proposed(sample(page(NAMES[:4]), wanted(NAMES[:4])))
    assert read(found, page(NAMES)) == wanted(NAMES)


def test_rows_of_one_kind_are_told_by_the_cell_that_names_it() -> None:
    def page(rows: list[tuple[str, str]]) -> str:
        return "<html><body><table>" + "".join(f"<tr><td>{name}<td>{kind}" for name, kind in rows) + "</table>"

    kinds = ["Book", "Film", "Book", "Song", "Book", "Book"]
    found = proposed(
        sample(
            page(list(zip(NAMES, kinds, strict=True))),
            [{"title": n} for n, kind in zip(NAMES, kinds, strict=True) if kind == "Book"],
        )
    )
    assert read(found, page([("Grey Sofa", "Map"), ("Hemp Bag", "Book")])) == [{"title": "Hemp Bag"}]


def test_a_record_that_the_page_shows_twice_is_told_once() -> None:
    def page(names: list[str], again: list[str]) -> str:
        cards = ("".join(f"<li><h3>{name}</h3></li>" for name in part) for part in (again, names))
        return "<html><body><h2>New</h2><ul>" + "</ul><h2>All</h2><ul>".join(cards) + "</ul>"

    found = proposed(sample(page(NAMES, NAMES[1:3]), [{"title": name} for name in NAMES]))
    others = ["Grey Sofa", "Hemp Bag", "Iron Pan"]
    got = read(found, page(others, others[2:]))
    assert sorted(one["title"] for one in got) == others


def test_a_row_with_a_record_s_name_that_says_other_things_is_no_record_shown_twice() -> None:
    def page(rows: list[tuple[str, str]]) -> str:
        return "<html><body>" + "".join(f"<div class=row><h3>{name}</h3><p>{note}</p></div>" for name, note in rows)

    rows = [(name, f"Costs {n} shillings") for n, name in enumerate(NAMES, 3)]
    right = [{"title": name, "note": note} for name, note in rows]
    again = [*rows[:2], (NAMES[1], "Sold out"), *rows[2:]]
    assert "distinct" not in proposed(sample(page(again), right)).source


def test_several_rows_that_truth_has_as_one_record_are_told_once_by_their_number() -> None:
    def page(rows: list[tuple[str, str]]) -> str:
        return "<html><body>" + "".join(f"<div class=row><h3>{code}</h3><p>{note}</p></div>" for code, note in rows)

    rows = [(f"A-{number}", f"Note {name.lower()}") for number, name in enumerate([*NAMES, *NAMES], 31)]
    again = [*rows[:3], (rows[2][0], "Dissent"), *rows[3:7], (rows[6][0], "Errata"), *rows[7:]]
    found = proposed(sample(page(again), [{"code": code, "note": note} for code, note in rows]))
    got = read(found, page([("B-1", "First"), ("B-1", "Again"), ("B-2", "Second")]))
    assert [one["code"] for one in got] == ["B-1", "B-2"]


def test_records_in_running_text_each_from_its_link_on() -> None:
    def page(names: list[str]) -> str:
        lines = (
            f"<a href='/p/{n}.pdf'>{name}</a>, lot {n * 7}, B-{n}4, 3/{n}/2024<br><br>" for n, name in counted(names)
        )
        return f"<html><body><div><div><h2>Auction</h2><p><br>{''.join(lines)}</p></div></div>"

    def counted(names: list[str]) -> list[tuple[int, str]]:
        return list(enumerate(names, 11))

    def right(names: list[str]) -> list[dict[str, object]]:
        return [{"title": name, "code": f"B-{n}4", "date": f"2024-03-{n}"} for n, name in counted(names)]

    found = proposed(sample(page(NAMES), right(NAMES)))
    assert read(found, page(NAMES[::-1])) == right(NAMES[::-1])


def test_a_link_between_records_that_shows_no_number_is_none() -> None:
    def page(names: list[str]) -> str:
        links = (f"<p><a href='/{n}.pdf'>{n}-A {name}</a>" for n, name in enumerate(names, 30))
        return f"<html><body><blockquote>{'<p><a href=/with>with</a>'.join(links)}</blockquote>"

    right = [{"title": name} for name in NAMES]
    found = proposed(sample(page(NAMES), right))
    assert read(found, page(NAMES[2:])) == right[2:]


def test_rows_are_told_by_all_the_classes_that_they_share() -> None:
    def grid(names: list[str], sort: str) -> str:
        said = "".join(
            f'<div class="name-cell {sort} {"odd" if n % 2 else "even"}"><a href="/{one}">{one}</a></div>'
            f'<div class="text-cell {sort}">Of {n + 3} parts</div>'
            for n, one in enumerate(names)
        )
        return (
            f'<div class=grid><div class="name-cell head">Name</div><div class="text-cell head">Size</div>{said}</div>'
        )

    def wanted(names: list[str]) -> list[dict[str, object]]:
        return [{"title": one, "link": f"https://site.example/{one}"} for one in names]

    first = ["Lamp", "Table", "Kettle", "Chair"]
    found = proposed(sample(grid(first, "entry"), wanted(first)))
    assert read(found, grid(["Shelf", "Rug"], "entry") + grid(["Shop", "Office"], "seller")) == wanted(["Shelf", "Rug"])


def test_an_amount_in_another_currency_is_null_in_its_row() -> None:
    row = "<li class=item><a href=/{0}>{1}</a><b class=price>{2}</b></li>"

    def listing(prices: list[str]) -> str:
        rows = "".join(row.format(n, NAMES[n], price) for n, price in enumerate(prices))
        return f"<html><body><ul class=items>{rows}</ul></body></html>"

    shown = [12.5, 9.9, 310.0, 45.0]
    truth = [{"title": NAMES[n], "price": price} for n, price in enumerate(shown)]
    found = proposed(sample(listing([f"{one:.2f} EUR" for one in shown]), truth))
    later = read(found, listing(["12.50 EUR", "$ 9.90", "from 310.00 EUR", "45.00 EUR"]))
    assert [one["price"] for one in later] == [12.5, None, None, 45.0]


def test_a_row_with_one_part_of_a_record_is_one_and_a_row_with_none_is_no_record() -> None:
    def page(last: str) -> str:
        rows = "".join(
            f"<li><b>{name}</b> <i>A-{n}</i> <u>by {name[::-1]}</u></li>" for n, name in enumerate(NAMES[:5])
        )
        return f"<ul class=list>{rows}{last}</ul>"

    known = [{"title": name, "code": f"A-{n}", "note": f"by {name[::-1]}"} for n, name in enumerate(NAMES[:5])]
    found = proposed(sample(page(""), known))
    assert read(found, page("<li><b>Felt Rug</b></li>"))[5:] == [{"title": "Felt Rug", "code": None, "note": None}]
    assert read(found, page("<li>More of these</li>")) == known


def test_a_row_that_says_less_than_half_of_what_all_records_say_is_none() -> None:
    def page(last: str) -> str:
        rows = "".join(
            f"<li><b>{name}</b> <i>A-{n}</i> <u>by {name[::-1]}</u> <a href=/{n}.pdf>text</a></li>"
            for n, name in enumerate(NAMES[:5])
        )
        return f"<ul class=list>{rows}{last}</ul>"

    known = [
        {"title": name, "code": f"A-{n}", "note": f"by {name[::-1]}", "link": f"https://site.example/{n}.pdf"}
        for n, name in enumerate(NAMES[:5])
    ]
    found = proposed(sample(page(""), known))
    assert read(found, page("<li><b>Page 1 2 3 4</b></li>")) == known
    half = {"title": "Felt Rug", "code": None, "note": None, "link": "https://site.example/9.pdf"}
    assert read(found, page("<li><b>Felt Rug</b> <a href=/9.pdf>text</a></li>")) == [*known, half]


@pytest.mark.parametrize(("count", "kept"), [(6, 1), (30, 0)])
def test_a_row_without_the_link_that_many_rows_have_is_none_whatever_it_says(count: int, kept: int) -> None:
    def page(last: str) -> str:
        return "<ul class=list>" + "".join(f"<li>{n} of {n} <a href=/{n}>A-{n}</a></li>" for n in range(count)) + last

    found = proposed(sample(page(""), [{"title": f"{n} of {n}", "code": f"A-{n}"} for n in range(count)]))
    assert len(read(found, page("<li>Petitions</li>"))) == count + kept


def test_no_rows_at_all_are_an_empty_list() -> None:
    found = proposed(sample(table(NAMES), records(NAMES)))
    rows = Plan.loads(found.plan or "").rows
    assert rows is not None
    either = Plan({}, Rows(Apply("first", (rows.select, Read("css", ("dl",), "page")))))
    again = replace(found, plan=either.dumps(), source=either.source("site", "listing"))
    assert read(again, "<p>Nothing here</p>") == []


def lots(rows: list[tuple[str, str]]) -> str:
    """Lots under their day, a list of all of them among their rows."""
    lines = "".join(
        f"<tr><td><b>{code}</b></td><td><a href='{code.split()[-1]}.pdf'>open</a></td><td>{name}</td></tr>"
        for code, name in rows
    )
    return (
        "<html><body><div><div><table><tr><td><b>March 3, 2024</b></td><td></td><td></td></tr>"
        "<tr><td><b>All lots</b></td><td><a href=all.pdf>open</a></td><td>With remarks</td></tr>"
        f"{lines}</table></div></div>"
    )


def right_of(rows: list[tuple[str, str]]) -> list[dict[str, object]]:
    return [
        {
            "title": name,
            "code": code.removeprefix("Lot ") if code.startswith("Lot ") else None,
            "date": "2024-03-03",
            "link": f"https://site.example/list/{code.split()[-1]}.pdf",
        }
        for code, name in rows
    ]


@pytest.mark.parametrize("known", [2, 3, 5])
def test_a_row_whose_code_has_a_new_form_is_a_row(known: int) -> None:
    rows = [(f"Lot {11 + 3 * n}", name) for n, name in enumerate(NAMES)]
    found = proposed(sample(lots(rows[:known]), right_of(rows[:known])))
    more = [*rows, ("Lots 40-41", "Grey Sofa"), ("L0t 50", "Hemp Bag")]
    assert read(found, lots(more)) == right_of(more)


def test_what_is_around_a_list_of_two_is_no_row_of_it() -> None:
    rows = [(f"Lot {11 + 3 * n}", name) for n, name in enumerate(NAMES)]
    assert 'css("tr' in proposed(sample(lots(rows[:2]), right_of(rows[:2]))).source


def test_rows_that_are_records_one_by_one_are_tried_beside_those_that_hold_more() -> None:
    """Remarks stand under the tables, of which one has two rows: what starts with a table lacks a record."""

    def page(groups: list[list[str]]) -> str:
        row = "<tr><td><b>{0}</b></td><td><a href='/{1}.pdf'>No. {1}</a></td></tr>"
        return "".join(
            f"<table>{''.join(row.format(name, len(name) * 7 + ord(name[0])) for name in names)}</table>"
            + "".join(f"<p>Said of {name[::-1]}</p>" for name in names)
            for names in groups
        )

    def right(groups: list[list[str]]) -> list[dict[str, object]]:
        numbers = [(name, len(name) * 7 + ord(name[0])) for names in groups for name in names]
        return [
            {
                "title": name,
                "code": f"No. {n}",
                "link": f"https://site.example/{n}.pdf",
                "note": f"Said of {name[::-1]}",
            }
            for name, n in numbers
        ]

    taught = [[NAMES[0]], NAMES[1:3], [NAMES[3]], [NAMES[4]], [NAMES[5]], ["Grey Sofa"], ["Hemp Bag"], ["Iron Pan"]]
    ranked = roots([Sheet(sample(page(taught), right(taught)), SCHEMA)])
    spare = [one.extras + one.missing for one in ranked]
    assert spare[0] > min(spare) == min(one.extras + one.missing for one in likeliest(ranked, 1))
    got = read(proposed(sample(page(taught), right(taught))), page([NAMES[3:5], [NAMES[0]]]))
    assert [one["title"] for one in got] == [*NAMES[3:5], NAMES[0]]


def test_records_of_several_rows_start_where_the_first_cell_holds_something() -> None:
    def page(names: list[str]) -> str:
        head = "<tr><td><div>{1}</div></td><td><div>{0}; from the attic</div></td></tr>"
        foot = "<tr><td> </td><td><div><div>See the <a href='/{1}.pdf'>picture</a>.</div></div></td></tr>"
        rows = "".join((head + foot).format(name, 100 + 7 * len(name) + ord(name[0])) for name in names)
        others = "".join(f"<tr><td><div>{n}</div></td><td><div>Lot {n} is sold</div></td></tr>" for n in (31, 32, 33))
        return f"<table><tr><td></td><td><div><b>IN THIS SALE</b></div></td></tr>{rows}{others}</table>"

    def right(names: list[str]) -> list[dict[str, object]]:
        codes = [(name, str(100 + 7 * len(name) + ord(name[0]))) for name in names]
        return [{"title": name, "code": n, "link": f"https://site.example/{n}.pdf"} for name, n in codes]

    taught = sample(page(NAMES[:4]), right(NAMES[:4]))
    assert read(proposed(taught), page(NAMES[::-1])) == right(NAMES[::-1])
    ranked = roots([Sheet(taught, SCHEMA)])
    assert min(one.extras for one in ranked if one.method == "sections") == 3
