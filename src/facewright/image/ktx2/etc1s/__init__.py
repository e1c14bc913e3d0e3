"""ETC1S with BasisLZ, one of the two kinds of Basis Universal textures."""
