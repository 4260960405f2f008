"""Tests of the vector code for elementary functions."""
