"""JSONPath as models write it becomes our own paths, or is refused for what they cannot say."""

import pytest

from crawloop.strategy.jsonpath import converted


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ('$["__NEXT_DATA__"].props.items[0].price', "__NEXT_DATA__.props.items[0].price"),
        ("$.__NEXT_DATA__.props['odd key']", '__NEXT_DATA__.props["odd key"]'),
        ('$["@Recipe"].author[*].name', "@Recipe.author[*].name"),
        ('$["#Product"].offers.price', "#Product.offers.price"),
        ('$["json[0]"].a', "json[0].a"),
        ('$["window.STATE"].a', "window.STATE.a"),
        ("$.STATE..price", "STATE..price"),
        ("$.STATE.items[-1].*", "STATE.items[-1][*]"),
        ('$.STATE.attributes[?(@.name == "SKU")].value', 'STATE.attributes[?name="SKU"].value'),
        ("$.STATE.sizes[?(@.n == 3)]", 'STATE.sizes[?n="3"]'),
        ("$.STATE.sizes[?(@.main == true)]", 'STATE.sizes[?main="true"]'),
        ("@Recipe.name", "@Recipe.name"),
    ],
)
def test_paths_are_converted(said: str, path: str) -> None:
    assert converted(said) == path


@pytest.mark.parametrize(("said", "path"), [("$.title", "title"), ("title", "title"), ("@.a[0]", "a[0]"), ("$", "")])
def test_relative_paths_start_at_a_row(said: str, path: str) -> None:
    assert converted(said, relative=True) == path


@pytest.mark.parametrize(
    "said",
    [
        "",
        "$",
        "$[0]",
        "$.STATE[1:3]",
        '$.STATE["a","b"]',
        "$.STATE.`len`",
        "$.STATE[?(@.n > 3)]",
        "$..",
        "not a path",
        "{}",
    ],
)
def test_what_our_paths_cannot_say_is_refused(said: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        converted(said)
