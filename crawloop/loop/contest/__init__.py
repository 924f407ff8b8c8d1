"""Candidates against each other: who may propose, on which pages they are judged, and what is made of the best."""
