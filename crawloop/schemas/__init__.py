"""Schemas: the user's pydantic models, as fields with kinds; and records checked against them.

Pydantic is imported when a schema is loaded, not with this package.
"""

from crawloop.schemas.check import check, contradictions, readable
from crawloop.schemas.expect import expected
from crawloop.schemas.files import load
from crawloop.schemas.sharpen import sharpen

__all__ = ["check", "contradictions", "expected", "load", "readable", "sharpen"]
