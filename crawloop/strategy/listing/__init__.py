"""Listing induction: from pages with several true records each to a plan with rows.

sheet     pages with their records, and where each value stands
rows      which elements are the rows, and the selectors that find them
fields    how each field is read from a row
counting  which readings tell rows with a record from heads and advertisements
plan      all of that as one plan
"""

from crawloop.strategy.listing.induction import ListingInduction

__all__ = ["ListingInduction"]
