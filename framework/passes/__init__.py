"""Passes: verification, declared rewrites, simplification."""
