"""Solutions to a tolerance, by methods that are chosen for the problem."""

from __future__ import annotations

from .search import solve

__all__ = ["solve"]
