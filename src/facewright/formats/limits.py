"""How much a file may make a reader do: one place for the sizes beyond which a file is refused before it is unpacked.

A claimed size costs nothing to write down, so every reader checks a claim against the bytes that are really there,
and against these limits, before it allocates. They are far above any rig we know of.
"""

TEXT = 256 << 20  # bytes of one OBJ or CSV file
JSON = 64 << 20  # bytes of the JSON inside or beside a rig
MEMBERS = 20_000  # files inside one zip
SHAPES = 20_000  # of one rig
UNPACKED = 64 << 30  # bytes of all members of one zip together
FREELY_UNPACKED = 256 << 20  # up to here a zip may be packed as tightly as it likes (a second of unpacking),
RATIO = 250  # beyond, its members may be at most this many times the bytes that the file has
