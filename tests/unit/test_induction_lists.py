"""Lists of texts that stand on a page more than once: which place is believed."""

from crawloop.model.kind import Field
from tests.unit.test_induction_cases import TITLE, learned, read, sample

PARTS = Field("ingredients", many=True)
SHOWN, OTHER = ("two eggs", "salt", "warm milk"), ("rice", "salt", "black beans", "salt")


def test_a_list_that_stands_twice_is_read_at_one_place_with_all_it_says() -> None:
    def page(title: str, texts: tuple[str, ...]) -> str:
        items = "".join(f"<dl>{one}</dl>" for one in texts)
        shown = f"<div class=ingredients><div>{title} for two</div>{items}</div>"
        return f"<h1>{title}</h1><main>{shown}<div class=printed><div>{title} today</div>{items}</div></main>"

    plan = learned([sample(1, page("Cake", SHOWN), title="Cake", ingredients=[*SHOWN])], TITLE, PARTS)
    assert read(plan, page("Beans", OTHER))["ingredients"] == [*OTHER]


def test_headings_that_microdata_marks_as_elements_of_a_list_are_seen_to_be_headings() -> None:
    def page(title: str, *items: str) -> str:
        marked = "".join(f"<li itemprop=ingredients>{one}</li>" for one in items)
        return (
            f'<div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop=name>{title}</h1><ul>{marked}</ul></div>'
        )

    plan = learned([sample(1, page("Cake", *SHOWN), title="Cake", ingredients=[*SHOWN])], TITLE, PARTS)
    assert read(plan, page("Beans", *OTHER))["ingredients"] == [*OTHER]
    assert not read(plan, page("Pie", "<b>For the crust:</b>", "flour", "<b>For the top:</b>", "plums"))["ingredients"]


HEADLINES = Field("headlines", many=True)


def test_headings_are_read_as_such_rather_than_from_the_links_to_them() -> None:
    def page(title: str, links: bool, *heads: str) -> str:
        contents = "".join(f'<a class="contents-link" href="#{one}">{one}</a>' for one in heads if links)
        parts = "".join(f'<h2 class="body-heading" id="{one}">{one}</h2><p>More of it.</p>' for one in heads)
        return f"<h1>{title}</h1>{contents}{parts}"

    said = ["Early days", "The long winter", "Home again"]
    fields = TITLE, HEADLINES, Field("body")
    plan = learned([sample(1, page("A road", True, *said), title="A road", headlines=said)], *fields)
    other = ["Rain", "More rain"]
    assert read(plan, page("A river", False, *other))["headlines"] == other
