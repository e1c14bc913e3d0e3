"""A store of blobs for journals in tests."""

from facewright.errors import BadFile


class Memory:
    """Blobs in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def put(self, name: str, data: bytes) -> None:
        self.kept[name] = data

    def get(self, name: str) -> bytes:
        if name not in self.kept:
            raise BadFile(f"{name} is gone")
        return self.kept[name]
