"""What a page says for machines: JSON in scripts and attributes, JavaScript literals, microdata, and paths into it."""
