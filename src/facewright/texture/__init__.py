"""Textures that follow a face's expression and stay sharp: two frequency bands, filtered within the islands of the
layout.
"""
