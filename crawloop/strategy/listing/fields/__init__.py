"""How the fields of a record are read from its row."""
