"""The ways to compute derivatives of a field, each with its cost."""
