"""Textures that follow a face's expression and stay sharp: two bands, filtered inside the islands of the layout."""
