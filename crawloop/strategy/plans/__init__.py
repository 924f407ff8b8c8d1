"""Plans whatever made them: put together, healed, tidied, and told what no sample teaches."""
