"""crawloop: versioned deterministic extractors that are regenerated when a site changes."""
