"""The shape of URLs and pages: which addresses are the same, which belong together, which layouts are alike."""

from crawloop.shape.address import matches, pattern, specificity, url_key
from crawloop.shape.layout import likeness, marks
from crawloop.shape.links import siblings

__all__ = ["likeness", "marks", "matches", "pattern", "siblings", "specificity", "url_key"]
