"""A job advertisement. Copy it, or name it as `JobPosting@1`."""

from datetime import date
from typing import ClassVar

from pydantic import BaseModel, Field, HttpUrl


class JobPosting(BaseModel):
    """One vacancy."""

    VERSION: ClassVar[int] = 1

    title: str = Field(description="Title of the position, without place or reference number")
    company: str | None = Field(None, description="Who hires")
    location: str | None = Field(None, description="Where the work is done, as the page says it")
    remote: bool | None = Field(None, description="Whether the work can be done from elsewhere")
    employment_type: str | None = Field(None, description="Full time, part time, contract, internship or temporary")
    salary_min: float | None = Field(None, description="Lower end of the pay")
    salary_max: float | None = Field(None, description="Upper end of the pay; the same where it is one figure")
    salary_currency: str | None = Field(None, description="Currency of the pay as its ISO 4217 code")
    salary_unit: str | None = Field(None, description="What the pay is for: hour, day, month or year")
    posted: date | None = Field(None, description="When the vacancy was published")
    closes: date | None = Field(None, description="Until when one can apply")
    reference: str | None = Field(None, description="Reference number of the vacancy")
    description: str | None = Field(None, description="The text of the advertisement")
    apply_url: HttpUrl | None = Field(None, description="Where to apply")
