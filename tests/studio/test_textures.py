"""Textures over the wire: brought, kept, undone, refused in words, and split as the library splits them."""

import struct
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import numpy as np
import pytest

import facewright as fw
from facewright.document import Document
from facewright.image.codec import encoded, pixels
from facewright.image.encoded import Encoded
from facewright.image.srgb import to_linear
from facewright.rig.textures import Textures
from facewright.session.frames import unpack
from facewright.texture.detail import Detail
from facewright.texture.face_texture import FaceTexture
from tests.image.ktx2_files import HERE
from tests.studio.served import Page, Served, serving

pytest.importorskip("PIL", reason="pillow is not installed: pip install -e '.[texture]'")

SIZE = 96


def picture(seed: int, size: int = SIZE, media: str = "image/png") -> Encoded:
    rng = np.random.default_rng(seed)
    coarse = rng.integers(40, 200, (6, 6, 3)).repeat(size // 6, axis=0).repeat(size // 6, axis=1)
    return encoded(np.clip(coarse + rng.normal(0, 18, coarse.shape), 0, 255).astype(np.uint8), media)


def bring(served: Served, data: bytes, kind: str = "neutral", *shapes: str, name: str = "skin.png") -> tuple[int, str]:
    query = "".join(f"&shape={quote(shape)}" for shape in shapes)
    status, _, answer = served.ask("POST", f"/api/upload/texture?kind={kind}&name={quote(name)}{query}", data)
    found = msgspec.json.decode(answer)
    return status, found.get("problem", "")


@pytest.fixture
def page(page: Page) -> Page:
    """A face without textures: what is done to it counts from there."""
    page.do("RemoveAllTextures")
    return page


def told(page: Page) -> Any:
    """The textures once all that was said has been heard."""
    page.do("Ping")
    return page.state["textures"]


def halves(words: np.ndarray) -> np.ndarray:
    """A smooth part (H, W, 3), the top row first."""
    return np.ascontiguousarray(words).view("<f2")[::-1, :, :3].astype(np.float32)


def test_textures_are_brought_listed_undone_and_removed(served: Served, page: Page) -> None:
    assert told(page) is None
    assert bring(served, picture(1).data)[0] == 200
    assert bring(served, picture(2, media="image/webp").data, "map", "jawOpen", name="jaw.webp")[0] == 200
    assert bring(served, picture(3).data, "map", "mouthSmileLeft", "mouthSmileRight")[0] == 200
    assert bring(served, picture(4).data, "mask")[0] == 200
    info = told(page)
    assert [one["shapes"] for one in info["maps"]] == [["jawOpen"], ["mouthSmileLeft", "mouthSmileRight"]]
    assert info["maps"][0]["picture"]["media"] == "image/webp"
    assert info["mask"]
    assert info["parts"] == ["head"]
    shapes = [one["name"] for one in page.state["rig"]["shapes"]]
    assert info["maps"][1]["indices"] == [shapes.index("mouthSmileLeft"), shapes.index("mouthSmileRight")]
    page.do("Undo")
    assert told(page)["mask"] is None
    page.do("MoveTexture", shapes=["jawOpen"], to=["mouthPucker"])
    page.do("RemoveTexture", shapes=["mouthSmileLeft", "mouthSmileRight"])
    page.do("SetTexturedParts", parts=["head", "tongue"])
    info = told(page)
    assert [one["shapes"] for one in info["maps"]] == [["mouthPucker"]]
    assert info["parts"] == ["head", "tongue"]
    page.do("RemoveAllTextures")
    assert told(page) is None
    page.do("GoTo", at=2)
    assert told(page)["neutral"]["id"] == picture(1).id


def test_pictures_come_back_as_they_were_sent(served: Served, page: Page) -> None:
    sent = picture(5, media="image/webp")
    bring(served, sent.data)
    status, headers, data = served.ask("GET", f"/api/textures/picture/{sent.id}")
    assert (status, headers["content-type"], data) == (200, "image/webp", sent.data)
    status, headers, small = served.ask("GET", f"/api/textures/thumb/{sent.id}")
    assert status == 200
    assert headers["content-type"] == "image/jpeg"
    assert Encoded(small).width <= 112
    page.do("RemoveAllTextures")
    assert served.ask("GET", f"/api/textures/picture/{sent.id}")[0] == 404


def test_smooth_parts_and_limits_are_those_of_the_library(served: Served, page: Page) -> None:
    rest, smile, jaw = picture(6), picture(7), picture(8)
    bring(served, rest.data)
    bring(served, smile.data, "map", "mouthSmileLeft")
    bring(served, jaw.data, "map", "jawOpen")
    info = told(page)
    textures = Textures(rest, parts=("head",)).with_map(("mouthSmileLeft",), smile).with_map(("jawOpen",), jaw)
    blend = FaceTexture(Document(fw.sample(), textures=textures)).blend
    for number, one in enumerate((rest, smile, jaw)):
        status, _, data = served.ask("GET", f"/api/textures/low/{info['layout']}/{one.id}")
        assert status == 200
        header, arrays = unpack(data)
        scale = blend.bands.cells.scale
        assert header.extent == pytest.approx((SIZE / scale / len(blend.lows[0]),) * 2)
        np.testing.assert_allclose(halves(arrays["texels"]), blend.lows[number], rtol=2**-10)
        np.testing.assert_allclose(arrays["detail"], blend.fades.detail(number), atol=1e-6)
    _, arrays = unpack(served.ask("GET", f"/api/textures/limits/{info['id']}")[2])
    for name, limit in zip(("darkest", "brightest"), blend.lows.limits, strict=True):
        np.testing.assert_allclose(halves(arrays[name]), limit, rtol=2**-10)


def test_the_mix_from_what_is_sent_is_the_librarys(served: Served, page: Page) -> None:
    """The page's formula: one picture, and over it the mix of the smooth parts less its own."""
    rest, smile = picture(9), picture(10)
    bring(served, rest.data)
    bring(served, smile.data, "map", "mouthSmileLeft")
    info = told(page)
    lows = [halves(unpack(served.ask("GET", f"/api/textures/low/{info['layout']}/{one.id}")[2])[1]["texels"])
            for one in (rest, smile)]  # fmt: skip
    blend = FaceTexture(Document(fw.sample(), textures=Textures(rest, parts=("head",)).with_map(("a",), smile))).blend
    change = 0.3 * lows[0] + 0.7 * lows[1] - lows[1]
    found = to_linear(pixels(smile)) + blend.bands.raised(change.astype(np.float32))
    np.testing.assert_allclose(found, blend.light([0.7], Detail(1)), atol=1e-3)


def test_ktx2_pictures_are_shown_as_png_and_kept_as_they_came(served: Served, page: Page, tmp_path: Path) -> None:
    rest, smile = (Encoded((HERE / f"{name}.ktx2").read_bytes()) for name in ("etc1s-alpha", "uastc"))
    assert bring(served, rest.data, name="skin.ktx2") == (200, "")
    assert bring(served, smile.data, "map", "mouthSmileLeft", name="smile.ktx2") == (200, "")
    assert told(page)["neutral"]["media"] == "image/ktx2"
    for one in (rest, smile):
        status, headers, data = served.ask("GET", f"/api/textures/picture/{one.id}")
        assert (status, headers["content-type"]) == (200, "image/png")
        np.testing.assert_array_equal(pixels(Encoded(data)), pixels(one))
        assert served.ask("GET", f"/api/textures/thumb/{one.id}")[0] == 200
    (tmp_path / "kept.fwface").write_bytes(served.ask("GET", "/api/export/fwface")[2])
    kept = fw.load_document(tmp_path / "kept.fwface").textures
    assert kept is not None
    assert (kept.neutral, kept.maps[0].picture) == (rest, smile)


def test_the_ktx2_skin_of_an_opened_file_is_shown_mixed_and_saved_as_it_came(
    served: Served, page: Page, shared_data: Path, tmp_path: Path
) -> None:
    file = (shared_data / "facecap" / "facecap.glb").read_bytes()
    assert served.ask("POST", "/api/upload?name=facecap.glb", file)[0] == 200
    materials = fw.load_document(shared_data / "facecap" / "facecap.glb").materials
    assert materials is not None
    own = materials.image(0).encoded()
    page.do("Ping")
    status, headers, data = served.ask("GET", f"/api/texture/{page.state['rig']['id']}/0")
    assert (status, headers["content-type"]) == (200, "image/png")
    np.testing.assert_array_equal(pixels(Encoded(data)), pixels(own))
    assert bring(served, picture(3).data, "map", "jawOpen") == (200, "")
    assert told(page)["neutral"]["id"] == own.id
    (tmp_path / "kept.glb").write_bytes(served.ask("GET", "/api/export/glb")[2])
    kept = fw.load_document(tmp_path / "kept.glb").materials
    assert kept is not None
    assert (kept.image(0).media, kept.image(0).data) == ("image/ktx2", own.data)


def test_a_texture_of_a_file_that_cannot_be_unpacked_is_told(served: Served, page: Page, shared_data: Path) -> None:
    file = bytearray((shared_data / "facecap" / "facecap.glb").read_bytes())
    start = file.index(b"\xabKTX 20\xbb")
    (descriptor,) = struct.unpack_from("<I", file, start + 48)
    file[start + descriptor + 12] = 167  # the colour model of UASTC HDR
    assert served.ask("POST", "/api/upload?name=facecap.glb", bytes(file))[0] == 200
    page.do("Ping")
    status, _, answer = served.ask("GET", f"/api/texture/{page.state['rig']['id']}/0")
    assert (status, b"are unpacked here" in answer) == (400, True)
    status, problem = bring(served, picture(1).data, "map", "jawOpen")
    assert (status, "give it another at rest first" in problem) == (400, True)
    page.do("Ping")
    assert any("is not shown" in message["message"] for message in page.told if message["type"] == "Notice")


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "empty"),
        (b"GIF89a and so on", "no PNG"),
        (picture(1).data[:200], "cannot be unpacked"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 60_000, 60_000), "60000 x 60000"),
        (b"\x89PNG\r\n\x1a\n" + bytes(5 << 20), "too large"),
        (b"\xabKTX 20\xbb\r\n\x1a\n" + bytes(8) + struct.pack("<II", 64, 64) + bytes(60), "0 faces"),
    ],
)
def test_what_is_no_picture_is_refused_in_words(served: Served, page: Page, data: bytes, word: str) -> None:
    status, problem = bring(served, data)
    assert status in (400, 413)
    assert word in problem
    assert told(page) is None


def test_a_small_file_that_unpacks_to_much_is_not_unpacked(served: Served, page: Page) -> None:
    """8191 x 8193 pixels are one row more than may be, in a file of a few kilobytes."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 8192, 8193, 8, 0, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(bytes(8193 * 100), 9))
    status, problem = bring(served, b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b""))
    assert status == 400
    assert "8192 x 8193" in problem


def test_mistakes_name_what_would_have_worked(served: Served, page: Page) -> None:
    assert "at rest first" in bring(served, picture(1).data, "map", "jawOpen")[1]
    assert bring(served, picture(1).data)[0] == 200
    assert "jawOpen" in bring(served, picture(1).data, "map", "jawOpn")[1]
    assert "a map names its shapes" in bring(served, picture(1).data, "map")[1]
    assert "no texture" in page.ask("RemoveTexture", shapes=["jawOpen"])["message"]


@pytest.mark.long
def test_textures_survive_a_kill_and_come_back_with_every_undone_step(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        page = first.page()
        skin = told(page)
        bring(first, picture(1).data)
        bring(first, picture(2).data, "map", "cheekPuff")
        page.do("Undo")
        page.do("Redo")
        before = told(page)
        first.kill()
    with serving(tmp_path) as second:
        page = second.page()
        assert page.state["textures"] == before
        assert before["maps"][-1]["shapes"] == ["cheekPuff"]
        page.do("Undo")
        assert told(page)["maps"] == skin["maps"]
        page.do("GoTo", at=0)
        assert told(page) == skin


def test_the_embedded_people_have_skin_which_can_be_taken_off_and_put_on_again(served: Served) -> None:
    page = served.page()
    page.do("OpenSample", person="amara")
    skin = told(page)
    assert len(skin["maps"]) >= 7
    page.do("RemoveAllTextures")
    assert told(page) is None
    page.do("ApplyEmbeddedSkin")
    assert told(page) == skin
    page.close()


def test_textures_are_in_the_exported_files(served: Served, page: Page, tmp_path: Path) -> None:
    bring(served, picture(1).data)
    bring(served, picture(2).data, "map", "jawOpen")
    for kind in ("fwface", "glb"):
        path = tmp_path / f"face.{kind}"
        path.write_bytes(served.ask("GET", f"/api/export/{kind}")[2])
        textures = fw.load_document(path).textures
        assert textures is not None
        assert textures.neutral == picture(1)
        assert [(one.shapes, one.picture) for one in textures.maps] == [(("jawOpen",), picture(2))]
