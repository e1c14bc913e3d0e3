"""UASTC, one of the two kinds of Basis Universal textures."""
