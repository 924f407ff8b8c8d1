"""A text that held one code on every known row, and holds several on a later one."""

import pytest

from tests.fakes.listings import proposed, read, sample

CASES = [
    ("24-101", "Roe v. Doe"),
    ("24-117", "Poe v. Coe"),
    ("23-9", "In re Vole"),
    ("24-88", "Hill v. Dale"),
    ("24-90", "Ash v. Elm"),
]


def page(*texts: str) -> str:
    return "<ul>" + "".join(f'<li><a href="/{n}.pdf">{text}</a></li>' for n, text in enumerate(texts)) + "</ul>"


def records() -> list[dict[str, object]]:
    return [{"code": code, "title": title, "link": f"/{n}.pdf"} for n, (code, title) in enumerate(CASES)]


FOUND = proposed(sample(page(*(f"{code}, {title}" for code, title in CASES)), records()))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("24-5, Oak v. Fir", ("24-5", "Oak v. Fir")),
        ("24-5, 24-6, Oak v. Fir", (None, None)),
        ("24-5, Oak v. Fir, 24-6, Fir v. Oak", (None, None)),
    ],
)
def test_nothing_is_cut_out_of_a_text_with_several_codes(text: str, wanted: tuple[str | None, str | None]) -> None:
    [got] = read(FOUND, page(text))
    assert (got["code"], got["title"]) == wanted
    assert got["link"] == "https://site.example/0.pdf"


def test_a_row_told_with_several_codes_shows_that_texts_may_hold_them() -> None:
    texts = [f"{code}, {title}" for code, title in CASES]
    texts[1] = "24-117, Poe v. Coe, 24-118"
    [got] = read(proposed(sample(page(*texts), records())), page("24-5, Oak v. Fir, 24-6"))
    assert got["code"] == "24-5"


@pytest.mark.parametrize("end", ["", ":"])
def test_a_text_that_is_the_value_as_a_whole_may_hold_what_it_likes(end: str) -> None:
    rows = "".join(f"<tr><td>{code}{end}</td><td>{title}</td></tr>" for code, title in CASES)
    known = [{"code": code, "title": title} for code, title in CASES]
    found = proposed(sample(f"<table>{rows}</table>", known))
    [got] = read(found, f"<table><tr><td>24-5, 24-6{end}</td><td>Oak v. Fir</td></tr></table>")
    assert (got["code"], got["title"]) == ("24-5, 24-6", "Oak v. Fir")
