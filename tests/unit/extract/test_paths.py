"""Paths into the JSON of a page: their syntax, and what they reach."""

from typing import Any

import pytest

from crawloop.extract.data.paths import EVERY, Descend, Step, Where, format_path, parse, values

DATA: dict[str, Any] = {
    "name": "Soup",
    "author": {"name": "Jane", "@id": "#jane"},
    "plain": "Jane",
    "offers": [{"price": 1, "tags": ["a"]}, {"price": 2, "tags": ["b", "c"]}, {"sku": "x"}],
    "nested": [[{"a": 1}], [[{"a": 2}]]],
    "empty": [None, "", [], {}, "  ", 0, False],
    "props": [{"k": "Serves", "v": "4"}, {"k": "Takes", "v": 30}, {"k": 7, "v": "seven"}, {"k": True, "v": "yes"}],
    'odd "key"\\': {"": 1},
    "packed": ['{"a": {"b": "[1, {\\"c\\": 2}]"}}', "{not json"],
    "deep": {"x": [{"y": {"target": {"z": 1}}}, {"target": {"z": 2, "target": 3}}]},
}


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("name", ["Soup"]),
        ("author.name", ["Jane"]),
        ("plain.name", ["Jane"]),
        ('plain["@value"]', ["Jane"]),
        ("plain.url", ["Jane"]),
        ("plain.price", []),
        ("author.@id", ["#jane"]),
        ("offers.price", [1, 2]),
        ("offers[*].price", [1, 2]),
        ("offers[1].price", [2]),
        ("offers[-1].sku", ["x"]),
        ("offers[9].price", []),
        ("offers.tags", [["a"], ["b", "c"]]),
        ("offers.tags[*]", ["a", "b", "c"]),
        ("author[0].name", ["Jane"]),
        ("author[-1].name", ["Jane"]),
        ("author[1].name", []),
        ("author[*].name", ["Jane"]),
        ("nested.a", [1, 2]),
        ("empty[*]", [0, False]),
        ('props[?k="Serves"].v', ["4"]),
        ("props[?k=7].v", ["seven"]),
        ('props[?k="7"].v', ["seven"]),
        ("props[?k=true].v", ["yes"]),
        ('props[?k="Serv"].v', []),
        ('["odd \\"key\\"\\\\"][""]', [1]),
        ("deep..target.z", [1, 2]),
        ("deep..z", [1, 2]),
        ("deep..nothing", []),
        ("name[0]", ["Soup"]),
        ("missing.a.b", []),
        ("packed.a.b[-1].c", [2]),
        ("packed[0].a.b..c", [2]),
        ("packed[0].a.b[*]", [1, {"c": 2}]),
        ("packed[1]", ["{not json"]),
        ("packed[1].name", ["{not json"]),
    ],
)
def test_what_a_path_reaches(path: str, wanted: list[Any]) -> None:
    assert list(values(DATA, parse(path).steps)) == wanted


@pytest.mark.parametrize(
    ("island", "steps"),
    [
        ("@Recipe", ("name",)),
        ("#Product", ("offers", 0, "price")),
        ("@Odd type!", ("a",)),
        ("__NEXT_DATA__", ("props", "odd key", -1, EVERY, "b")),
        ("json[3]", ("a",)),
        ("window.STATE", ("a", 0)),
        (":props", ("a",)),
        ("data-product", ("name",)),
        ('a "b" \\ c', ("x.y", "z[0]", "é", "\n", "1", "")),
        ("x", (Where("odd key", 'say "hi"'), Where("k", "v"), Descend("d"), Descend("odd d"))),
        ("", ("a", "b")),
        ("", (0, "b")),
        ("", ("odd key",)),
        ("", (Descend("a"),)),
    ],
)
def test_paths_are_written_as_they_are_read(island: str, steps: tuple[Step, ...]) -> None:
    path = parse(format_path(island, steps))
    if island[:1] in ("@", "#"):
        assert (path.root, path.steps) == (island, steps)
    elif island == "json[3]":
        assert path.steps == ("json", 3, *steps)
    elif island == "window.STATE":
        assert path.steps == ("window", "STATE", *steps)
    else:
        assert path.steps == ((island, *steps) if island else steps)


@pytest.mark.parametrize(
    "path",
    ["a..", "a[", "a[x]", "a.", "@", "@Recipe name", "a[?k]", 'a["b', "a b", "[1.5]", "a[?k=v]", "@Recipe.name;"],
)
def test_a_path_that_makes_no_sense_says_where(path: str) -> None:
    with pytest.raises(ValueError, match="not a JSON path"):
        parse(path)


def test_lists_in_lists_are_no_matter_however_deep() -> None:
    value: Any = {"a": 1}
    for _ in range(5_000):
        value = [value]
    assert list(values(value, parse("a").steps)) == [1]


def test_searching_below_is_bounded() -> None:
    wide = {"x": [{"y": n} for n in range(300_000)]}
    assert list(values(wide, parse("..target").steps)) == []
