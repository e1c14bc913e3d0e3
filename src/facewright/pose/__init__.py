"""Wishes about points on the face -> slider values."""
