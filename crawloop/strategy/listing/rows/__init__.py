"""Which elements of a page are its records, and how they are found on other pages."""
