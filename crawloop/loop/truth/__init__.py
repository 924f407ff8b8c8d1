"""What is known of the samples: who says it, what contradicts it, and which labels were slips."""
