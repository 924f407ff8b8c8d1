"""The verdict on one page: what looks right is served, what does not is null and named, and silence is no proof."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from crawloop.contract import Known
from crawloop.crawl.report import PageStatus
from crawloop.crawl.verdict.expect import Expectation
from crawloop.crawl.verdict.judge import Judgement, judge
from crawloop.crawl.verdict.reading import Markup, Reading
from crawloop.extract.plan import FieldPlan, Plan, Rows
from crawloop.extract.reading import Read
from crawloop.model.candidate import Failure, Run
from crawloop.model.kind import Field, Kind, Schema
from crawloop.model.page import Page, Record
from crawloop.shape import marks
from tests.fakes import kettles as shop

EXPECTED = Expectation(shop.version(), shop.SCHEMA, shop.goldens())


def verdict(
    records: Sequence[Record] | None,
    html: str = "",
    *,
    expected: Expectation = EXPECTED,
    known: Sequence[Record] = (),
    markup: Markup | None = None,
    failure: Failure | None = None,
    number: int = 9,
) -> Judgement:
    html = html or shop.old_page(number)
    url = shop.url(number)
    run = Run(url, None if records is None else tuple(records), failure)
    return judge(Reading(Page(url, html), run, expected, marks(html), tuple(known), markup or Markup()))


def test_a_page_like_those_before_is_ok() -> None:
    assert verdict([shop.record(9)]) == Judgement(PageStatus.OK, (shop.record(9),), ())


def test_keys_beside_the_schema_are_left_out_and_missing_ones_are_null() -> None:
    got = verdict([{"title": "Kettle", "price": 4.0, "brand": "Nordhaus", "link": shop.url(9), "sku": "?"}])
    assert got.records == ({"title": "Kettle", "price": 4.0, "badge": None, "brand": "Nordhaus", "link": shop.url(9)},)
    assert got.status is PageStatus.OK


def test_one_thing_and_a_list_of_one_are_the_same() -> None:
    got = verdict([shop.record(9, brand=["Nordhaus"], badge=[])])
    assert (got.status, got.records) == (PageStatus.OK, (shop.record(9, badge=None),))
    assert verdict([shop.record(9, brand=["Nordhaus", "Quill"])]).records[0]["brand"] is None


@pytest.mark.parametrize("text", ["N/A", "n/a", "n.a.", "-", "\u2013", "null", "undefined", "NaN", "<b>N/A</b>"])
def test_a_text_that_stands_for_nothing_is_null(text: str) -> None:
    got = verdict([shop.record(9, badge=text)])
    assert (got.status, got.records) == (PageStatus.OK, (shop.record(9, badge=None),))
    required = verdict([shop.record(9, title=text)], known=[shop.record(9)])
    assert (required.status, required.records) == (PageStatus.DRIFT, (shop.record(9, title=None),))


def test_a_text_that_would_stand_for_nothing_is_a_value_where_it_was_one() -> None:
    seen = shop.golden(8, shop.old_page(8, badge="N/A"), [shop.record(8, badge="N/A")])
    expected = Expectation(shop.version(), shop.SCHEMA, (*shop.goldens(), seen))
    assert verdict([shop.record(9, badge="n/a")], expected=expected).records[0]["badge"] == "n/a"
    known = [shop.record(9, badge="n.a.")]
    assert verdict([shop.record(9, badge="n.a.")], known=known).records[0]["badge"] == "n.a."
    assert verdict([shop.record(9, badge="Nan bread")]).records[0]["badge"] == "Nan bread"


def test_what_is_not_confirmed_on_the_old_layout_is_not_said_to_have_another() -> None:
    got = verdict([shop.record(9, title=None)])
    assert got.status is PageStatus.DRIFT
    assert not [line for line in got.lines if "another layout" in line]
    assert "brand: is not confirmed, and the extractor does not fit this page" in got.lines
    redesigned = verdict([shop.record(9, title=None)], shop.new_page(9))
    assert "brand: is not confirmed, and the page has another layout" in redesigned.lines


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("price", 1300_000_000.0, "price: is far from the usual"),
        ("title", "<div class='x'>Kettle</div>", "title: looks like markup"),
        ("brand", "x" * 900, "brand: is 900 characters long"),
        ("price", "free", "price:"),
    ],
)
def test_a_foreign_value_is_null_and_named(field: str, value: Any, said: str) -> None:
    got = verdict([shop.record(9, **{field: value})])
    assert got.status is PageStatus.PARTIAL
    assert got.records[0][field] is None
    assert got.records[0]["link"] == shop.url(9)
    assert [line for line in got.lines if line.startswith(said)]
    assert len(got.lines) == 1


def test_a_required_field_that_is_missing_is_drift() -> None:
    got = verdict([shop.record(9, title=None)], known=[shop.record(9)])
    assert got.status is PageStatus.DRIFT
    assert got.records == (shop.record(9, title=None),)  # the rest is confirmed by history
    assert [(one.field, one.kind) for one in got.problems] == [("title", "title: required")]
    assert "title: " in got.lines[0]


@pytest.mark.parametrize("kind", ["exception", "deadline", "memory", "crash", "output", "refused"])
def test_fault_06_a_failing_extractor_is_evidence_against_it(kind: str) -> None:
    got = verdict(None, failure=Failure(kind, "TypeError: 'NoneType' object", 3))
    assert got.status is PageStatus.DRIFT
    assert got.lines == (f"the extractor failed: {kind}: TypeError: 'NoneType' object (line 3)",)
    assert got.causes == (f"failed {kind}",)


def test_a_page_that_cannot_be_parsed_is_no_fault_of_the_extractor() -> None:
    assert verdict(None, failure=Failure("page", "nested too deeply")).status is PageStatus.ERROR


def test_no_records_where_there_were_always_some_is_drift() -> None:
    got = verdict([])
    assert (got.status, got.records) == (PageStatus.DRIFT, ())
    assert "no records" in got.lines[0]


def test_two_records_where_there_was_always_one() -> None:
    assert verdict([shop.record(9), shop.record(8)]).status is PageStatus.DRIFT


# -- history ---------------------------------------------------------------------------------------------------------


def test_fault_17_an_optional_field_that_is_gone_but_stands_on_the_page_is_named() -> None:
    page = shop.old_page(9).replace('<i class="badge">', '<i class="ribbon">')
    known = [shop.record(9, badge="Bestseller")]
    got = verdict([shop.record(9, badge=None)], page.replace("New", "Bestseller"), known=known)
    assert got.status is PageStatus.PARTIAL
    assert got.lines == ("badge: is gone: it was 'Bestseller'",)


def test_an_optional_field_that_was_taken_off_the_page_is_no_problem() -> None:
    got = verdict([shop.record(9, badge=None)], shop.old_page(9, badge=None), known=[shop.record(9)])
    assert got.status is PageStatus.OK


def test_a_field_that_every_known_page_fills_is_named_where_it_is_null_and_is_no_drift() -> None:
    got = verdict([shop.record(9, price=None)], shop.old_page(9, price=None))
    assert (got.status, got.causes) == (PageStatus.PARTIAL, ())
    assert got.lines == ("price: is missing: all 3 known pages have it",)
    nothing_else = dict.fromkeys(shop.SCHEMA.names) | {"title": "Kettle number 9"}
    assert verdict([nothing_else]).status is PageStatus.PARTIAL


def test_a_field_that_this_page_never_had_is_not_named() -> None:
    page, record = shop.old_page(9, price=None), shop.record(9, price=None)
    assert verdict([record], page, known=[record]).status is PageStatus.OK
    few = Expectation(shop.version(), shop.SCHEMA, shop.goldens((1, 2)))
    assert verdict([record], page, expected=few).status is PageStatus.OK


def test_a_price_that_has_moved_is_no_problem() -> None:
    assert verdict([shop.record(9, price=3.0)], known=[shop.record(9)]).status is PageStatus.OK


def test_a_title_that_was_edited_on_the_same_layout_is_no_problem() -> None:
    title = "Kettle number 9, second edition"
    got = verdict([shop.record(9, title=title)], shop.old_page(9, title=title), known=[shop.record(9)])
    assert got.status is PageStatus.OK


def test_another_value_where_the_old_one_still_stands_is_misread() -> None:
    got = verdict([shop.record(9, title="Welcome to our shop")], shop.new_page(9), known=[shop.record(9)])
    assert got.records[0]["title"] is None
    assert "title: is 'Welcome to our shop', and 'Kettle number 9' stands on the page as before" in got.lines


# -- a redesign ------------------------------------------------------------------------------------------------------


def test_values_that_nothing_confirms_on_a_new_layout_are_not_served() -> None:
    nothing = dict.fromkeys(shop.SCHEMA.names)
    got = verdict([nothing | {"title": "Welcome to our shop"}], shop.new_page(9))
    assert (got.status, got.records) == (PageStatus.DRIFT, ())
    assert any(line.startswith("title: is not confirmed") for line in got.lines)
    assert any(line.startswith("price: is missing: it was always there") for line in got.lines)


def test_an_extractor_that_survives_a_redesign_is_ok_where_history_confirms_it() -> None:
    got = verdict([shop.record(9)], shop.new_page(9), known=[shop.record(9)])
    assert (got.status, got.records) == (PageStatus.OK, (shop.record(9),))


def test_pages_that_vary_among_themselves_are_given_more_room() -> None:
    """Golden pages that share half of their marks: on a third as far from both, a brand may be missing."""

    def page(number: int) -> str:
        marks = "".join(f'<i class="only-{chr(97 + number)}{chr(97 + n)}">x</i>' for n in range(7))
        return shop.old_page(number) + marks

    varied = Expectation(shop.version(), shop.SCHEMA, shop.goldens((1, 2), page=page))
    strict = Expectation(shop.version(), shop.SCHEMA, shop.goldens((1, 2)))
    said = [verdict([shop.record(9, brand=None)], page(9), expected=one).status for one in (varied, strict)]
    assert said == [PageStatus.OK, PageStatus.PARTIAL]


def test_a_page_that_has_nearly_all_of_the_learnt_layout_and_much_more_is_no_redesign() -> None:
    more = "".join(f"<b class='plus-{one}{two}'>+</b>" for one in "abcdefgh" for two in "abcdefgh")
    for lost, status in (("brand",), PageStatus.OK), (("brand", "self", "price"), PageStatus.DRIFT):
        page = shop.old_page(9) + more
        for one in lost:
            page = page.replace(f'class="{one}"', "")
        assert verdict([shop.record(9)], page).status is status


def test_markup_confirms_on_a_new_layout_where_it_was_right_before() -> None:
    names = frozenset(shop.SCHEMA.names)
    got = verdict([shop.record(9)], shop.new_page(9), markup=Markup((shop.record(9),), names))
    assert got.status is PageStatus.OK


def test_fields_read_from_json_only_survive_a_redesign() -> None:
    reader = '{"readers": [{"read": "json", "args": ["@Product.name"]}]}'
    plan = '{"fields": {' + ", ".join(f'"{name}": {reader}' for name in shop.SCHEMA.names) + "}}"
    expected = Expectation(shop.version(plan=plan), shop.SCHEMA, shop.goldens())
    assert expected.structured == set(shop.SCHEMA.names)
    assert verdict([shop.record(9)], shop.new_page(9), expected=expected).status is PageStatus.OK


def test_a_value_that_moved_with_the_layout_is_served_only_where_markup_attests_it() -> None:
    moved, names = shop.record(9, brand="Quill"), frozenset(shop.SCHEMA.names)
    page = shop.new_page(9, brand="Quill")
    got = verdict([moved], page, known=[shop.record(9)])
    assert got.records == (shop.record(9, brand=None),)
    assert got.lines == ("brand: is 'Quill', and was 'Nordhaus' before the page got another layout",)
    got = verdict([moved], page, known=[shop.record(9)], markup=Markup((moved,), names))
    assert (got.status, got.records) == (PageStatus.PARTIAL, (moved,))
    assert got.lines == ("brand: may be another value: it was 'Nordhaus'",)


def test_a_picture_that_moved_to_another_host_and_a_text_set_anew_are_served() -> None:
    known = shop.record(9, link="https://cdn.example/a/kettle_9.jpg?w=1", title="Kettle: number 9")
    now = shop.record(9, link="https://shop.example/media/kettle_9.jpg", title="Kettle – number 9")
    got = verdict([now], shop.new_page(9), known=[known])
    assert got.records == (now,)
    assert [line.partition(":")[0] for line in got.lines] == ["link", "title"]


# -- markup ----------------------------------------------------------------------------------------------------------


def test_a_value_that_the_markup_contradicts_is_not_served() -> None:
    markup = Markup((shop.record(9, brand="Quill"),), frozenset({"brand", "title"}))
    got = verdict([shop.record(9)], markup=markup)
    assert got.records == (shop.record(9, brand=None),)
    assert got.lines == ("brand: is 'Nordhaus', and the page's markup says 'Quill'",)


def test_markup_that_was_wrong_before_is_not_believed() -> None:
    assert verdict([shop.record(9)], markup=Markup((shop.record(9, brand="Quill"),))).status is PageStatus.OK


# -- lists -----------------------------------------------------------------------------------------------------------

ROWS = Schema("Row@1", (Field("name", required=True), Field("day", Kind.DATE), Field("judge")))
JUDGES = ("Adams", "Baker", "Clark", "Davis")


def rows(count: int, start: int = 0) -> list[Record]:
    return [
        {"name": f"Case {n} v. State", "day": f"2024-01-{1 + n % 28:02}", "judge": JUDGES[n % 4]}
        for n in range(start, start + count)
    ]


def listing(count: int, start: int = 0) -> str:
    body = "".join(
        f'<div class="hit"><a class="name">{r["name"]}</a><i>{r["day"]}</i></div>' for r in rows(count, start)
    )
    return shop.document(f'<div class="hits">{body}</div><div class="pager"><a class="next">next</a></div>')


LIST = Expectation(
    shop.version(fields=ROWS.names),
    ROWS,
    [shop.golden(1, listing(20), rows(20)), shop.golden(2, listing(18, 20), rows(18, 20))],
)


def test_a_list_like_those_before_is_ok_even_where_its_last_page_is_short() -> None:
    assert verdict(rows(20, 40), listing(20, 40), expected=LIST).status is PageStatus.OK
    assert verdict(rows(3, 40), listing(3, 40), expected=LIST).status is PageStatus.OK


def test_what_stands_as_often_as_records_on_a_single_known_page_may_be_no_row() -> None:
    menu = '<ul class="menu">' + '<li class="entry">more</li>' * 7 + "</ul>"
    once = Expectation(shop.version(fields=ROWS.names), ROWS, [shop.golden(1, menu + listing(7), rows(7))])
    assert verdict(rows(60, 40), menu + listing(60, 40), expected=once).status is PageStatus.OK
    assert verdict(rows(60, 40), menu + listing(60, 40).replace("hit", "row"), expected=once).status is PageStatus.OK
    assert verdict(rows(7, 40), menu + listing(60, 40), expected=once).status is not PageStatus.OK


def test_a_mark_that_stands_twice_in_each_row_is_no_second_row() -> None:
    def table(count: int, cell: str) -> str:
        body = "".join(f'<tr><td><a class="go">{r["name"]}</a></td><td>{cell}</td></tr>' for r in rows(count))
        return shop.document(f"<table><tr><th>Name</th><th>Day</th></tr>{body}</table>")

    plan = Plan({}, Rows(Read("css", ("table:has(td) > tbody > tr:not(:has(th))",), "page"))).dumps()
    old, new = table(8, "1 May"), table(8, '<a class="go">1 May</a>')
    for one, status in ((plan, PageStatus.OK), (None, PageStatus.DRIFT)):
        expected = Expectation(shop.version(fields=ROWS.names, plan=one), ROWS, [shop.golden(1, old, rows(8))])
        assert verdict(rows(8), new, expected=expected).status is status
    fewer = Expectation(shop.version(fields=ROWS.names, plan=plan), ROWS, [shop.golden(1, old, rows(8))])
    assert verdict(rows(8), table(20, ""), expected=fewer).status is PageStatus.DRIFT


def test_a_list_of_other_things_beside_the_rows_is_no_reason_to_doubt_them() -> None:
    def page(count: int, others: int, *, apart: bool = True) -> str:
        of_another = "".join(f'<div class="hit note"><i>Note {n}</i></div>' for n in range(others))
        end = f'</div><div class="notes">{of_another}</div>' if apart else f"{of_another}</div>"
        return listing(count, 40).replace('</div><div class="pager">', f'{end}<div class="pager">')

    plan = Plan({}, Rows(Read("css", ("div.hit:not(.note)",), "page"))).dumps()
    goldens = [shop.golden(number, page(number, 0), rows(number, 40)) for number in (12, 9)]
    expected = Expectation(shop.version(fields=ROWS.names, plan=plan), ROWS, goldens)
    assert verdict(rows(6, 40), page(6, 14), expected=expected).status is PageStatus.OK
    for doubtful in (page(6, 14, apart=False), page(20, 0)):
        got = verdict(rows(6, 40), doubtful, expected=expected)
        assert got.lines[0].startswith("6 records, where the page has ")


def test_what_stood_once_a_row_elsewhere_by_chance_is_no_reason_to_doubt_more_rows() -> None:
    def page(count: int, notes: int) -> str:
        words = "".join(f'<b class="{name}">so</b>' for name in ("lead", "said", "seen", "told", "by"))
        note = f'<div class="notes">{f"<p>{words}</p>" * notes}</div><div class="pager">'
        return listing(count, 40).replace('<div class="pager">', note)

    plan = Plan({}, Rows(Read("css", ("div.hit",), "page"))).dumps()
    goldens = [shop.golden(number, page(number, number), rows(number, 40)) for number in (12, 9)]
    expected = Expectation(shop.version(fields=ROWS.names, plan=plan), ROWS, goldens)
    assert verdict(rows(20, 40), page(20, 6), expected=expected).status is PageStatus.OK
    astray = page(6, 6).replace("<p>", '<p><div class="hit">').replace("</p>", "</div></p>")
    assert verdict(rows(12, 40), astray, expected=expected).status is PageStatus.DRIFT


@pytest.mark.parametrize(("reader", "kept"), [("preceding", True), ("text", False)])
def test_rows_under_one_heading_may_all_say_what_it_says(reader: str, kept: bool) -> None:
    plan = Plan({"day": FieldPlan((Read(reader, ("h2",)),))}, Rows(Read("css", (".hit",), "page"))).dumps()
    expected = Expectation(shop.version(fields=ROWS.names, plan=plan), ROWS, [shop.golden(1, listing(8), rows(8))])
    got = verdict([r | {"day": "2024-02-03"} for r in rows(8, 40)], listing(8, 40), expected=expected)
    assert all((row["day"] is not None) is kept for row in got.records)


def test_fault_17_one_row_of_twenty_is_drift() -> None:
    got = verdict(rows(1, 40), listing(20, 40), expected=LIST)
    assert got.status is PageStatus.DRIFT
    assert got.lines[0] == "1 records, where the page has 20 rows"


def test_fault_17_twenty_identical_rows_are_drift() -> None:
    junk = [{"name": "Read more", "day": None, "judge": None}] * 20
    got = verdict(junk, listing(20), expected=LIST)
    assert (got.status, got.records) == (PageStatus.DRIFT, ())
    assert "20 records, most of them the same" in got.lines


def test_a_column_that_says_the_same_in_every_row_is_null_and_named() -> None:
    got = verdict([r | {"name": "Opinion"} for r in rows(20, 40)], listing(20, 40), expected=LIST)
    assert all(row["name"] is None and row["day"] for row in got.records)
    assert any(line.startswith("name: is the same in all 20 records") for line in got.lines)


def test_a_column_that_says_throughout_what_many_known_rows_say_is_served() -> None:
    known = [row | {"name": "Granted"} if n % 2 else row for n, row in enumerate(rows(8))]
    expected = Expectation(shop.version(fields=ROWS.names), ROWS, [shop.golden(1, listing(8), known)])
    got = verdict([r | {"name": "Granted"} for r in rows(20, 40)], listing(20, 40), expected=expected)
    assert all(row["name"] == "Granted" for row in got.records)
    other = verdict([r | {"name": "Read on"} for r in rows(20, 40)], listing(20, 40), expected=expected)
    assert all(row["name"] is None for row in other.records)


def test_a_problem_of_a_column_counts_its_records_once() -> None:
    got = verdict([r | {"name": str(n)} for n, r in enumerate(rows(20, 40))], listing(20, 40), expected=LIST)
    assert "name: is only figures in all 20 records: each had letters before" in got.lines


def test_a_column_that_is_gone_is_named_once() -> None:
    got = verdict([r | {"judge": None} for r in rows(20, 40)], listing(20, 40), expected=LIST)
    assert got.status is PageStatus.PARTIAL
    assert got.lines == ("judge: is missing: it was always there (20 of 20 records)",)


def test_labels_of_which_none_is_an_old_one_are_not_served_on_a_changed_page() -> None:
    html = listing(20, 40).replace('class="name"', 'class="headline"')
    assert verdict(rows(20, 40), html, expected=LIST).status is PageStatus.OK
    got = verdict([r | {"judge": "Hon. " + r["judge"]} for r in rows(20, 40)], html, expected=LIST)
    (line,) = got.lines
    assert line.startswith("judge: is 'Hon. Adams', and no value is one of the 4 that were usual")
    assert all(row["judge"] is None and row["name"] for row in got.records)


def test_far_fewer_rows_than_last_time_on_a_new_layout_are_drift() -> None:
    html = shop.document("<table class='t'><tr><td>Case 1 v. State</td></tr></table>")
    got = verdict(rows(2), html, expected=LIST, known=rows(20))
    assert "2 records, where there were 20" in got.lines


def test_rows_are_compared_with_the_same_item_whatever_its_place() -> None:
    moved = [{"name": "Case 99 v. State", "day": "2024-02-01", "judge": "Adams"}, *rows(19)]
    moved[5] = moved[5] | {"judge": None}
    got = verdict(moved, listing(20), expected=LIST, known=rows(20))
    assert got.lines == ("judge: is gone: it was 'Adams' (1 of 20 records)",)


# -- where little is known -------------------------------------------------------------------------------------------


def test_without_golden_pages_the_versions_own_profile_is_the_measure() -> None:
    filled = {"count": 3, "fill": 1.0, "distinct": 1.0, "odd": 0.0}
    profile = dict.fromkeys(shop.SCHEMA.names, filled) | {"badge": {"count": 3, "fill": 0.3, "odd": 0.0}}
    expected = Expectation(shop.version(profile=profile), shop.SCHEMA)
    assert expected.always == {"title", "price", "brand", "link"}
    assert verdict([shop.record(9)], expected=expected).status is PageStatus.OK
    assert verdict([shop.record(9, title=None)], expected=expected).status is PageStatus.DRIFT


def test_a_residual_field_is_no_news() -> None:
    expected = Expectation(shop.version(residual=("brand",)), shop.SCHEMA, shop.goldens())
    got = verdict([shop.record(9, brand=None)], expected=expected, known=[shop.record(9)])
    assert got.status is PageStatus.OK


def test_others_of_history_widen_what_is_usual() -> None:
    dear = [Known(shop.url(n), (shop.record(n, price=400_000_000.0),), shop.AT) for n in range(20, 24)]
    expected = Expectation(shop.version(), shop.SCHEMA, shop.goldens(), dear)
    assert verdict([shop.record(9, price=300_000_000.0)]).status is PageStatus.PARTIAL
    assert verdict([shop.record(9, price=300_000_000.0)], expected=expected).status is PageStatus.OK
