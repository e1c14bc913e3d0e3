"""Arrays in a glTF buffer: reading them, writing them, removing the unused ones."""
