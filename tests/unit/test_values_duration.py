"""Durations: ISO, worded in several languages, clocks, bare numbers."""

import pytest

from crawloop.values import parse_duration


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("PT1H30M", 90),
        ("PTH30M", 30),
        ("PT1HM", 60),
        ("P0DT45M", 45),
        ("PT2400M", 2400),
        ("PT90S", 1.5),
        ("P0Y0M0DT1H0M0S", 60),
        ("P1DT1H", 1500),
        ("PT1.5H", 90),
        ("pt20m", 20),
        ("PT0M", 0),
        ("90", 90),
        ("1:30", 90),
        ("1:30 h", 90),
        ("1:30:30", 90.5),
        ("3:45 min", 3.75),
        ("45 minutes", 45),
        ("45 min.", 45),
        ("1 hr 30 min", 90),
        ("1 hour and 20 minutes", 80),
        ("1 hour, 20 minutes", 80),
        ("1h20m", 80),
        ("1 h 5", 65),
        ("1h20", 80),
        ("2 days", 2880),
        ("90 seconds", 1.5),
        ("1½ hours", 90),
        ("1 1/2 hours", 90),
        ("¾ hour", 45),
        ("half an hour", 30),
        ("an hour", 60),
        ("one and a half hours", 90),
        ("1 Std. 15 Min.", 75),
        ("1,5 Stunden", 90),
        ("eine halbe Stunde", 30),
        ("1 heure et 20 minutes", 80),
        ("1 h 5 min", 65),
        ("una hora y media", 90),
        ("1 hora 20 minutos", 80),
        ("1 ora e 20 minuti", 80),
        ("1 uur en 20 minuten", 80),
        ("1 hora e 20 minutos", 80),
        ("1 timme 20 minuter", 80),
        ("1 time og 20 minutter", 80),
        ("1 tunti 5 min", 65),
        ("1 godz. 20 min", 80),
        ("1 hodina 20 minut", 80),
        ("1 saat 20 dakika", 80),
        ("1 ч 20 мин", 80),
        ("1 година 20 хвилин", 80),
        ("1 час и 20 минути", 80),
        ("1 ώρα και 20 λεπτά", 80),
        ("1 óra 20 perc", 80),
        ("1 ură și 20 minute", 80),
        ("1 tund 20 minutit", 80),
        ("20 phút", 20),
        ("20 menit", 20),
        ("1時間20分", 80),
        ("1 小时 20 分钟", 80),
        ("1시간 20분", 80),
        ("20 דקות", 20),
        ("20 دقيقة", 20),
    ],
)
def test_a_whole_text_is_read_in_minutes(text: str, minutes: float) -> None:
    assert parse_duration(text, strict=True) == minutes


def test_the_unit_is_the_one_that_was_asked_for() -> None:
    assert parse_duration("PT1H30M", "seconds") == 5400
    assert parse_duration("PT1H30M", "hours") == 1.5
    assert parse_duration("90", "seconds") == 90
    assert parse_duration(90, "seconds") == 90
    assert parse_duration("3:45", "seconds") == 225


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PT",
        "PTHM",
        "P",
        "P1M",
        "P1Y",
        "overnight",
        "30-40 minutes",
        "30 to 40 minutes",
        "Serves 4",
        "5 apples",
        "45 %",
        "45 €",
        "1:75",
        "20 min 1 h",
        "Cook time: 45 minutes",
        "PT1H30",
    ],
)
def test_a_text_that_is_no_duration_as_a_whole_is_none(text: str) -> None:
    assert parse_duration(text, strict=True) is None


def test_the_only_duration_of_a_text_is_read() -> None:
    assert parse_duration("Cook time: 45 minutes") == 45
    assert parse_duration("Time: 20m") == 20
    assert parse_duration("about 20 minutes for 4 people") == 20
    assert parse_duration("30 minutes a day") == 30


@pytest.mark.parametrize(
    "text",
    ["Prep 10 min, cook 20 min", "takes 30-40 minutes", "30 to 40 minutes", "5 m cable", "Servings: 4", True, None],
)
def test_what_is_not_one_duration_is_none(text: object) -> None:
    assert parse_duration(text) is None
