"""Links that one page teaches, as a template writes them: relative to the page."""

from crawloop.carriers.naming import affinity
from crawloop.model.kind import Field, Kind
from tests.unit.test_induction_cases import TITLE, learned, read, sample

AT = "https://shop.example/files/"


def test_the_links_of_a_list_are_joined_to_the_page() -> None:
    def page(title: str, *names: str) -> str:
        links = "".join(f'<li><a href="/files/{one}">{one}</a></li>' for one in names)
        return f"<h1>{title}</h1><ul class=documents>{links}</ul>"

    documents = Field("documents", Kind.URL, many=True)
    known = ["plan-of-desk.pdf", "parts-of-desk.pdf"]
    links = [f"{AT}{one}" for one in known]
    plan = learned([sample(1, page("Desk", *known), title="Desk", documents=links)], TITLE, documents)
    other = ["how-to-lamp.pdf", "wires.pdf", "more-wires.pdf"]
    assert read(plan, page("Lamp", *other))["documents"] == [f"{AT}{one}" for one in other]


def test_several_are_called_as_one_is() -> None:
    for several, one in (("images", "img"), ("authors", "byline"), ("subtitles", "title")):
        assert (affinity(Field(several), one) > 0) is (several != "subtitles")
