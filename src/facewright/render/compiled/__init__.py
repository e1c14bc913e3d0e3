"""The software renderer as loops over triangles and points that numba compiles: the same picture, several times sooner.

`draw.py` has the order of the steps; each other file has one of them.
"""
