"""Values: what a text means by its kind, and when two values are the same.

Pure functions of the standard library; nothing is loaded or opened after import, so they also run in the sandbox.
"""

from crawloop.values.compare import equal, is_blank, normalise
from crawloop.values.currency import beside
from crawloop.values.date import date_readings, parse_date, parse_epoch
from crawloop.values.duration import parse_duration
from crawloop.values.fits import departs, fits, strays
from crawloop.values.link import base_url, followable, urljoin
from crawloop.values.names import ends_a_name
from crawloop.values.number import has_currency, number_readings, parse_money, parse_number
from crawloop.values.pairing import married, paired, resemblance
from crawloop.values.profile import profile
from crawloop.values.text import clean, fold, is_placeholder, squash, unmark
from crawloop.values.url import base_of, canonical_url, file_name

__all__ = [
    "base_of",
    "base_url",
    "canonical_url",
    "clean",
    "beside",
    "date_readings",
    "departs",
    "ends_a_name",
    "equal",
    "file_name",
    "fits",
    "fold",
    "followable",
    "has_currency",
    "is_blank",
    "is_placeholder",
    "married",
    "normalise",
    "number_readings",
    "paired",
    "parse_date",
    "parse_duration",
    "parse_epoch",
    "parse_money",
    "parse_number",
    "profile",
    "resemblance",
    "squash",
    "strays",
    "unmark",
    "urljoin",
]
