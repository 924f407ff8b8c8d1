"""Ways to read a known value off a page: from each place that carries it, by paths and selectors with their cost."""
