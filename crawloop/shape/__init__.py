"""The shape of URLs and pages: which addresses are the same, which belong together, which layouts are alike."""

from crawloop.shape.address import matches, pattern, specificity, url_key
from crawloop.shape.layout import layout, likeness
from crawloop.shape.links import siblings

__all__ = ["layout", "likeness", "matches", "pattern", "siblings", "specificity", "url_key"]
