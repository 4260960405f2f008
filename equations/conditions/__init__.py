"""Boundary conditions on named parts of a geometry."""
