"""Labels of a listing that one word of the row makes out of a plainer label."""

from tests.fakes.listings import proposed, read, sample

CALLS = [("push", ""), ("pop", ""), ("size", ""), ("of", "static "), ("peek", ""), ("copyOf", "static "), ("swap", "")]


def page(calls: list[tuple[str, str]]) -> str:
    rows = "".join(
        f'<tr class="call"><td class="type"><code>{word}int</code></td><td><a href="#{name}">{name}</a>'
        f"<p>Says what {name} gives.</p></td></tr>"
        for name, word in calls
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
