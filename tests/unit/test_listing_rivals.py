"""Listing induction where two fields of all labelled rows have one value: names tell which place is whose."""

from tests.fakes.listings import proposed, read, sample

ROWS = [("03/02/2024", "Lamp sold"), ("03/05/2024", "Table lent to a school"), ("03/09/2024", "Kettle thrown away")]


def page(rows: list[tuple[str, str, str]]) -> str:
    told = "".join(f"<tr><td>{day}</td><td>{text}. (Note: {note})</td></tr>" for day, text, note in rows)
    return f"<table><tr><th>Code</th><th>Text</th></tr>{told}</table>"


def test_of_two_fields_with_one_value_the_one_that_is_named_elsewhere_is_read_there() -> None:
    taught = sample(page([(day, text, day) for day, text in ROWS]), [{"code": day, "note": day} for day, _ in ROWS])
    other = page([("04/01/2024", "Shelf mended", "04/02/2024"), ("04/07/2024", "Rug washed", "04/07/2024")])
    assert read(proposed(taught), other) == [
        {"code": "04/01/2024", "note": "04/02/2024"},
        {"code": "04/07/2024", "note": "04/07/2024"},
    ]


def test_without_another_name_both_are_read_at_one_place() -> None:
    plain = page([(day, text, "none") for day, text in ROWS])
    taught = sample(plain, [{"code": day, "note": day} for day, _ in ROWS])
    assert read(proposed(taught), plain) == [{"code": day, "note": day} for day, _ in ROWS]
