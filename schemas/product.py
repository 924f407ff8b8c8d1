"""A product page of a shop. Copy it, or name it as `Product@1`."""

from enum import StrEnum
from typing import ClassVar

from pydantic import BaseModel, Field, HttpUrl


class Availability(StrEnum):
    """Whether the product can be had."""

    IN_STOCK = "in_stock"
    OUT_OF_STOCK = "out_of_stock"
    PREORDER = "preorder"
    DISCONTINUED = "discontinued"


class Product(BaseModel):
    """One product as its page offers it."""

    VERSION: ClassVar[int] = 1
    VOLATILE: ClassVar[set[str]] = {"price", "regular_price", "availability", "rating", "rating_count"}

    name: str = Field(description="Name of the product, without brand or shop where the page separates them")
    brand: str | None = Field(None, description="Brand or manufacturer")
    sku: str | None = Field(None, description="Article number of the shop")
    gtin: str | None = Field(None, description="GTIN, EAN or UPC: 8, 12, 13 or 14 digits")
    price: float | None = Field(None, description="Price to pay now, with tax, as a number")
    regular_price: float | None = Field(None, description="Price before a reduction; null where there is none")
    currency: str | None = Field(None, description="Currency of the price as its ISO 4217 code, such as EUR")
    availability: Availability | None = Field(None, description="Whether it can be bought now")
    condition: str | None = Field(None, description="New, used or refurbished, where the page says so")
    rating: float | None = Field(None, description="Mean rating on the shop's scale")
    rating_count: int | None = Field(None, description="Number of ratings or reviews")
    category: list[str] | None = Field(None, description="Breadcrumbs from general to special, without the front page")
    description: str | None = Field(None, description="The text that describes the product")
    features: list[str] | None = Field(None, description="Bullet points of the product, one by one")
    images: list[HttpUrl] | None = Field(None, description="Pictures of the product, the main one first")
