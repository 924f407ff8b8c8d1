"""Pages at rest: what was saved is served instead of the network, and what a run samples or fails on is saved."""

from crawloop.crawl.archive.recorder import Recorder, RecordingFetcher
from crawloop.crawl.archive.saved import ArchiveFetcher

__all__ = ["ArchiveFetcher", "Recorder", "RecordingFetcher"]
