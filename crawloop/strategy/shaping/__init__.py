"""From what stands on a page to the value that is wanted: chains of transforms, learned by comparing."""
