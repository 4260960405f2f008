"""From a Program to a schedule of fused loops, matrix products and tile loops, and `jit`."""
