"""Elements of a page: how they are read, and found beside labels and under headings."""
