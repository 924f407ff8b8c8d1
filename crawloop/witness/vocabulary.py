"""What the names of fields mean in schema.org, OpenGraph and the head of a document.

A meaning is a ladder of rungs: the first rung that has a value speaks, and where the readings of one rung differ
nobody speaks. A reading is a path from the page's main entity ("offers.price"), or with a mark before it
("meta:og:title", "link:canonical", "html:lang") something that the document says of itself.
"""

from __future__ import annotations

import re
from functools import lru_cache

Ladder = tuple[tuple[str, ...], ...]

_TABLE: tuple[tuple[str, str], ...] = (
    ("title headline heading", "headline, name, title, meta:og:title"),
    ("name", "name, headline, title, meta:og:title"),
    ("subtitle alternative_headline subheading", "alternativeHeadline"),
    ("description summary abstract teaser excerpt", "description, meta:og:description meta:description"),
    ("author byline writer written_by", "author.name, creator.name"),
    ("contributor", "contributor.name"),
    ("editor", "editor.name"),
    (
        "image lead_image main_image image_url photo picture poster cover cover_image",
        "image.url image.contentUrl meta:og:image",
    ),
    ("thumbnail thumbnail_url", "thumbnailUrl, thumbnail.url"),
    ("image_caption caption", "image.caption"),
    ("url link href permalink canonical canonical_url canonical_link", "link:canonical, meta:og:url, url"),
    ("site_name site website_name publication", "meta:og:site_name"),
    ("publisher publisher_name", "publisher.name"),
    ("language lang locale", "html:lang, inLanguage"),
    (
        "date date_published published published_at published_on published_date publishing_date publish_date "
        "publication_date pubdate pub_date release_date released posted posted_on posted_at date_posted created "
        "created_at date_created publication_time published_time",
        "datePublished meta:article:published_time, datePosted, uploadDate, releasedEvent.startDate, dateCreated",
    ),
    (
        "date_modified modified modified_at modified_date updated updated_at updated_on last_updated last_modified "
        "date_updated update_date",
        "dateModified meta:article:modified_time",
    ),
    ("valid_through expiry expiry_date expires expire closing_date deadline", "validThrough, expires"),
    ("section rubric department", "articleSection, meta:article:section"),
    ("keyword tag topic", "keywords, meta:article:tag"),
    ("body text content article_body article_text full_text", "articleBody, text"),
    ("word_count", "wordCount"),
    ("category", "recipeCategory, articleSection, category, applicationCategory"),
    ("genre", "genre"),
    ("price current_price amount cost sale_price offer_price", "offers.price, offers.priceSpecification.price"),
    ("low_price lowest_price min_price price_from minimum_price", "offers.lowPrice"),
    ("high_price highest_price max_price maximum_price price_to", "offers.highPrice"),
    ("currency price_currency currency_code", "offers.priceCurrency"),
    ("availability stock in_stock available is_available stock_status", "offers.availability"),
    ("condition item_condition", "offers.itemCondition, itemCondition"),
    ("seller merchant sold_by vendor", "offers.seller.name"),
    ("brand brand_name", "brand.name"),
    ("manufacturer maker", "manufacturer.name"),
    ("sku article_number item_number product_number product_id", "sku"),
    ("gtin ean upc barcode", "gtin13, gtin, gtin12, gtin8"),
    ("isbn", "isbn"),
    ("color colour", "color"),
    ("rating star average_rating rating_value score review_rating", "aggregateRating.ratingValue"),
    (
        "rating_count vote number_of_rating num_rating vote_count",
        "aggregateRating.ratingCount, aggregateRating.reviewCount",
    ),
    ("review_count number_of_review num_review", "aggregateRating.reviewCount"),
    ("total_time ready_in time_total duration_total", "totalTime"),
    ("prep_time preparation_time preparation", "prepTime"),
    ("cook_time cooking_time baking_time", "cookTime"),
    ("duration length running_time runtime", "duration"),
    ("yield serving portion serve", "recipeYield, yield"),
    ("cuisine", "recipeCuisine, servesCuisine"),
    ("ingredient ingredient_list", "recipeIngredient, ingredients"),
    ("instruction instruction_list direction step method", "recipeInstructions"),
    ("cooking_method", "cookingMethod"),
    ("calorie", "nutrition.calories"),
    ("company employer hiring_organization organization", "hiringOrganization.name"),
    ("employment_type job_type", "employmentType"),
    ("venue location location_name", "location.name"),
    ("start_date start begin", "startDate"),
    ("end_date end", "endDate"),
    ("organizer organiser", "organizer.name"),
    ("phone telephone phone_number", "telephone"),
    ("email mail", "email"),
    ("street street_address", "address.streetAddress"),
    ("city town locality", "address.addressLocality"),
    ("region state province", "address.addressRegion"),
    ("zip zip_code postcode postal_code", "address.postalCode"),
    ("country", "address.addressCountry"),
    ("latitude lat", "geo.latitude"),
    ("longitude lon lng", "geo.longitude"),
    ("director", "director.name"),
    ("actor cast", "actor.name"),
    ("page number_of_page page_count num_page", "numberOfPages"),
)
# First readings of meanings of which one thing may have several. Of the rest it has one; a list is another thing.
_SEVERAL = frozenset(
    (
        "author.name", "contributor.name", "editor.name", "image.url", "articleSection", "keywords", "recipeCategory",
        "genre", "recipeCuisine", "recipeIngredient", "recipeInstructions", "director.name", "actor.name",
        "cookingMethod", "offers.seller.name", "employmentType",
    )
)  # fmt: skip
# What is a number at heart: a text of it may be worded in many ways, and the markup's way is one of them.
_NUMBERED = frozenset(("recipeYield",))
_OWNERS = frozenset(
    (
        "item",
        "product",
        "article",
        "recipe",
        "page",
        "post",
        "book",
        "job",
        "event",
        "movie",
        "film",
        "video",
        "new",
        "story",
        "listing",
    )
)
_COMMON = frozenset(
    (
        "name",
        "description",
        "url",
        "image",
        "value",
        "text",
        "type",
        "identifier",
        "id",
        "position",
    )
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+")


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """The words of a field or property, small and singular: "ratingsCount" is ("rating", "count")."""
    return tuple(_singular(word.lower()) for word in _CAMEL.split(name) if word)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _ladders() -> dict[tuple[str, ...], Ladder]:
    return {
        words(spelling): tuple(tuple(rung.split()) for rung in ladder.split(","))
        for spellings, ladder in _TABLE
        for spelling in spellings.split()
    }


_LADDERS = _ladders()


def meaning(name: str, many: bool, as_text: bool) -> Ladder:
    """What a field of this name means; () where the vocabulary does not know it, or not as a list, or not in words."""
    found = ladder(name)
    if not found or (many and found[0][0] not in _SEVERAL) or (as_text and found[0][0] in _NUMBERED):
        return ()
    return found


def is_title(name: str) -> bool:
    """Whether a field of this name is what the page is headed by."""
    return any("meta:og:title" in rung for rung in ladder(name))


def is_shown(name: str) -> bool:
    """Whether pages show a field of this name to readers, so that one which nobody sees is suspect."""
    return is_title(name) or any(path.endswith(".name") for rung in ladder(name) for path in rung)


def is_picture(name: str) -> bool:
    """Whether a field of this name is the picture of what the page is about."""
    return any("meta:og:image" in rung for rung in ladder(name))


def is_own_link(name: str) -> bool:
    """Whether a field of this name is the document's link to itself."""
    return any(path.startswith("link:") for rung in ladder(name) for path in rung)


@lru_cache(maxsize=1024)
def ladder(name: str) -> Ladder:
    """What a field of this name means, or () where the name is not in the vocabulary."""
    spoken = words(name)
    if spoken in _LADDERS:
        return _LADDERS[spoken]
    if len(spoken) > 1 and spoken[0] in _OWNERS:
        return ladder("_".join(spoken[1:]))
    if len(spoken) > 1 and spoken[-1] == "list":
        return ladder("_".join(spoken[:-1]))
    return ()


def spells(name: str, path: tuple[str, ...]) -> bool:
    """Whether a field's name says a property in its own words: "nutrition_fatContent" is nutrition.fatContent.

    The last step alone is enough where it is telling by itself: "postal_code" is address.postalCode.
    """
    said = words(name)
    full = tuple(word for step in path for word in words(step))
    if said == full:
        return True
    last = words(path[-1])
    return said == last and not (len(last) == 1 and last[0] in _COMMON)
