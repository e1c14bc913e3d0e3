"""Regions of a face: found from the deformations of its shapes, and posed independently."""
