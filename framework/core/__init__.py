"""Symbolic dimensions, element types and containers of arrays: what the IR stands on."""
