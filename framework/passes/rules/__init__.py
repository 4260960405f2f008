"""Rewrite rules by family; every rule says how exact it is."""
