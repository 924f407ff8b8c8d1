"""A shop that is redesigned while you watch: the first minute with crawloop, without key or network."""
