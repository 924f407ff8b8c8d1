"""An event such as a concert, a talk or a match. Copy it, or name it as `Event@1`."""

from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from pydantic import BaseModel, Field, HttpUrl


class EventStatus(StrEnum):
    """Whether the event takes place."""

    SCHEDULED = "scheduled"
    POSTPONED = "postponed"
    CANCELLED = "cancelled"
    SOLD_OUT = "sold_out"


class Event(BaseModel):
    """One event at one time."""

    VERSION: ClassVar[int] = 1
    VOLATILE: ClassVar[set[str]] = {"status", "price_from", "price_to"}

    name: str = Field(description="Name of the event")
    starts: datetime | None = Field(None, description="When it begins, in local time where the page names no zone")
    ends: datetime | None = Field(None, description="When it ends")
    doors: str | None = Field(None, description="When the doors open, as the page says it")
    venue: str | None = Field(None, description="Name of the venue")
    address: str | None = Field(None, description="Street, postcode and town of the venue")
    city: str | None = Field(None, description="Town of the venue")
    performers: list[str] | None = Field(None, description="Who performs or speaks, one by one")
    organizer: str | None = Field(None, description="Who organises it")
    price_from: float | None = Field(None, description="Cheapest ticket")
    price_to: float | None = Field(None, description="Dearest ticket")
    currency: str | None = Field(None, description="Currency of the tickets as its ISO 4217 code")
    status: EventStatus | None = Field(None, description="Whether it takes place")
    description: str | None = Field(None, description="The text that announces it")
    tickets_url: HttpUrl | None = Field(None, description="Where tickets are sold")
