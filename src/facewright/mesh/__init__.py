"""Polygons with no idea of a face."""
