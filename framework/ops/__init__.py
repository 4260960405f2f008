"""Primitive operations, one record each, and the array functions written over them."""
