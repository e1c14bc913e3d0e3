"""Sizes beyond which a file is refused before it is unpacked.

A file can claim any size, so every reader compares a claim with the bytes that are there, and with these limits,
before it allocates memory. They are far above any known rig.
"""

TEXT = 256 << 20  # bytes of one OBJ or CSV file
GLB = 4 << 30  # bytes of one glTF file, or of one that it refers to; the format has no more
JSON = 64 << 20  # bytes of the JSON inside or beside a rig
MEMBERS = 20_000  # files inside one zip
SHAPES = 20_000  # of one rig
UNPACKED = 64 << 30  # bytes of all members of one zip together
FREELY_UNPACKED = 256 << 20  # bytes; up to here any zip is unpacked (about a second),
WIDENED = 32  # times the bytes of a zip that its arrays may take in memory, beyond FREELY_UNPACKED
RATIO = 250  # beyond, its members may have at most this many times the bytes of the file
