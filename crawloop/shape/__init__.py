"""The shape of URLs and pages: which addresses are the same, which belong together, which layouts are alike."""

from crawloop.shape.address import matches, pattern, shown, specificity, url_key
from crawloop.shape.layout import bare_tags, likeness, marks
from crawloop.shape.links import siblings

__all__ = ["bare_tags", "likeness", "marks", "matches", "pattern", "shown", "siblings", "specificity", "url_key"]
