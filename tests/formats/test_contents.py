"""What formats say that they keep is what is read back."""

from pathlib import Path

import numpy as np
import pytest
from tests.avatars import MadeAvatar
from tests.formats.usd_needed import NEEDS_USD

import facewright as fw
from facewright.document import Document, HeldPoints, PlacedPin
from facewright.formats.contents import EVERYTHING, counted
from facewright.formats.registry import format_of, load_document, save
from facewright.formats.scans.packed import pack_sequence
from facewright.image.encoded import Encoded
from facewright.motion.depth import ScanSequence
from facewright.reference.bookmark import CameraBookmark
from facewright.reference.media_file import MediaFile
from facewright.reference.plane import ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.reference.wav import wav_bytes
from facewright.render.png import png_bytes
from facewright.rig.captured import Captured
from facewright.rig.materials import Material, Materials
from facewright.rig.scanned import Scanned
from facewright.rig.textures import Textures
from facewright.samples.mask import mask


def everything(of: Document | None = None) -> Document:
    """A document, or one that was opened, with all that a document can have."""
    opened = of or Document(mask(vertices=100, shapes=3))
    rig = opened.rig
    first = rig.sliders[0]
    picture = Encoded(png_bytes(np.zeros((4, 4, 3), np.uint8)))
    return Document(
        rig,
        (fw.Clip("talk", {first: fw.Curve([0.0, 1.0], [0.0, 1.0])}, layers=(fw.Layer("more"),)),),
        pins=(PlacedPin(id=1, vertex=3),),
        held=HeldPoints(np.array([1, 5]), np.array([7, 1])),
        locked=(first,),
        clip="talk",
        regions=fw.segment(rig),
        captured=Captured(fw.Take(("a",), np.zeros((2, 1, 3)), 30.0, "cm")),
        prior=fw.Prior.from_names(rig),
        poses=(fw.LibraryPose("rest", {first: 0.0}),),
        textures=Textures(picture).with_map((first,), picture),
        materials=Materials((Material("skin"),), np.zeros(len(rig.polygons), np.int64)),
        attachments=opened.attachments,
        sound=ReferenceSound.of_wav("line.wav", wav_bytes(np.zeros((80, 1)), 8000)),
        plane=ReferencePlane(MediaFile("actor.png", picture.media, picture.data)),
        bookmarks=(CameraBookmark("mouth", 0.1, 0.0, 1.0),),
        scanned=Scanned(pack_sequence(ScanSequence((None,), np.zeros(1)))),
        expressions=(fw.Expression("grin", (fw.ExpressionBind(first, 0.5),)),),
    )


@pytest.mark.parametrize(
    "name",
    [
        "face.fwface",
        "face.glb",
        "face.gltf",
        "face.fbx",
        pytest.param("face.usdc", marks=NEEDS_USD),
        "face.npz",
        "face.obj",
        "faces",
    ],
)
def test_a_format_keeps_what_it_says(name: str, tmp_path: Path) -> None:
    opened = fw.load_document(MadeAvatar().whole().glb(), format="vrm")
    document, path = everything(opened), tmp_path / name
    assert len(counted(document, EVERYTHING)) == len(EVERYTHING)
    keeps = format_of(path).keeps(path)
    save(document, path)
    assert counted(load_document(path), EVERYTHING) == counted(document, keeps)
