"""Labels of a listing that its rows say in a code of their own."""

from tests.fakes.listings import proposed, read, sample

SORTS = {"Class": "t2", "Interface": "t1", "Exception": "t5"}
TYPES = [("Basket", "Class"), ("Order", "Class"), ("Payable", "Interface"), ("Sellable", "Interface")]
TYPES += [("NoStock", "Exception"), ("Shop", "Class"), ("Countable", "Interface"), ("NoPrice", "Exception")]
TYPES += [("Till", "Class")]


def page(types: list[tuple[str, str]], codes: dict[str, str]) -> str:
    rows = "".join(
        f'<li class="{"odd" if n % 2 else "even"} sort-{codes[kind]}"><a href="/{name}.html">{name}</a></li>'
        for n, (name, kind) in enumerate(types)
    )
    tabs = "".join(f"<b>{kind}</b>" for kind in codes)
    return f"<h2>All types</h2><p>{tabs}</p><ul class=types>{rows}</ul>"


def badges(types: list[tuple[str, str]]) -> str:
    rows = "".join(f"<li><i>{kind[0]}</i> <a href='/{name}.html'>{name}</a></li>" for name, kind in types)
    return f"<p>Class, Interface or Exception</p><ul class=types>{rows}</ul>"


def records(types: list[tuple[str, str]]) -> list[dict[str, object]]:
    return [{"title": name, "note": kind} for name, kind in types]


OTHERS = [("Lamp", "Interface"), ("Chair", "Class"), ("Broken", "Exception")]


def test_a_class_of_the_row_stands_for_a_label_and_an_unknown_one_for_none() -> None:
    found = proposed(sample(page(TYPES, SORTS), records(TYPES)))
    got = read(found, page([*OTHERS, ("Colour", "Enum")], SORTS | {"Enum": "t9"}))
    assert [(one["title"], one["note"]) for one in got] == [*OTHERS, ("Colour", None)]


def test_a_letter_in_a_badge_stands_for_a_label() -> None:
    found = proposed(sample(badges(TYPES), records(TYPES)))
    assert [(one["title"], one["note"]) for one in read(found, badges(OTHERS))] == OTHERS


def entries(types: list[tuple[str, str]]) -> str:
    rows = "".join(
        f'<dl class="entry {kind.lower()} shown"><dt>{name}</dt><dd>See {types[(n + 1) % len(types)][0]}.</dd></dl>'
        for n, (name, kind) in enumerate(types)
    )
    return f"<p>Class, Interface or Exception</p><div class=all>{rows}</div>"


def test_a_class_that_is_the_label_itself_names_labels_that_no_sample_has() -> None:
    found = proposed(sample(entries(TYPES), records(TYPES)))
    got = read(found, entries([*OTHERS, ("Colour", "Enum")]))
    assert [(one["title"], one["note"]) for one in got] == [
        *((name, kind.lower()) for name, kind in OTHERS),
        ("Colour", "enum"),
    ]
