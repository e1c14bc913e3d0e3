"""Dragging pins on the whole face or inside a region."""
