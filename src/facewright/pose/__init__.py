"""Posing: pins and terms to slider values."""
