"""Textures of expressions on the graphics card, compared with what the library mixes; brought, mixed, split, undone."""

import base64
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import facewright as fw
from facewright.document import Document
from facewright.image.codec import encoded
from facewright.image.codec import pixels as unpacked
from facewright.image.encoded import Encoded
from facewright.regions.local_pose import weights_of
from facewright.rig.textures import ShapeTexture, SurfaceTextures
from facewright.samples.skin import textured_sample
from facewright.session.edits.textures import set_map, set_neutral
from facewright.texture.face_texture import FaceTexture, textures_of
from facewright.texture.map_kind import normals
from tests.browser.studio import Studio
from tests.image.ktx2_files import ktx2
from tests.some import some
from tests.studio.served import Served

SIZE = 512
RGB8 = 29  # Vulkan's number
TOLERANCE = 2  # levels of 255: half precision, and the card's rounding of places between texels
SEVEN = ("browInnerUp", "browDownLeft", "browDownRight", "mouthSmileLeft", "mouthSmileRight", "cheekSquintLeft",
         "cheekSquintRight", "mouthPucker", "jawOpen", "noseSneerLeft", "noseSneerRight")  # fmt: skip

Opener = Callable[[Document], Studio]


@pytest.fixture(scope="module")
def face() -> Document:
    return textured_sample(SIZE)


@pytest.fixture
def opened_with(opened: Callable[[Served], Studio], server: Served, tmp_path: Path) -> Opener:
    """Opens a document in the studio."""

    def open_(document: Document) -> Studio:
        studio = opened(server)
        fw.save(document, tmp_path / "skin.fwface")
        server.upload(tmp_path / "skin.fwface")
        studio.until(lambda: studio.look("file")["name"] == "skin", "the document is open")
        studio.ready()
        if document.textures is not None:
            complete(studio)
        return studio

    return open_


def complete(studio: Studio) -> None:
    """Wait until all textures that the pose needs are there, and no detail goes over into another."""
    studio.until(
        lambda: (m := studio.look("mix")) and m["complete"] and m["detail"]["share"] == 1, "textures are there"
    )


MIXED = """
([mixing, size]) => {
  const flat = window.__facewright.texture(mixing, size, size) // which fetches what it needs
  const { complete, detail } = window.__facewright.mix // of this very mix: the next frame is one of the shown kind
  return complete && detail.share === 1 ? flat : ''
}
"""


def shown(studio: Studio, mixing: str, size: int = SIZE) -> np.ndarray:
    """The texture (size, size, 3) that the card mixes, once all that it is mixed of is there."""
    flat = ""

    def mixed() -> str:
        nonlocal flat
        flat = str(studio.page.evaluate(MIXED, [mixing, size]))
        return flat

    studio.until(mixed, "the textures of this mix are there")
    texels: np.ndarray = np.frombuffer(base64.b64decode(flat), np.uint8).reshape(size, size, 4)[..., :3]
    return texels


def apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    away: np.ndarray = np.abs(one.astype(np.int16) - other.astype(np.int16)).max(axis=2)
    return away


def pixels(picture: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


def mix(studio: Studio, name: str) -> None:
    studio.page.get_by_role("group", name="How textures are mixed").get_by_text(name).click()
    complete(studio)


def drop(studio: Studio, target: str, name: str, data: bytes) -> None:
    """Let go of a file over an element."""
    script = """([target, name, data]) => {
      const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], name))
      const options = { dataTransfer: transfer, bubbles: true, cancelable: true }
      const element = document.querySelector(target)
      for (const type of ['dragover', 'drop']) element.dispatchEvent(new DragEvent(type, options))
    }"""
    studio.page.evaluate(script, [target, name, base64.b64encode(data).decode()])


@pytest.mark.parametrize("weight", [*(pytest.param(weight, marks=pytest.mark.long) for weight in (0.0, 1 / 7)), 0.6])
def test_the_card_mixes_as_the_library_does(opened_with: Opener, face: Document, weight: float) -> None:
    """Seven textures at rest, at equal weights, and beyond 1 together, where limits count; plain and in two bands."""
    document = replace(face, pose=face.rig.weights(dict.fromkeys(SEVEN, weight)))
    studio, library = opened_with(document), FaceTexture(document)
    for mixing in ("bands", "plain"):
        away = apart(shown(studio, mixing), library(plain=mixing == "plain"))
        assert away.max() <= TOLERANCE
        assert (away > 1).mean() < 1e-3


def test_the_card_gives_every_region_its_own_detail_as_the_library_does(opened_with: Opener, face: Document) -> None:
    pose = dict.fromkeys(("browDownLeft", "browDownRight"), 0.9) | dict.fromkeys(
        ("mouthSmileLeft", "mouthSmileRight"), 1.0
    )
    document = replace(face, pose=face.rig.weights(pose), regions=fw.segment(face.rig))
    studio, library = opened_with(document), FaceTexture(document)
    assert len(set(studio.look("mix")["details"])) > 1, "the regions show different details"
    away = apart(shown(studio, "bands"), library())
    studio.shot("look 3 a frown and a smile")
    assert away.max() <= TOLERANCE
    assert (away > 1).mean() < 1e-3
    assert apart(shown(studio, "bands"), FaceTexture(replace(document, regions=None))()).max() > 10


def surface(studio: Studio, kind: str, size: int) -> np.ndarray:
    """The map (size, size, 3) of normals or roughness that the card mixes, once all that it is mixed of is there."""
    flat = ""

    def mixed() -> str:
        nonlocal flat
        flat = str(studio.page.evaluate(f"window.__facewright.surface('{kind}', {size}, {size})"))
        return flat

    studio.until(mixed, f"the {kind} maps are there")
    texels: np.ndarray = np.frombuffer(base64.b64decode(flat), np.uint8).reshape(size, size, 4)[..., :3]
    return texels


def wrinkled(face: Document, size: int) -> Document:
    """A face with normals and roughness of a frown and a smile."""
    down, across = np.mgrid[:size, :size] * 2 * np.pi / 40
    maps = {
        ("browDownLeft", "browDownRight"): (0.5 * np.sin(down), 0.2 * np.cos(across), 60),
        ("mouthSmileLeft", "mouthSmileRight"): (0.3 * np.cos(across), 0.4 * np.sin(down + across), 200),
    }

    def bumps(right: np.ndarray, up: np.ndarray) -> Encoded:
        return encoded(normals(np.stack([right, up, 0 * up], axis=2).astype(np.float32)))

    def grey(level: int) -> Encoded:
        return encoded(
            np.broadcast_to((level + 20 * np.sin(down + level))[..., None], (size, size, 3)).astype(np.uint8)
        )

    flat = np.zeros((size, size))
    normal = SurfaceTextures(
        bumps(flat, flat), tuple(ShapeTexture(names, bumps(a, b)) for names, (a, b, _) in maps.items())
    )
    rough = SurfaceTextures(grey(120), tuple(ShapeTexture(names, grey(level)) for names, (*_, level) in maps.items()))
    assert face.textures is not None
    return replace(face, textures=replace(face.textures, normal=normal, roughness=rough))


@pytest.mark.long  # colours are compared in the quick run, and maps of renders in tests/render/test_wrinkle_maps.py
def test_the_card_mixes_normals_and_roughness_as_the_library_does(opened_with: Opener, face: Document) -> None:
    """A frown and a smile, each in its regions, and beyond 1 together, where limits count."""
    pose = dict.fromkeys(("browDownLeft", "browDownRight"), 0.9) | dict.fromkeys(
        ("mouthSmileLeft", "mouthSmileRight"), 0.7
    )
    document = wrinkled(replace(face, pose=face.rig.weights(pose), regions=fw.segment(face.rig)), SIZE)
    studio = opened_with(document)
    for kind in ("normal", "roughness"):
        away = apart(surface(studio, kind, SIZE), FaceTexture(document, kind=kind)())
        assert away.max() <= TOLERANCE, kind
        assert (away > 1).mean() < 1e-3
        assert np.ptp(surface(studio, kind, SIZE).astype(int), axis=(0, 1)).max() > 40
    before = studio.face()
    studio.shot("look 4 wrinkles")
    plain = opened_with(replace(document, textures=replace(some(document.textures), normal=None, roughness=None)))
    assert np.abs(pixels(before).astype(int) - pixels(plain.face())).max() > 30, "wrinkles are seen"


def test_a_pose_kept_to_a_region_brings_its_texture_there_as_in_the_library(
    opened_with: Opener, face: Document
) -> None:
    regions = fw.segment(face.rig)
    rig = face.rig
    local = np.zeros((len(regions.names), len(rig.sliders)))
    moved = np.zeros(rig.vertex_count)
    shape = rig.shapes[rig.shape_names.index("browDownLeft")]
    moved[shape.vertices] = np.linalg.norm(shape.offsets, axis=1)
    chosen = int(np.argmax(regions.weights @ moved))  # the finest region that it moves most
    for name in ("browDownLeft", "browDownRight"):
        local[chosen, rig.slider_index(name)] = 1.0
    document = replace(
        face, regions=regions, local=local, pose=rig.weights({"mouthSmileLeft": 0.5, "mouthSmileRight": 0.5})
    )
    studio, library = opened_with(document), FaceTexture(document)
    wanted = library(weights_of(document))
    away = apart(shown(studio, "bands"), wanted)
    assert away.max() <= TOLERANCE
    assert (away > 1).mean() < 1e-3
    assert apart(wanted, library()).max() > 10, "the region's pose brings something"


@pytest.mark.long  # a quicker test holds the same
def test_seven_equal_textures_stay_sharp_in_two_bands_and_not_in_a_plain_mix(
    opened_with: Opener, face: Document
) -> None:
    """The paper's figure 4: one texture, seven mixed plainly, seven mixed in two bands."""
    studio = opened_with(replace(face, pose=face.rig.weights(dict.fromkeys(SEVEN, 1 / 7))))
    library = FaceTexture(face)
    bands, mask = library.blend.bands, library.blend.mask
    assert mask is not None
    changing = (bands.labels >= 0) & (mask < 0.01)

    def energy(texture: np.ndarray) -> float:
        return float(np.square(bands.split(texture)[1][changing]).mean())

    single = energy(library({"browInnerUp": 1.0}))  # whose detail is shown: the first of the heaviest
    assert energy(shown(studio, "bands")) > 0.95 * single
    assert energy(shown(studio, "plain")) < 0.75 * single  # brows are broad, and survive it
    studio.page.locator("#tab-textures").click()
    mix(studio, "Plain")
    studio.shot("look 1 seven plain")
    mix(studio, "Two bands")
    studio.shot("look 2 seven in two bands")


@pytest.mark.long
def test_the_split_view_is_plain_on_the_left_and_in_two_bands_on_the_right(opened_with: Opener, face: Document) -> None:
    studio = opened_with(replace(face, pose=face.rig.weights(dict.fromkeys(SEVEN, 1 / 7))))
    studio.page.locator("#tab-textures").click()
    pictures = {}
    for name in ("Plain", "Two bands", "Split"):
        mix(studio, name)
        pictures[name] = pixels(studio.face()).astype(np.int16)
    studio.shot("look 3 split")
    middle = pictures["Split"].shape[1] // 2
    left, right = np.s_[:, : middle - 12], np.s_[:, middle + 12 :]
    above = np.s_[: pictures["Split"].shape[0] - 120]  # where no words are
    for side, same, other in ((left, "Plain", "Two bands"), (right, "Two bands", "Plain")):
        near = np.abs(pictures["Split"][side] - pictures[same][side])[above]
        far = np.abs(pictures["Split"][side] - pictures[other][side])[above]
        assert near.max() <= 3
        assert (far.max(axis=2) > 6).mean() > 0.005
    handle = studio.page.locator(".split")
    handle.focus()
    for _ in range(10):
        studio.page.keyboard.press("ArrowRight")
    assert handle.get_attribute("aria-valuenow") == "60"
    box = studio.box(handle)
    studio.drag((box.x + 8, box.y + 200), (-200, 0))
    assert int(handle.get_attribute("aria-valuenow") or 0) < 45


@pytest.mark.long
def test_textures_follow_while_a_pin_is_dragged(opened_with: Opener, face: Document) -> None:
    studio = opened_with(face)
    smile = next(shape for shape in face.rig.shapes if shape.name == "mouthSmileLeft")
    corner = int(smile.vertices[np.linalg.norm(smile.offsets, axis=1).argmax()])
    studio.drag(studio.vertex(corner), (24, -30), release=False)
    studio.until(lambda: max(studio.look("mix")["weights"]) > 0.05, "a texture comes in")
    studio.page.mouse.up()
    studio.committed(2)  # the pin, the drag
    complete(studio)
    document = replace(face, pose=face.rig.weights(studio.look("weights")))
    away = apart(shown(studio, "bands"), FaceTexture(document)())
    # What is shown depends on what was shown before: the other detail may still be the one.
    if studio.look("mix")["detail"]["map"] == int(np.argmax([0, *studio.look("mix")["weights"]])):
        assert away.max() <= TOLERANCE


def picture(seed: int, media: str = "image/png") -> bytes:
    rng = np.random.default_rng(seed)
    coarse = rng.integers(60, 220, (8, 8, 3)).repeat(16, axis=0).repeat(16, axis=1)
    return encoded(np.clip(coarse + rng.normal(0, 20, coarse.shape), 0, 255).astype(np.uint8), media).data


def test_pictures_are_dropped_replaced_undone_and_there_after_a_reload(opened_with: Opener) -> None:
    studio = opened_with(Document(fw.sample()))
    bare = studio.face()
    drop(studio, ".viewport", "anna.png", picture(1))
    studio.committed(1)
    complete(studio)
    studio.until(lambda: apart(pixels(bare), pixels(studio.face())).max() > 40, "the face has it")
    assert studio.page.locator("#tab-textures").get_attribute("aria-selected") == "true"
    drop(studio, ".viewport", "anna-jawOpen.webp", picture(2, "image/webp"))
    studio.committed(2)
    drop(studio, ".viewport", "something.jpg", picture(3, "image/jpeg"))
    studio.page.locator("dialog select").select_option("mouthPucker")
    studio.shot("look 4 where does it belong")
    studio.page.locator("dialog button", has_text="Use").click()
    studio.committed(3)
    assert [one["shapes"] for one in studio.look("textures")["maps"]] == [["jawOpen"], ["mouthPucker"]]
    drop(studio, '[data-picture="mouthPucker"]', "other.png", picture(4))
    studio.committed(4)
    studio.page.set_input_files("#bring-mask", {"name": "m.png", "mimeType": "image/png", "buffer": picture(5)})
    studio.committed(5)
    studio.drag_slider("jawOpen", 1.0)
    studio.committed(6)
    complete(studio)
    studio.shot("look 5 three textures and a mask")
    posed = studio.face()
    studio.page.keyboard.press("Control+z")
    studio.page.keyboard.press("Control+z")
    studio.committed(4)
    assert studio.look("textures")["mask"] is None
    studio.page.keyboard.press("Control+Shift+z")
    studio.page.keyboard.press("Control+Shift+z")
    studio.committed(6)
    studio.page.reload()
    studio.ready()
    complete(studio)
    assert apart(pixels(posed), pixels(studio.face())).max() <= 3
    studio.page.locator("#tab-textures").click()
    studio.page.locator('[data-picture="jawOpen"] button').click()
    studio.committed(7)
    assert [one["shapes"] for one in studio.look("textures")["maps"]] == [["mouthPucker"]]


@pytest.mark.long  # a quicker test holds the same
def test_a_face_with_a_ktx2_skin_shows_it_and_mixes_others_with_it(opened_with: Opener, shared_data: Path) -> None:
    """Drawn on skin of one colour, red and blue are far apart; the file's own skin is grey."""
    document = fw.load_document(shared_data / "facecap" / "facecap.glb")
    studio = opened_with(document)

    def tint() -> float:
        shown = pixels(studio.face()).astype(int)
        height, width, _ = shown.shape
        middle = shown[2 * height // 5 : 4 * height // 5, 2 * width // 5 : 2 * width // 3]
        return float(np.abs(middle[..., 0] - middle[..., 2]).mean())

    studio.until(lambda: tint() < 20, "the skin is on")
    studio.shot("look 8 a KTX2 skin")
    textures = textures_of(document)
    assert textures is not None
    skin = textures.neutral
    other = ktx2((1024, 1024), (unpacked(skin) // 2 + [90, 30, 0]).astype(np.uint8).tobytes(), format=RGB8)
    drop(studio, ".viewport", "skin.ktx2", skin.data)
    studio.committed(1)
    drop(studio, ".viewport", "jawOpen.ktx2", other)
    studio.committed(2)
    studio.drag_slider("jawOpen", 0.7)
    studio.committed(3)
    complete(studio)
    studio.shot("look 9 a KTX2 texture of a shape")
    library = FaceTexture(set_map(set_neutral(document, skin), ["jawOpen"], Encoded(other)))
    assert apart(shown(studio, "bands", 1024), library(studio.look("weights"))).max() <= TOLERANCE


def test_a_file_that_is_no_picture_says_so_and_changes_nothing(opened_with: Opener) -> None:
    studio = opened_with(Document(fw.sample()))
    drop(studio, ".viewport", "broken.png", b"\x89PNG\r\n\x1a\n and nothing more")
    studio.page.locator(".toasts .problem").wait_for()
    assert "broken.png" in studio.page.locator(".toasts").inner_text()
    assert studio.look("textures") is None
    studio.complaints.clear()  # the browser notes the answer's status


def test_the_look_is_whole_on_a_large_screen(opened_with: Opener, face: Document) -> None:
    studio = opened_with(replace(face, pose=face.rig.weights(dict.fromkeys(SEVEN, 0.25))))
    studio.page.set_viewport_size({"width": 1920, "height": 1080})
    studio.page.locator("#tab-textures").click()
    mix(studio, "Split")
    studio.shot("look 6 large")
    assert studio.page.locator(".picture").count() >= 9
