"""Compressed geometry: Draco and meshopt."""
