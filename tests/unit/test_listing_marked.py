"""Labels of a listing that one word of the row makes out of a plainer label."""

from tests.fakes.listings import proposed, read, sample

CALLS = [("push", ""), ("pop", ""), ("size", ""), ("of", "static "), ("peek", ""), ("copyOf", "static "), ("swap", "")]
TYPES = ["int", "String", "Basket", "void", "Order[]"]


def page(calls: list[tuple[str, str]]) -> str:
    rows = "".join(
        f'<tr class="call"><td class="type"><code>{word}{TYPES[n % 5]}</code></td><td><a href="#{name}">{name}</a>'
        f"<p>Says what {name} gives.</p></td></tr>"
        for n, (name, word) in enumerate(calls)
    )
    return f"<h2>Method Summary</h2><p>Every static method and every other method.</p><table>{rows}</table>"


def records(calls: list[tuple[str, str]]) -> list[dict[str, object]]:
    return [{"title": name, "note": f"{word}method"} for name, word in calls]


def test_a_word_of_the_row_makes_another_label_of_the_heading() -> None:
    found = proposed(sample(page(CALLS), records(CALLS)))
    others = [("drain", ""), ("empty", "static "), ("poll", "")]
    got = read(found, page(others))
    assert [(one["title"], one["note"].lower()) for one in got] == [
        ("drain", "method"),
        ("empty", "static method"),
        ("poll", "method"),
    ]


def test_a_word_without_the_label_that_it_belongs_to_is_none() -> None:
    found = proposed(sample(page(CALLS), records(CALLS)))
    bare = page([("empty", "static "), ("poll", "")]).partition("</p>")[2]
    assert [one["note"] for one in read(found, bare)] == [None, None]
