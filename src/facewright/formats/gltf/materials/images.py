"""Images of a file: their bytes, and which of them textures show."""

from __future__ import annotations

from collections.abc import Iterator

from facewright.formats.gltf.container.asset import Asset, Bytes
from facewright.formats.gltf.container.fields import Json, as_object, entries, entry, member, text
from facewright.formats.gltf.container.uris import data_of, is_data


def image_data(asset: Asset, index: object) -> Bytes:
    """The bytes of an image's file."""
    image = entry(asset.json, "images", index)
    uri = text(image, "uri", f"image {index}")
    return data_of(uri) if is_data(uri) else asset.view(image.get("bufferView"))


def shown_images(json: Json) -> set[int]:
    """The images that some texture shows, by itself or through an extension."""
    return {holder["source"] for texture in entries(json, "textures") for holder in _sources(texture)}


def _sources(texture: Json) -> Iterator[Json]:
    holders = [texture, *member(as_object(texture, "a texture"), "extensions", "a texture").values()]
    return (holder for holder in holders if isinstance(holder, dict) and isinstance(holder.get("source"), int))


class ImageAppender:
    """Adds images to a file's buffer, each with a buffer view of its own and exactly its own length."""

    def __init__(self, json: Json, binary: Bytes) -> None:
        self._json = json
        self._pieces: list[Bytes] = [binary]
        self._length = len(binary)

    def add(self, data: bytes) -> int:
        """Append the bytes of an image; returns the new buffer view."""
        padding = -self._length % 4
        views = self._json.setdefault("bufferViews", [])
        views.append({"buffer": 0, "byteOffset": self._length + padding, "byteLength": len(data)})
        self._pieces += [bytes(padding), data]
        self._length += padding + len(data)
        return len(views) - 1

    def binary(self) -> Bytes:
        """The buffer with all that was added."""
        if len(self._pieces) == 1:
            return self._pieces[0]
        self._json.setdefault("buffers", [{}])[0]["byteLength"] = self._length
        return b"".join(self._pieces)
