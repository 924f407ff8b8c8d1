"""The shape of URLs and pages: which addresses are the same, which belong together, which layouts are alike."""

from crawloop.shape.address import matches, pattern, specificity, url_key
from crawloop.shape.layout import NEW_LAYOUT, SAME_LAYOUT, Layouts, bare_tags, likeness, marks
from crawloop.shape.links import siblings
from crawloop.shape.pager import Pager, learnt_pager
from crawloop.values.url import shown, without_user

__all__ = [
    "NEW_LAYOUT",
    "SAME_LAYOUT",
    "Layouts",
    "Pager",
    "bare_tags",
    "learnt_pager",
    "likeness",
    "marks",
    "matches",
    "pattern",
    "shown",
    "siblings",
    "specificity",
    "url_key",
    "without_user",
]
