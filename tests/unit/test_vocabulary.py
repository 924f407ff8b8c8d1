"""Names of fields are read by their words, whatever their case, number and owner."""

import pytest

from crawloop.witness.vocabulary import ladder, spells, words


@pytest.mark.parametrize(
    ("name", "spoken"),
    [
        ("ratingsCount", ("rating", "count")),
        ("published_at", ("published", "at")),
        ("sameAsURL", ("same", "as", "url")),
        ("address", ("address",)),
        ("categories", ("category",)),
    ],
)
def test_names_fall_into_small_singular_words(name: str, spoken: tuple[str, ...]) -> None:
    assert words(name) == spoken


@pytest.mark.parametrize("name", ["price", "product_price", "currentPrice", "prices", "offer_price"])
def test_spellings_of_one_meaning_share_a_ladder(name: str) -> None:
    assert ladder(name)[0] == ("offers.price",)


def test_a_name_outside_the_vocabulary_means_nothing() -> None:
    assert ladder("docket_number") == ()


def test_a_property_is_spelled_by_its_whole_path_or_by_a_telling_last_step() -> None:
    assert spells("nutrition_fatContent", ("nutrition", "fatContent"))
    assert spells("postal_code", ("address", "postalCode"))
    assert not spells("name", ("brand", "name"))
    assert not spells("description", ("offers", "description"))
