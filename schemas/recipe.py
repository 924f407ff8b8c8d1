"""A recipe. Copy it, or name it as `Recipe@1`."""

from datetime import timedelta
from typing import ClassVar

from pydantic import BaseModel, Field, HttpUrl


class Recipe(BaseModel):
    """One recipe with what it takes and how it is done."""

    VERSION: ClassVar[int] = 1
    VOLATILE: ClassVar[set[str]] = {"rating", "rating_count"}

    title: str = Field(description="Name of the dish")
    author: str | None = Field(None, description="Who wrote the recipe")
    description: str | None = Field(None, description="The words that introduce it")
    yields: str | None = Field(None, description="How much it makes, as the page says it, such as 4 servings")
    prep_time: timedelta | None = Field(None, description="Time of preparation")
    cook_time: timedelta | None = Field(None, description="Time on the stove or in the oven")
    total_time: timedelta | None = Field(None, description="Time from start to table")
    ingredients: list[str] | None = Field(None, description="One ingredient with its amount a line, without headings")
    instructions: list[str] | None = Field(None, description="One step a line, without headings or numbers")
    category: str | None = Field(None, description="Course or sort of dish, such as dessert")
    cuisine: str | None = Field(None, description="Cuisine, such as Italian")
    keywords: list[str] | None = Field(None, description="Tags of the recipe")
    rating: float | None = Field(None, description="Mean rating on the page's scale")
    rating_count: int | None = Field(None, description="Number of ratings")
    image: HttpUrl | None = Field(None, description="Picture of the dish")
