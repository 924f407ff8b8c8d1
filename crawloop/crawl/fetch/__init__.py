"""Pages over HTTP: politely, patiently, within bounds, and from nowhere but the hosts that were named."""

from crawloop.crawl.fetch.exchange import REDIRECTS as REDIRECTS
from crawloop.crawl.fetch.exchange import readable as readable
from crawloop.crawl.fetch.fetcher import HttpFetcher as HttpFetcher
