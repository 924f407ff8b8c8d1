"""SQL in, nouns out: a module for each sort of row. Every function works within its caller's transaction."""
