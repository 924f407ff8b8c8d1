"""What may be asked of the parser: how deep a page nests, by its tags alone."""
