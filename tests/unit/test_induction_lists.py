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
