"""Physics-informed machine learning with exact, compiled high-order derivatives."""

__version__ = "0.1.0"
