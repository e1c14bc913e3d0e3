"""One line for every edit of the document, in an order in which each finds what it works on.

A new edit is a new line here, or the reason why another test holds it. `test_every_edit.py` does each, saves, reloads,
kills, undoes and redoes them.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from facewright.document import Document
from facewright.formats.scans.packed import pack_sequence
from facewright.formats.schema.clip import CurveEntry
from facewright.image.codec import encoded
from facewright.image.encoded import Encoded
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.depth import DepthImage, Pinhole, PointCloud, ScanSequence
from facewright.motion.take import Take
from facewright.reference.media_file import MediaFile
from facewright.reference.plane import ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.rig.expression import Expression, ExpressionBind
from facewright.rig.prior import Prior
from facewright.rig.scanned import Scanned
from facewright.rig.shape import Shape
from facewright.samples import mask
from facewright.session.edits import (
    bookmarks,
    clips,
    controls,
    correctives,
    expressions,
    face,
    held,
    interference,
    key_tools,
    keys,
    layers,
    live,
    pins,
    pose,
    poses,
    prior,
    reference,
    regions,
    rig,
    rules,
    scans,
    sculpts,
    show,
    sides,
    sliders,
    takes,
    tangents,
    textures,
    ties,
    touch_up,
    unit,
)
from facewright.session.edits.correctives import FactorField
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.keys import KeyChoice
from facewright.workflow.perfect_sync import Addition
from facewright.workflow.take.solve import SolvedTake
from facewright.workflow.track.scan import TrackedScan
from tests.reference.sounds import tone_file
from tests.session.faces import lively_vertex
from tests.some import some

JAW, BROW, MOUTH = "mouth006", "eye001Left", "mouth002Left"
PLANE = ReferencePlane(MediaFile("a.png", "image/png", b"pixels"), "beside", 0.5, opacity=0.5)


def chosen(*times: float, slider: str = JAW) -> list[KeyChoice]:
    return [KeyChoice(slider, list(times))]


def region(document: Document, place: int = 1) -> str:
    return some(document.regions).names[place]


def leaves(document: Document) -> list[str]:
    """The smallest regions."""
    return list(some(document.regions).names_at(0))


def stroke(document: Document) -> tuple[int, float, float, float]:
    """A dab where the face moves most."""
    at = lively_vertex(document.rig)
    return int((document.rig.triangles == at).any(axis=1).argmax()), 0.4, 0.3, 0.3


def picture(value: int) -> Encoded:
    return encoded(np.full((4, 4, 3), value, np.uint8))


def take(document: Document) -> Take:
    places = document.rig.neutral[document.rig.triangles[[3, 40, 90, 150], 0]]
    return Take(("a", "b", "c", "d"), np.stack([places, 1.01 * places]), 60.0)


def solved() -> SolvedTake:
    curves, status = {JAW: Curve([0.0, 1 / 60], [0.1, 0.2])}, np.zeros(2, np.int64)
    return SolvedTake("solved", 60.0, curves, (), None, status, np.zeros((0, 2), np.int64), (), 2, "", None)


def sequence() -> ScanSequence:
    lens, depth = Pinhole(4.0, 4.0, 1.5, 1.0, 4, 3), np.linspace(0.3, 0.5, 12, dtype=np.float32).reshape(3, 4)
    cloud = PointCloud(np.eye(3), np.eye(3), {"nose": np.array([0.0, 0.5, 0.25])})
    frames = (DepthImage(depth, lens, {"nose": np.array([1.5, 0.5])}), None, cloud)
    return pack_sequence(ScanSequence(frames, np.arange(3) / 30, "depth", ("a note",)))


def tracked() -> TrackedScan:
    curves, turns = {JAW: Curve([0.0, 1 / 30], [0.1, 0.2])}, np.tile(np.eye(3), (2, 1, 1))
    left = np.array([0.001, np.nan])
    return TrackedScan("depth", 30.0, curves, None, np.array([0, 3]), left, turns, np.ones((2, 3)), 0.01, (), 3, "")


def beside(document: Document) -> tuple[float, float, float]:
    """Where the vertex that moves most is at rest, and a little further."""
    x, y, z = document.rig.neutral[lively_vertex(document.rig)].tolist()
    return x, y - 0.05 * document.rig.size, z


# fmt: off
LINES: list[Callable[[Document], DocumentEdit]] = [
    # clips and keys
    lambda d: clips.CreateClip(name="smile", rate=24.0),
    lambda d: pose.SetWeights(weights={JAW: 0.25, BROW: 0.5}),
    lambda d: keys.KeyChanges(time=0.0),
    lambda d: keys.SetKeys(time=0.5, sliders=[JAW, MOUTH]),
    lambda d: keys.KeyValues(time=1.0, weights={JAW: 0.75, BROW: 0.125}),
    lambda d: keys.SetKeys(time=1.51, sliders=[JAW]),
    lambda d: keys.MoveKeys(keys=chosen(0.5), by=0.25, lift=0.125),
    lambda d: keys.PlaceKeys(keys=chosen(0.75), time=0.6, value=0.9),
    lambda d: keys.CopyKeys(keys=chosen(0.0, 0.6), by=2.0),
    lambda d: keys.DeleteKeys(keys=chosen(2.6)),
    lambda d: key_tools.SnapKeys(keys=chosen(1.51)),
    lambda d: key_tools.TweenKeys(keys=chosen(0.3), share=0.25),
    lambda d: key_tools.BlendKeys(keys=chosen(0.6), share=-0.5),
    lambda d: key_tools.SmoothKeys(keys=chosen(0.3, 0.6, 1.0), strength=0.5),
    lambda d: key_tools.ScaleKeys(keys=chosen(0.6, 1.0), about=0.0, factor=1.25, level=0.5, gain=0.5),
    lambda d: key_tools.PasteKeys(curves=[CurveEntry(MOUTH, times=[0.0, 0.4], values=[0.1, 0.9])], at=1, mirrored=True),
    lambda d: key_tools.ReduceKeys(keys=chosen(0.3, 0.75, 1.25), tolerance=0.5),
    lambda d: tangents.SetTangents(tangent="flat", keys=chosen(0.0)),
    lambda d: tangents.SetTangents(tangent="step", sliders=[BROW]),
    lambda d: tangents.TurnHandle(slider=JAW, time=0.0, slope=0.3, leaving=True, broken=True),
    lambda d: tangents.SetOutside(outside="cycle", sliders=[JAW]),
    lambda d: tangents.SetOutside(outside="offset", sliders=[BROW]),
    lambda d: clips.SetRate(clip="smile", rate=25.0),
    lambda d: clips.RenameClip(clip="smile", name="grin"),
    lambda d: clips.CreateClip(name="copy", copy_of="grin"),
    lambda d: clips.LoadClips(clips=(Clip("loaded", {JAW: Curve([0.0, 1.0], [0.0, 1.0])}),), name="take.csv"),
    lambda d: clips.DeleteClip(clip="copy"),
    # layers
    lambda d: held.HoldVertices(vertices=[lively_vertex(d.rig)]),
    lambda d: layers.HoldOverClip(name="still"),
    lambda d: layers.DeleteLayer(layer="still"),
    lambda d: layers.AddLayer(name="more"),
    lambda d: keys.KeyValues(time=0.5, weights={JAW: 0.9}),
    lambda d: layers.SetLayerWeight(layer="more", weight=0.5, time=0.5),
    lambda d: layers.KeyLayerWeight(layer="more", time=0.0),
    lambda d: layers.AddLayer(name="all", kind="override"),
    lambda d: keys.SetKeys(time=0.25, sliders=[MOUTH]),
    lambda d: layers.MoveLayer(layer="all", to=0),
    lambda d: layers.SetLayerKind(layer="more", kind="override"),
    lambda d: layers.MuteLayer(layer="all", muted=True),
    lambda d: layers.SoloLayer(layer="more", solo=True),
    lambda d: layers.RenameLayer(layer="all", name="under"),
    lambda d: layers.MuteLayer(layer="under", muted=False),
    lambda d: layers.SoloLayer(layer="more", solo=False),
    lambda d: layers.MergeLayer(layer="more"),
    lambda d: layers.DeleteLayer(layer="under"),
    # pose
    lambda d: controls.SetControls(values={"HeadYaw": 0.3, "NeckPitch": -0.1, "EyeYawLeft": 0.2, "GazeX": 3.0}),
    lambda d: keys.SetKeys(time=0.5, sliders=["HeadYaw", "GazeX"]),
    lambda d: controls.SetEyeLimits(side=30.0, up=20.0, down=25.0),
    lambda d: controls.ClearControls(names=["GazeX"]),
    lambda d: pose.MirrorPose(),
    lambda d: poses.KeepPose(name="now", tags=["a"]),
    lambda d: poses.KeepPose(name="given", weights={JAW: 0.7, BROW: 0.2, "elsewhere": 1.0}),
    lambda d: poses.ApplyPose(name="given", weights={JAW: 0.7, BROW: 0.2}, blend=0.5),
    lambda d: poses.PastePose(text='{"weights": {"mouth006": 0.35}}'),
    lambda d: poses.MirrorSide(side="left"),
    lambda d: poses.TagPose(pose="given", tags=["b", "c"]),
    lambda d: poses.RenamePose(pose="given", name="other"),
    lambda d: poses.DeletePose(pose="now"),
    lambda d: pose.LockSliders(sliders=[JAW], locked=True),
    lambda d: pose.ResetWeights(sliders=[BROW, MOUTH]),
    lambda d: pose.SetDragMethod(method="natural"),
    lambda d: sliders.KeepSliderSet(name="mouth", sliders=[JAW, MOUTH]),
    lambda d: pose.SetDragSliders(sliders="mouth"),
    lambda d: show.ShowPose(weights={JAW: 0.5}, what="a corner"),
    # expressions
    lambda d: expressions.AddExpression(name="now", from_pose=True),
    lambda d: expressions.AddExpression(name="blink"),
    lambda d: expressions.BindShape(expression="blink", shape=BROW, value=0.5),
    lambda d: expressions.SetExpression(expression="blink", value=0.5),
    lambda d: expressions.SetExpressionOptions(expression="now", is_binary=True, blink="blend", preset="happy"),
    lambda d: expressions.RenameExpression(expression="now", name="joy"),
    lambda d: expressions.UnbindShape(expression="blink", shape=BROW),
    lambda d: expressions.DeleteExpression(expression="blink"),
    lambda d: expressions.AddPerfectSync(
        added=Addition(
            (),
            (Shape("tongueOut", np.array([3]), np.array([[0.0, 0.0, 0.1]])),),
            (Expression("TongueOut", (ExpressionBind("tongueOut", 1.0),)),),
        )
    ),
    # pins and held points
    lambda d: pins.AddPin(pin=1, vertex=lively_vertex(d.rig)),
    lambda d: pins.AddPin(pin=2, triangle=7, barycentric=(0.5, 0.25, 0.25), hold=True),
    lambda d: pins.DragPins(targets=[pins.PinTarget(pin=1, target=beside(d))]),
    lambda d: pins.ChangePins(pins=[1], axes="xy", strength=2.0),
    lambda d: pins.MovePin(pin=2, vertex=60),
    lambda d: pins.MirrorPins(pins=[1]),
    lambda d: pins.DeletePins(pins=[2]),
    lambda d: held.HoldVertices(vertices=[3, 8, 9], axes="xy"),
    lambda d: held.SetHoldAxes(axes="z"),
    lambda d: held.SetHolding(on=True, alpha=3.0),
    # reference
    lambda d: reference.SetSound(sound=ReferenceSound.of_wav("line.wav", tone_file(0.1))),
    lambda d: reference.PlaceSound(offset=0.5, volume=0.25, muted=True),
    lambda d: reference.RemoveSound(),
    lambda d: reference.SetPlane(plane=PLANE),
    lambda d: reference.PlacePlane(placement="behind", x=0.25, opacity=0.75),
    lambda d: reference.RemovePlane(),
    lambda d: bookmarks.SetBookmark(name="mouth", yaw=0.1, pitch=0.2, distance=1, target=(0, 0.1, 0), field_of_view=30),
    lambda d: bookmarks.RenameBookmark(name="mouth", to="lips"),
    lambda d: bookmarks.RemoveBookmark(name="lips"),
    # regions, and keys in them
    lambda d: regions.FindRegions(threshold=0.6, by="threshold"),
    lambda d: regions.FindRegions(threshold=0.6),
    lambda d: pose.LockSliders(sliders=[JAW], locked=False),
    lambda d: pose.SetWeights(weights={JAW: 0.9}, region=region(d)),
    lambda d: keys.SetKeys(time=0.2, sliders=[JAW]),
    lambda d: regions.RenameRegion(region=region(d), name="cheek"),
    lambda d: regions.PaintRegion(region="cheek", vertices=[10, 11, 12], mode="add"),
    lambda d: regions.SplitRegion(region="cheek"),
    lambda d: regions.MergeRegion(region=leaves(d)[0], other=leaves(d)[1]),
    lambda d: regions.RemoveRegions(),
    # the rig
    lambda d: rules.AddRule(rule="still", kind="within", vertices=[5, 6, 7], share=0.1),
    lambda d: rules.PaintRule(rule="still", vertices=[8]),
    lambda d: rules.SetRule(rule="still", share=0.2),
    lambda d: rules.RenameRule(rule="still", name="quiet"),
    lambda d: rules.DeleteRule(rule="quiet"),
    lambda d: sliders.RenameSlider(slider="mouth007", name="jawForward"),
    lambda d: sliders.SetBounds(sliders=["jawForward"], low=-0.5, high=1.5),
    lambda d: sliders.SetSliderGroup(sliders=["jawForward"], group="jaw"),
    lambda d: sliders.MoveSliders(sliders=["jawForward"], before=BROW),
    lambda d: sliders.ExcludeSliders(pairs=[("nose004Left", "nose004Right")]),
    lambda d: sliders.AllowSliders(one="nose004Left", other="nose004Right"),
    lambda d: sliders.JoinSliders(negative="nose005Left", positive="nose005Right", name="noseSide"),
    lambda d: sliders.PartSlider(slider="noseSide", names=("nose005Left", "nose005Right")),
    lambda d: ties.TieSliders(slider=MOUTH, to=JAW),
    lambda d: ties.UntieSliders(slider=MOUTH, to=JAW),
    lambda d: sliders.DropSliderSet(name="mouth"),
    lambda d: rig.ScaleShape(shape=JAW, factor=1.25),
    lambda d: rig.PruneShape(shape=JAW, tolerance=0.01),
    lambda d: rig.DuplicateShape(shape=JAW),
    lambda d: rig.MoveShape(shape=MOUTH, before=BROW),
    lambda d: sides.FlipShape(shape="nose004Left"),
    lambda d: rig.ScaleShape(shape="mouth003Left", factor=1.5),
    lambda d: sides.MirrorShape(shape="mouth003Left", to="mouth003Right"),
    lambda d: touch_up.ShowShape(shape="jawForward"),
    lambda d: touch_up.TouchUpShape(shape="jawForward", kind="erase", path=[stroke(d)], radius=0.3, strength=0.9),
    lambda d: sides.SymmetriseShape(shape="jawForward", side="left"),
    lambda d: sides.SplitShape(shape="jawForward", falloff=0.2),
    lambda d: sides.MergeShapes(shape="jawForwardLeft", other="jawForwardRight"),
    lambda d: correctives.MakeCorrective(name="both", at={JAW: 1.0, MOUTH: 1.0}),
    lambda d: correctives.PoseCorner(shape="both", corner=1),
    lambda d: correctives.DriveCorrective(shape="both", factors=[FactorField(JAW, 1.0), FactorField(BROW, 1.0)]),
    lambda d: sculpts.AddPoseShape(name="look"),
    lambda d: pose.SetWeights(weights={MOUTH: 0.75}),
    lambda d: sculpts.FitShapeToPose(shape=BROW),
    lambda d: sculpts.AddShapes(shapes=(replace(d.rig.shape("look"), name="other"),)),
    lambda d: sculpts.ReplaceShape(shape="other", by=d.rig.shape(BROW)),
    lambda d: sculpts.FitShape(shape=MOUTH, sculpt=d.rig.neutral * 1.01),
    lambda d: sculpts.AddCorrective(name="sculpted", sculpt=d.rig.neutral * 1.02, sliders=(JAW, MOUTH)),
    lambda d: interference.AddPairCorrective(pairs=[(BROW, MOUTH)]),
    lambda d: rig.RenameShape(shape="nose004Left", name="sneerLeft"),
    lambda d: rig.DeleteShape(shape="sneerLeft", uses=True),
    lambda d: unit.SetUnit(unit="cm"),
    # textures
    lambda d: textures.SetTexture(picture=picture(40)),
    lambda d: textures.SetTexture(picture=picture(80), shapes=(JAW,)),
    lambda d: textures.MoveTexture(shapes=[JAW], to=[MOUTH]),
    lambda d: textures.SetMask(picture=picture(120)),
    lambda d: textures.SetTexturedParts(parts=["face"]),
    lambda d: textures.RemoveMask(),
    lambda d: textures.RemoveTexture(shapes=[MOUTH]),
    lambda d: textures.RemoveAllTextures(),
    # takes
    lambda d: takes.LoadTake(take=take(d)),
    lambda d: takes.PairMarker(marker="a", triangle=3, barycentric=(0.5, 0.25, 0.25)),
    lambda d: takes.PairMarker(marker="b", triangle=40, barycentric=(0.5, 0.25, 0.25)),
    lambda d: takes.PairMarker(marker="c", triangle=90, barycentric=(0.5, 0.25, 0.25)),
    lambda d: takes.PairMarker(marker="d", triangle=150, barycentric=(0.5, 0.25, 0.25)),
    lambda d: takes.AddSolvedTake(solved=solved(), take=some(d.captured).take),
    lambda d: takes.UnpairMarkers(markers=["b"]),
    lambda d: takes.UseBinding(binding=some(some(d.captured).binding)),
    lambda d: takes.IgnoreMarkers(markers=["d"], ignored=True),
    lambda d: takes.ChangeTake(rate=50.0),
    lambda d: takes.SetTakeSliders(sliders=[JAW]),
    lambda d: takes.Unbind(),
    lambda d: takes.RemoveTake(),
    lambda d: live.AddLiveTake(clip=Clip("live", {JAW: Curve([0.0, 1.0], [0.0, 1.0])})),
    # depth and scans
    lambda d: scans.LoadScan(scanned=Scanned(sequence())),
    lambda d: scans.ChangeScan(rest=[1]),
    lambda d: scans.AddTrackedScan(found=tracked(), sequence=some(d.scanned).sequence),
    lambda d: scans.ChangeScan(rate=25.0),
    lambda d: scans.RemoveScan(),
    # priors, and another face
    lambda d: prior.UsePrior(prior=Prior.learn(d.rig, d.clips), name="habits.json"),
    lambda d: prior.ForgetPrior(),
    lambda d: prior.UseLearnedPrior(prior=Prior.learn(d.rig, d.clips)),
    lambda d: face.ChangeFace(other=Document(mask(vertices=200, shapes=6, seed=3)), name="other"),
]
# fmt: on

# Edits that need a take, a picture, a sculpt or another rig: the file of the test that does, keeps and undoes them.
ELSEWHERE = {
    "tests/session/test_controls.py": ("ChooseJoint",),
    "tests/session/test_correctives.py": ("ConvertInBetweens",),
    "tests/studio/test_takes.py": ("BindByNames",),
    "tests/studio/test_textures.py": ("ApplyEmbeddedSkin",),
}
