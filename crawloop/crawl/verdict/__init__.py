"""What is held for and against the records of a page that is served."""
