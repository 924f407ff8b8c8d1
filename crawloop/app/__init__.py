"""The composition root: finds the workspace and wires its parts. It is the only place that does.

workspace   a folder, its settings and its registry; who is told
machines    what costs to start: where pages come from, what runs programs, what keeps pages
crawling    the parts of a crawl
learning    one run of the loop
"""

from __future__ import annotations

from crawloop.app.crawling import Crawling, crawling
from crawloop.app.learning import Regeneration, regenerate
from crawloop.app.workspace import Workspace, open_workspace

__all__ = ["Crawling", "Regeneration", "Workspace", "crawling", "open_workspace", "regenerate"]
