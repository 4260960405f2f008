"""Independent checks of what the transforms compute."""

from __future__ import annotations

from .derivatives import DerivativeCheck, check_derivatives

__all__ = ["DerivativeCheck", "check_derivatives"]
