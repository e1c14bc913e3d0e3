"""Blend shape channels, which FBX and USD have: a weight for each slider, with targets at some of its values."""
