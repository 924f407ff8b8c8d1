"""Listing induction: from pages with several true records each to a plan with rows.

sheets    pages with their records, and where each value stands
roots     which elements are the rows, and the selectors that find them
fields    how each field is read from a row
keep      which readings tell rows with a record from heads and advertisements
"""

from crawloop.strategy.listing.induction import ListingInduction

__all__ = ["ListingInduction"]
