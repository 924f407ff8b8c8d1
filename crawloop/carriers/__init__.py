"""Where values stand on a page: the index that witnesses, strategies and explanations share."""

from crawloop.carriers.index import Index, Place, index
from crawloop.carriers.support import support

__all__ = ["Index", "Place", "index", "support"]
