"""Building rigs: the shapes of a template are transferred to another face and corrected by example poses
of that face.
"""
