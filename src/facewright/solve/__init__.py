"""Solvers of numbers alone: no faces, rigs or files."""
