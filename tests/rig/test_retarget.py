from pathlib import Path

import numpy as np

import facewright as fw
from facewright.motion.clip import Clip
from facewright.rig.retarget import retarget
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

TIMES = np.array([0.0, 0.5, 1.0])


def rig_with(*names: str) -> Rig:
    neutral = np.arange(12.0).reshape(4, 3) ** 1.1
    shapes = tuple(Shape.from_dense(name, np.full((4, 3), i + 1.0)) for i, name in enumerate(names))
    return Rig(neutral, np.array([[0, 1, 2], [1, 3, 2]]), shapes)


def clip_with(**values: list[float]) -> Clip:
    return Clip.from_table("take", list(values), TIMES, np.array(list(values.values())).T)


def test_curves_find_the_slider_that_means_the_same() -> None:
    found = retarget(clip_with(MouthSmileLeft=[0, 0.5, 1], jaw_open=[1, 0, 1]), rig_with("mouthSmile_L", "jawOpen"))
    np.testing.assert_array_equal(found.clip.curves["mouthSmile_L"].values, [0, 0.5, 1])
    assert found.sources["jawOpen"] == ("jaw_open",)
    assert found.left == found.idle == ()


def test_one_curve_drives_both_halves_and_two_halves_a_whole_by_their_mean() -> None:
    both = retarget(clip_with(cheekPuff=[0, 0.4, 1]), rig_with("cheekPuffLeft", "cheekPuffRight")).clip
    np.testing.assert_array_equal(both.curves["cheekPuffLeft"].values, both.curves["cheekPuffRight"].values)
    whole = retarget(clip_with(browInnerUp_L=[0, 1, 0], browInnerUp_R=[0, 0.5, 1]), rig_with("browInnerUp")).clip
    np.testing.assert_allclose(whole.curves["browInnerUp"].values, [0, 0.75, 0.5])


def test_values_are_kept_to_the_bounds_and_what_means_nothing_is_named() -> None:
    found = retarget(clip_with(jawOpen=[-0.2, 0.5, 1.3], gizmo=[1, 1, 1]), rig_with("jawOpen", "noseSneerLeft"))
    np.testing.assert_array_equal(found.clip.curves["jawOpen"].values, [0, 0.5, 1])
    assert (found.left, found.idle) == (("gizmo",), ("noseSneerLeft",))


def test_facecaps_clip_and_the_live_link_take_play_on_the_sample(shared_data: Path, tmp_path: Path) -> None:
    rig = fw.sample()
    document = fw.load_document(shared_data / "facecap" / "facecap.glb")
    live = fw.load_clip(shared_data / "mocap_livelink" / "alex_rom_3.csv")
    for clip, count in ((document.clips[0], 52), (live, 52)):
        found = retarget(clip, rig)
        assert len(found.sources) == count
        assert found.idle == ()
        fw.save(fw.Document(rig, (found.clip,)), tmp_path / "out.glb")
        back = fw.load_document(tmp_path / "out.glb").clips[0]
        times = clip.times()[::40]
        np.testing.assert_allclose(back.sample(rig.sliders, times), found.clip.sample(rig.sliders, times), atol=1e-5)
        assert back.curves["jawOpen"].values.max() > 0.5
