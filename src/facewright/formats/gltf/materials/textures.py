"""Textures of shapes in a glTF file: images that other programs do not show, and in `extras` to which shapes they
belong.

PNG and JPEG are images that no texture shows; WebP and KTX2, which would need an extension there, are only buffer
views. One picture is the base colour of the materials of its parts, so that other programs show it: the neutral, a JPEG
of it where it is of another type, or the texture of a pose.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import msgspec

from facewright.errors import BadFile, FacewrightError, FacewrightWarning
from facewright.formats.gltf.accessors.compact import Unused, drop_newly_unused, unused
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extras import block_of, set_block
from facewright.formats.gltf.container.fields import Json, entries
from facewright.formats.gltf.materials.base_color import BaseColor, base_color, set_base_color
from facewright.formats.gltf.materials.images import ImageAppender, image_data, shown_images
from facewright.formats.schema.json import plain
from facewright.formats.schema.textures import Place, TexturesEntry
from facewright.image.codec import encoded, pixels
from facewright.image.encoded import Encoded
from facewright.rig.textures import Textures

KEY = "textures"
_IMAGES = ("image/png", "image/jpeg")


def extract_textures(asset: Asset) -> tuple[Asset, Textures | None]:
    """Split a file into the file without the textures of shapes, and these textures."""
    block = block_of(asset.json)
    if KEY not in block:
        return asset, None
    try:
        entry = msgspec.convert(block[KEY], TexturesEntry)
        textures = entry.value(_reader(asset))
    except (FacewrightError, msgspec.ValidationError) as problem:
        warnings.warn(f"textures of shapes are left out: {problem}", FacewrightWarning, stacklevel=2)
        return asset, None
    json: Json = msgspec.json.decode(msgspec.json.encode(asset.json))
    before = unused(json)
    _drop_trailing_images(json, entry)
    ours = {place["bufferView"] for place in entry.places if isinstance(place, dict) and "bufferView" in place}
    set_block(json, {key: value for key, value in block.items() if key != KEY})
    binary = drop_newly_unused(json, asset.binary, Unused(before.accessors, before.views - ours))
    return Asset(json, binary, asset.chunks), textures


def add_textures(asset: Asset, textures: Textures | None, skin: Encoded | None = None) -> Asset:
    """The file with the textures of shapes. skin: the base colour; by default the neutral's, or what the file has."""
    if textures is None:
        return asset
    shown = _shown(asset, textures.neutral, skin)
    asset = _without_old_color(asset, shown)
    pictures = ImageAppender(asset.json, asset.binary)
    place = _writer(asset, pictures, shown)
    entry = TexturesEntry.of(textures, place)
    if shown is not None:
        at = place(shown, "skin")
        assert isinstance(at, dict)
        made_from = "" if shown == textures.neutral else textures.neutral.id
        set_base_color(asset.json, BaseColor(at["image"], made_from), textures.parts)
    if not asset.json["images"]:  # all are buffer views
        del asset.json["images"]
    set_block(asset.json, block_of(asset.json) | {KEY: plain(entry)})
    return Asset(asset.json, pictures.binary(), asset.chunks)


def _shown(asset: Asset, neutral: Encoded, skin: Encoded | None) -> Encoded | None:
    """The picture that other programs show, as PNG or JPEG; None where it cannot be made."""
    if skin is not None:
        return skin
    worn = base_color(asset.json)
    if worn is not None and worn.made_from == neutral.id and (found := _picture_in(asset, worn.image)) is not None:
        return found
    if neutral.media in _IMAGES:
        return neutral
    try:
        return encoded(pixels(neutral), "image/jpeg")
    except FacewrightError as problem:  # Pillow is not installed, or the picture is damaged
        words = f"other programs do not show the skin, which is {neutral.media}: {problem}"
        warnings.warn(words, FacewrightWarning, stacklevel=2)
        return None


def _without_old_color(asset: Asset, shown: Encoded | None) -> Asset:
    """A copy without the bytes of the former base colour, where another picture is that now."""
    json: Json = msgspec.json.decode(msgspec.json.encode(asset.json))
    worn, before = base_color(json), unused(json)
    if worn is None or shown is None or bytes(image_data(asset, worn.image)) == shown.data:
        return Asset(json, asset.binary, asset.chunks)
    json["images"][worn.image] = {key: value for key, value in json["images"][worn.image].items() if key == "name"}
    return Asset(json, drop_newly_unused(json, asset.binary, before), asset.chunks)


def _reader(asset: Asset) -> Callable[[Place], Encoded]:
    """A function from a place in the file to the picture there; equal pictures are one object."""
    known: dict[bytes, Encoded] = {}
    placed: dict[tuple[str, int], Encoded] = {}

    def picture(place: Place) -> Encoded:
        if not isinstance(place, dict) or len(place) != 1 or not place.keys() <= {"image", "bufferView"}:
            raise BadFile(f"a picture is at an image or a bufferView, not at {place!r}")
        ((kind, index),) = place.items()
        if (kind, index) not in placed:
            data = bytes(image_data(asset, index) if kind == "image" else asset.view(index))
            placed[kind, index] = known.setdefault(data, Encoded(data))
        return placed[kind, index]

    return picture


def _writer(asset: Asset, pictures: ImageAppender, shown: Encoded | None) -> Callable[[Encoded, str], Place]:
    """A function that stores a picture in the file, if it is not there yet, and returns its place."""
    images = asset.json.setdefault("images", [])
    known: dict[Encoded, Place] = {}
    for index, image in enumerate(images):
        if image.keys() <= {"name"} and shown is not None:  # emptied for the new base colour
            image |= {"bufferView": pictures.add(shown.data), "mimeType": shown.media}
            known[shown] = {"image": index}
        else:
            found = _picture_in(asset, index)
            if found is not None:
                known.setdefault(found, {"image": index})

    def place(picture: Encoded, name: str) -> Place:
        if picture not in known:
            view = pictures.add(picture.data)
            known[picture] = {"bufferView": view}
            if picture.media in _IMAGES:
                images.append({"name": name, "bufferView": view, "mimeType": picture.media})
                known[picture] = {"image": len(images) - 1}
        return known[picture]

    return place


def _picture_in(asset: Asset, index: int) -> Encoded | None:
    try:
        return Encoded(bytes(image_data(asset, index)))
    except FacewrightError:  # an image of another program that is not read here
        return None


def _drop_trailing_images(json: Json, entry: TexturesEntry) -> None:
    """Remove our images from the end of the list only, so that no other image changes its index."""
    images, shown = entries(json, "images"), shown_images(json)
    ours = {place["image"] for place in entry.places if isinstance(place, dict) and "image" in place} - shown
    while images and len(images) - 1 in ours:
        images.pop()
    if not images:
        json.pop("images", None)
