"""Transforms from Program to Program: jvp, linearize, transpose, vjp, vmap, taylor."""
