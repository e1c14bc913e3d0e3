"""Every cell of the table in docs/formats.md is true of a document that has everything."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.avatars import MadeAvatar
from tests.formats.test_contents import everything
from tests.formats.usd_needed import NEEDS_USD

import facewright as fw
from facewright.formats.carried import CARRIED, carried
from facewright.formats.character import character_of
from facewright.formats.file_joints import file_joints
from facewright.mesh.polygons import Polygons, Uvs

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
FILES = {
    "`.fwface`": "a.fwface",
    "`.glb`, `.gltf`": "a.glb",
    "`.vrm`": "a.vrm",
    "`.fbx`": "a.fbx",
    "`.usda`, `.usdc`, `.usdz`": "a.usdz",
    "OBJ folder": "a",
    "one `.obj`": "a.obj",
    "`.npz`": "a.npz",
}
NOT_KEPT = ("no", "–", "the posed face only", "it is the mesh", "baked", "no: they place the mesh")


def whole() -> fw.Document:
    """Polygons of all sizes, texture coordinates, parts, correctives, rules, a pose and what `everything` has."""
    given = everything()
    base = given.rig
    a, b, c = base.shapes
    middle = base.vertex_count // 2
    apart = [row for row in base.polygons.rows() if (row < middle).all() or (row >= middle).all()]
    more = [row for row in range(middle, middle + 9) if row not in apart[-1]][:2]
    pentagon = np.concatenate([apart[-1], more])
    polygons = Polygons.of(sorted([*apart[:-1], pentagon], key=lambda row: row[0] >= middle))
    size = len(polygons.corners)
    rng = np.random.default_rng(4)
    rig = fw.Rig(
        base.neutral,
        polygons,
        (
            a,
            replace(a, name="half", sliders=a.sliders, at=(0.5,), offsets=0.7 * a.offsets),
            b,
            replace(c, name="both", sliders=(a.name, b.name)),
        ),
        bounds=[(-0.5, 1.5), (0.0, 1.0)],
        groups=("brow", "mouth"),
        parts=(fw.Part("left", 0, middle), fw.Part("right", middle, base.vertex_count)),
        uvs=Uvs(rng.random((size, 2)).round(4), np.arange(size)),
        exclusive=((a.name, b.name),),
        rules=(fw.StaysWithin("near", np.array([1, 2]), 0.5),),
    )
    assert given.materials is not None
    materials = replace(given.materials, of_polygon=np.zeros(len(polygons), np.int64))
    local = np.full((len(given.regions.names), 2), 0.1) if given.regions is not None else None
    return replace(
        given, rig=rig, pose=rig.weights({a.name: 0.25}), materials=materials, textures=None, local=local,
        clips=(fw.Clip("talk", {a.name: fw.Curve([0.0, 0.4, 1.0], [0.0, 0.3, 1.0], "cubic")}, 30.0),),
        extra={"later": 1}, prior=fw.Prior.from_names(rig),
    )  # fmt: skip


def textured() -> fw.Document:
    given = everything()
    return replace(whole(), textures=given.textures and replace(given.textures, maps=()))


def same_uvs(one: fw.Rig, other: fw.Rig) -> bool:
    if one.uvs is None or other.uvs is None:
        return False
    return np.allclose(one.uvs.coordinates[one.uvs.corners], other.uvs.coordinates[other.uvs.corners], atol=1e-6)


def same_shapes(given: fw.Document, back: fw.Document) -> bool:
    if set(given.rig.shape_names) != set(back.rig.shape_names):
        return False
    order = [back.rig.shape_names.index(name) for name in given.rig.shape_names]
    pairs = (back.rig.deltas()[order], given.rig.deltas()), (back.rig.neutral, given.rig.neutral)
    return all(np.allclose(one, other, atol=1e-6 * given.rig.size) for one, other in pairs)


def same_clip(given: fw.Document, back: fw.Document) -> bool:
    times, sliders = np.linspace(0, 1, 20), given.rig.sliders
    if len(back.clips) != len(given.clips):
        return False
    one, other = (document.clips[0].sample(sliders, times) for document in (given, back))
    return np.allclose(one, other, atol=1e-5)


def drivers(rig: fw.Rig) -> dict[str, object]:
    return {shape.name: (shape.factors, shape.additive) for shape in rig.shapes}


def fields(rig: fw.Rig) -> object:
    return rig.sliders, rig.bounds.tolist(), rig.groups, rig.exclusive, [rule.name for rule in rig.rules]


ROWS: dict[str, Callable[[fw.Document, fw.Document], bool]] = {
    "neutral, shapes": same_shapes,
    "triangles, quads, n-gons": lambda given, back: back.rig.polygons.same_as(given.rig.polygons),
    "texture coordinates per corner": lambda given, back: same_uvs(given.rig, back.rig),
    "parts": lambda given, back: back.rig.parts == given.rig.parts,
    "sliders, bounds, groups, rules, exclusive pairs": lambda given, back: fields(given.rig) == fields(back.rig),
    "in-betweens, combinations": lambda given, back: drivers(given.rig) == drivers(back.rig),
    "pose": lambda given, back: len(back.pose) == len(given.pose) and np.allclose(back.pose, given.pose, atol=1e-6),
    "poses of the library": lambda given, back: [one.name for one in back.poses] == [one.name for one in given.poses],
    "clips": same_clip,
    "pins, held points, locked sliders": lambda given, back: (
        (back.pins, len(back.held), back.locked) == (given.pins, len(given.held), given.locked)
    ),
    "regions, and what they add to the pose": lambda given, back: (
        back.regions is not None
        and back.local is not None
        and given.local is not None
        and np.allclose(back.local, given.local)
    ),
    "expressions of an avatar": lambda given, back: back.expressions == given.expressions,
    "the prior: which poses are likely": lambda given, back: back.prior is not None,
    "textures of shapes, and their mask": lambda given, back: back.textures is not None,
    "materials and their base colour images": lambda given, back: (
        back.materials is not None
        and given.materials is not None
        and [one.name for one in back.materials] == [one.name for one in given.materials]
    ),
    "views of the camera": lambda given, back: back.bookmarks == given.bookmarks,
    "sound and picture of reference": lambda given, back: (back.sound, back.plane) == (given.sound, given.plane),
    "keys of a newer version": lambda given, back: back.extra == given.extra,
    "members of a newer version": lambda given, back: back.attachments.keys() >= given.attachments.keys(),
}


def layered() -> fw.Document:
    given = whole()
    slider = given.rig.sliders[0]
    layer = fw.Layer("more", curves={slider: fw.Curve([0.0, 1.0], [0.0, 0.2])})
    return replace(given, clips=(replace(given.clips[0], layers=(layer,)),))


def skinned() -> fw.Document:
    """An avatar with joints, a mesh besides the face, a camera and a joint's animation, which its file keeps."""
    return fw.load_document(MadeAvatar().whole().glb(), format="vrm")


def carries_all(given: fw.Document, back: fw.Document) -> bool:
    joints = file_joints(back)
    brows, same = character_of(given).meshes, character_of(back).meshes
    return (
        joints is not None
        and joints.shares("head") is not None
        and [one.name for one in same] == ["brows"]
        and np.abs(same[0].positions - brows[0].positions).max() < 1e-6
        and [carried(back, kind) for kind in CARRIED] == [1, 1, 1, 1]
    )


# Rows that need a document of their own
OTHERS: dict[str, tuple[Callable[[], fw.Document], Callable[[fw.Document, fw.Document], bool]]] = {
    "layers of clips": (layered, lambda given, back: [one.name for one in back.clips[0].layers] == ["more"]),
    "skins, cameras, other meshes of an opened glTF file": (skinned, carries_all),
}


def table() -> dict[str, dict[str, str]]:
    """The first table of the page: row -> format -> cell."""
    lines = [line.strip("|").split("|") for line in PAGE.read_text("utf8").splitlines() if line.startswith("|")]
    names = [cell.strip() for cell in lines[0][1:]]
    rows = {}
    for line in lines[2:]:
        if line[0].startswith("---") or len(line) != len(lines[0]):
            break
        rows[line[0].strip()] = dict(zip(names, [cell.strip() for cell in line[1:]], strict=True))
    return rows


def test_the_table_has_the_rows_and_formats_that_are_tried() -> None:
    found = table()
    assert set(found) == {*ROWS, *OTHERS}
    assert {*FILES, "`.csv`"} == set(next(iter(found.values())))


@pytest.mark.filterwarnings("ignore::facewright.FacewrightWarning")
@pytest.mark.parametrize("column", [pytest.param(one, marks=NEEDS_USD) if "usd" in one else one for one in FILES])
def test_every_cell_is_true(column: str, tmp_path: Path) -> None:
    given = replace(textured(), attachments={"notes.txt": b"kept"})
    fw.save(given, tmp_path / FILES[column])
    back = fw.load_document(tmp_path / FILES[column])
    wrong = []
    for row, kept in ROWS.items():
        says = table()[row][column]
        if kept(given, back) != (says not in NOT_KEPT):
            wrong.append(f"{row}: the table says {says!r}")
    assert not wrong, wrong


@pytest.mark.filterwarnings("ignore::facewright.FacewrightWarning")
@pytest.mark.parametrize("row", OTHERS)
@pytest.mark.parametrize("column", [pytest.param(one, marks=NEEDS_USD) if "usd" in one else one for one in FILES])
def test_every_cell_is_true_of_layers_and_skins(column: str, row: str, tmp_path: Path) -> None:
    make, kept = OTHERS[row]
    given = make()
    fw.save(given, tmp_path / FILES[column])
    back = fw.load_document(tmp_path / FILES[column])
    clips = not given.clips or bool(back.clips)  # without clips there are no layers
    says = table()[row][column]
    assert (clips and kept(given, back)) == (says not in NOT_KEPT), says


def test_every_cell_of_csv_is_true(tmp_path: Path) -> None:
    column = {row: cells["`.csv`"] for row, cells in table().items()}
    assert column == dict.fromkeys(column, "–") | {"clips": "one", "layers of clips": "baked"}
    given = layered()
    (clip,) = given.clips
    fw.save_clip(clip, tmp_path / "a.csv")
    back, times = fw.load_clip(tmp_path / "a.csv"), clip.times()
    assert not back.layers
    np.testing.assert_allclose(back.sample(given.rig.sliders, times), clip.sample(given.rig.sliders, times), atol=1e-5)
    assert np.abs(clip.sample(given.rig.sliders, times) - whole().clips[0].sample(given.rig.sliders, times)).max() > 0.1
    for wrong in (lambda: fw.save(given, tmp_path / "b.csv"), lambda: fw.load_document(tmp_path / "a.csv")):
        with pytest.raises(fw.FacewrightError, match=r"\.fwface"):
            wrong()  # no face goes into a table, or comes out of one
