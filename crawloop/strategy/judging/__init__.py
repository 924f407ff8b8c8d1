"""Readers held against the pages whose truth is known, and what is said for them and against them."""
