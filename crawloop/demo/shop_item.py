"""The schema of the bundled shop's products."""

from datetime import date
from typing import ClassVar

from pydantic import BaseModel, Field, HttpUrl


class ShopItem(BaseModel):
    """One article of the shop."""

    VERSION: ClassVar[int] = 1
    VOLATILE: ClassVar[set[str]] = {"price", "regular_price", "stock", "reviews"}

    name: str = Field(description="What the article is called")
    brand: str | None = Field(None, description="Who makes it")
    sku: str | None = Field(None, description="The shop's own article number")
    price: float | None = Field(None, description="What it costs now")
    regular_price: float | None = Field(None, description="What it cost before the sale, only while it is on sale")
    stock: str | None = Field(None, description="Whether it can be ordered now, in the shop's words")
    rating: float | None = Field(None, description="Mean of the customers' stars, from 1 to 5")
    reviews: int | None = Field(None, description="How many customers have reviewed it")
    badge: str | None = Field(None, description="A word that sets it off, such as New or Bestseller")
    category: str | None = Field(None, description="The last step of the breadcrumbs above the article")
    released: date | None = Field(None, description="Since when it is sold")
    description: str | None = Field(None, description="The paragraph that describes it")
    features: list[str] | None = Field(None, description="Its features, one by one")
    image: HttpUrl | None = Field(None, description="The large picture")
