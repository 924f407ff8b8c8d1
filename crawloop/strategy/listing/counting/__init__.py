"""Which rows count as records, and which are heads, remarks or advertisements."""
