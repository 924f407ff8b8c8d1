"""An article of a newspaper, a magazine or a blog. Copy it, or name it as `Article@1`."""

from datetime import datetime
from typing import ClassVar

from pydantic import BaseModel, Field, HttpUrl


class Article(BaseModel):
    """One article as it was published."""

    VERSION: ClassVar[int] = 1

    headline: str = Field(description="Headline, without the name of the publication")
    authors: list[str] | None = Field(None, description="Names of the authors, without titles or agencies' addresses")
    published: datetime | None = Field(None, description="When it was first published")
    modified: datetime | None = Field(None, description="When it was last changed")
    section: str | None = Field(None, description="Section or column, such as Politics")
    topics: list[str] | None = Field(None, description="Keywords or tags that the page shows for this article")
    summary: str | None = Field(None, description="Standfirst or teaser above the text")
    paragraphs: list[str] | None = Field(None, description="The text itself, paragraph by paragraph, without captions")
    image: HttpUrl | None = Field(None, description="The main picture")
    language: str | None = Field(None, description="Language as its BCP 47 tag, such as en-GB")
