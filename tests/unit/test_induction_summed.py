"""A field that is called a total is read as the sum of others, where the page does not say it as a whole."""

import json

from crawloop.model.family import Version
from crawloop.model.kind import Field, Kind
from tests.unit.test_induction_cases import learned, propose, read, sample

TOTAL, PREP, COOK = (Field(f"{one}_time", Kind.DURATION, unit="minutes") for one in ("total", "prep", "cook"))


def page(**times):
    said = {"@type": "Recipe", "name": "Soup"} | {name: f"PT{minutes}M" for name, minutes in times.items()}
    return f'<script type="application/ld+json">{json.dumps(said)}</script>'


def test_a_total_that_is_not_said_is_the_sum_of_its_parts():
    known = sample(1, page(prepTime=15, cookTime=25, totalTime=40), prep_time=15, cook_time=25, total_time=40)
    plan = learned([known], TOTAL, PREP, COOK)
    assert read(plan, page(prepTime=5, cookTime=20))["total_time"] == 25
    assert read(plan, page(prepTime=5, cookTime=20, totalTime=60))["total_time"] == 60
    assert read(plan, page(prepTime=5))["total_time"] is None


def test_a_total_that_is_more_than_its_parts_is_no_sum():
    known = sample(1, page(prepTime=15, cookTime=25, totalTime=100), prep_time=15, cook_time=25, total_time=100)
    assert read(learned([known], TOTAL, PREP, COOK), page(prepTime=5, cookTime=20))["total_time"] is None


def test_where_samples_say_so_a_total_is_the_sum_of_what_there_is():
    both = sample(1, page(prepTime=15, cookTime=25), prep_time=15, cook_time=25, total_time=40)
    raw = sample(2, page(prepTime=7), absent=["cook_time"], prep_time=7, total_time=7)
    assert read(learned([both, raw], TOTAL, PREP, COOK), page(cookTime=20))["total_time"] == 20


def test_with_three_pages_a_total_that_differs_from_its_parts_is_still_read():
    shown = [(15, 25), (5, 30), (20, 60)]
    known = [
        sample(n, page(prepTime=a, cookTime=b, totalTime=a + b), prep_time=a, cook_time=b, total_time=a + b)
        for n, (a, b) in enumerate(shown)
    ]
    plan = learned(known, TOTAL, PREP, COOK)
    assert read(plan, page(prepTime=5, cookTime=20, totalTime=60))["total_time"] == 60


def test_only_what_is_called_a_total_is_a_sum():
    rest = Field("rest_time", Kind.DURATION, unit="minutes")
    known = sample(1, page(prepTime=15, cookTime=25), prep_time=15, cook_time=25, rest_time=40)
    assert "rest_time" not in learned([known], rest, PREP, COOK).fields


def test_one_page_does_not_say_that_a_total_is_another_field():
    known = sample(1, page(prepTime=15) + "<p>Keeps for 15 minutes</p>", prep_time=15, total_time=15)
    assert read(learned([known], TOTAL, PREP), page(prepTime=5, cookTime=20)) == {"prep_time": 5}


def test_a_part_that_no_page_teaches_is_one_of_the_sum_by_its_name():
    known = sample(1, page(prepTime=180), prep_time=180, total_time=180)
    plan = learned([known], TOTAL, PREP, COOK)
    assert read(plan, page(prepTime=15, cookTime=30)) == {"prep_time": 15, "cook_time": 30, "total_time": 45}


def test_behind_all_that_say_the_whole_the_sum_is_what_to_fall_back_on():
    shown = "<dl><dt>Total time</dt><dd>{0} minutes</dd></dl><b class=total_time>{0} minutes</b>"
    html = page(prepTime=15, cookTime=25, totalTime=40) + shown.format(40)
    known = sample(1, html, prep_time=15, cook_time=25, total_time=40)
    plan = learned([known], TOTAL, PREP, COOK)
    assert len(plan.fields["total_time"].readers) == 4
    assert read(plan, page(prepTime=5, cookTime=20))["total_time"] == 25
    assert read(plan, page(prepTime=5, cookTime=20) + shown.format(60))["total_time"] == 60


def test_what_the_active_version_reads_for_the_total_it_goes_on_reading():
    known = [sample(n, page(prepTime=one), prep_time=one, total_time=one) for n, one in ((1, 15), (2, 20))]
    before = propose(known, TOTAL, PREP)
    active = Version("soups", 1, before.source, before.origin, "Item@1", 1, "", plan=before.plan)
    assert "total_time" in propose(known[:1], TOTAL, PREP, active=active).fields
