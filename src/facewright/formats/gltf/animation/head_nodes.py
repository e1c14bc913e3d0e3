"""Head, neck and eyes as moving nodes: joints of the file, nodes of eyeballs, or a node above the whole scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.formats.character import gaze_of
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extras import block_of, set_block
from facewright.formats.gltf.container.fields import Json
from facewright.formats.gltf.geometry.joints import EYES, joint_nodes
from facewright.formats.gltf.geometry.nodes import scene_nodes
from facewright.formats.gltf.vrm.versions import facing
from facewright.motion.clip import Clip
from facewright.rig.controls import CONTROLS, NECK_ANGLES
from facewright.rig.gaze import Aim, Gaze, side_of
from facewright.rig.head_motion import CURVES, OFFSETS, key_times, rigid_motion
from facewright.rig.head_rig import JointRole

MARK = "headMotion"
_NAME = "head motion"
_EYE_ROLES: dict[str, JointRole] = {"Left": "leftEye", "Right": "rightEye"}
_STILL = 1e-7  # of the face's size: a node that moves less only turns

Rigid = tuple[Floats, Floats]  # R (frames, 3, 3) and t (frames, 3)


@dataclass(frozen=True, eq=False)
class NodeKeys:
    """Keys of one node: times (k,), and quaternions (k, 4) or places (k, 3) in its parent, in single precision."""

    node: int
    path: str  # rotation or translation
    times: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class RestNode:
    """A node at rest in the scene."""

    index: int
    turn: Floats  # (3, 3) its rotation in its parent
    place: Floats  # (3,) in the scene
    above: Floats  # (4, 4) of its parent, to the scene
    parents: frozenset[int]

    @property
    def above_turn(self) -> Floats:
        return _turn_of(self.above[:3, :3])

    def keys(self, times: np.ndarray, motion: Rigid, size: float, *, always: bool) -> list[NodeKeys]:
        """The keys by which the node moves in the scene, from its rest, by a rigid motion."""
        turns, offsets = motion
        about = self.above_turn
        local = about.T @ turns @ about @ self.turn
        moved = np.einsum("fab,b->fa", turns, self.place) + offsets
        found = [NodeKeys(self.index, "rotation", times, _quaternions(local).astype(np.float32))]
        if always or np.abs(moved - self.place).max(initial=0.0) > _STILL * size:
            inverse = np.linalg.inv(self.above)
            places = moved @ inverse[:3, :3].T + inverse[:3, 3]
            found.append(NodeKeys(self.index, "translation", times, places.astype(np.float32)))
        return found

    def motion(self, turns: Floats, places: Floats | None) -> Rigid:
        """The rigid motion (frames) that rotations (frames, 3, 3) and places (frames, 3) in the parent stand for."""
        about = self.above_turn
        found = about @ (turns @ self.turn.T) @ about.T
        moved = self.place[None] if places is None else places @ self.above[:3, :3].T + self.above[:3, 3]
        return found, moved - np.einsum("fab,b->fa", found, self.place)


def head_nodes(asset: Asset, document: Document) -> dict[JointRole, RestNode]:
    """The nodes that stand for head, neck and eyes: chosen joints, the node we put above a scene, nodes of eyeballs."""
    joints = {} if document.head is None else document.head.joints
    names = joint_nodes(asset) if joints else {}
    held = {_EYE_ROLES[side_of(eye)] for eye in gaze_of(document).eyes if eye.shares is not None} if joints else set()
    chosen: dict[JointRole, int] = {
        role: names[name] for role, name in joints.items() if name in names and (role not in EYES or role in held)
    }
    marked = marked_node(asset.json)
    if "head" not in chosen and marked is not None:
        chosen["head"] = marked
    for role, node in _eyeballs(asset, document).items():
        chosen.setdefault(role, node)
    rest = _rest_nodes(asset.json)
    return {role: rest[index] for role, index in chosen.items() if index in rest}


def marked_node(json: Json) -> int | None:
    """The node that we put above a scene."""
    nodes = json.get("nodes", [])
    return next((index for index, node in enumerate(nodes) if block_of(node).get(MARK)), None)


def add_root(json: Json) -> int:
    """A node above all roots of the scene that is shown."""
    nodes = json.setdefault("nodes", [])
    scene = json["scenes"][json.get("scene", 0)]
    node: Json = {"children": scene["nodes"]}
    if all(nodes[root].get("name") for root in scene["nodes"]):  # a part without a name would be named after this node
        node["name"] = _NAME
    set_block(node, {MARK: True})
    nodes.append(node)
    scene["nodes"] = [len(nodes) - 1]
    return len(nodes) - 1


def node_keys(document: Document, clip: Clip, nodes: Mapping[JointRole, RestNode]) -> list[NodeKeys]:
    """The keys of all nodes that a clip moves."""
    found: list[NodeKeys] = []
    size = document.rig.size
    if any(name in clip.curves for name in CURVES) and "head" in nodes:
        stored, at = _stored(clip, key_times(clip))
        values = clip.sample(CURVES, at)
        neck, node = nodes.get("neck"), nodes["head"]
        if neck is not None and neck.index in node.parents:
            if any(name in clip.curves for name in NECK_ANGLES):
                only = np.where(np.arange(len(CURVES)) < 6, 0.0, values)
                found += neck.keys(stored, rigid_motion(only, document.head), size, always=False)
            values = np.where(np.arange(len(CURVES)) < 6, values, 0.0)
        is_moved = any(name in clip.curves for name in OFFSETS)
        found += node.keys(stored, rigid_motion(values, document.head), size, always=is_moved or not node.parents)
    return found + _eye_keys(document, clip, nodes)


def _eye_keys(document: Document, clip: Clip, nodes: Mapping[JointRole, RestNode]) -> list[NodeKeys]:
    eyes = {side: nodes.get(role) for side, role in _EYE_ROLES.items()}
    if not moves_eyes(clip) or not any(eyes.values()):
        return []
    gaze = gaze_of(document)
    at = gaze_times(clip)
    stored, at = _stored(clip, at)
    angles = gaze_angles(document, clip, at, gaze)
    middles = {side_of(eye): eye.middle for eye in gaze.eyes}  # of a joint: its place
    found = []
    for side, node in eyes.items():
        if node is None or side not in angles:
            continue
        turns, pivot = _eye_turns(angles[side]), middles[side]
        offsets = pivot - np.einsum("fab,b->fa", turns, pivot)
        found += node.keys(stored, (turns, offsets), document.rig.size, always=False)
    return found


def moves_eyes(clip: Clip) -> bool:
    """Whether a clip has curves of the eyes or of what they look at."""
    return any(CONTROLS[name].group in ("eyes", "gaze") for name in clip.curves if name in CONTROLS)


def gaze_times(clip: Clip) -> Floats:
    """Times at which the gaze of a clip is sampled: all keys of its controls, and all frames."""
    own = [curve.times for name, curve in clip.curves.items() if name in CONTROLS]
    return np.unique(np.concatenate([*own, clip.times()]))


def gaze_angles(document: Document, clip: Clip, times: Floats, gaze: Gaze) -> dict[str, Floats]:
    """Angles (frames, 2) of the eyes "Left" and "Right" to the side and up."""
    rows = aims(document, clip, times)
    found = [gaze.angles(weights, aim or Aim()) for weights, aim in rows]
    return {side: np.stack([one[side] for one in found]) for side in (found[0] if found else {})}


def aims(document: Document, clip: Clip, times: Floats) -> list[tuple[Floats, Aim | None]]:
    """Slider values (n,) and what the eyes are to do at each time."""
    sliders = document.rig.sliders
    own = np.array([name in clip.curves for name in sliders], bool)
    weights = np.where(own, clip.sample(sliders, times), document.pose)
    names = [name for name in CONTROLS if name in clip.curves]
    values = clip.sample(names, times)
    turns, offsets = rigid_motion(clip.sample(CURVES, times), document.head)
    return [
        (row, Aim.of(dict(zip(names, now.tolist(), strict=True)), (turn, offset)))
        for row, now, turn, offset in zip(weights, values, turns, offsets, strict=True)
    ]


def _stored(clip: Clip, at: Floats) -> tuple[np.ndarray, Floats]:
    """Times as a file has them, in single precision and from 0 up, and the times of the clip that they stand for."""
    times, first = np.unique((at - min(clip.start, 0.0)).astype(np.float32), return_index=True)
    return times, at[first]


def _eyeballs(asset: Asset, document: Document) -> dict[JointRole, int]:
    """Nodes that show an eyeball alone, where the rig has no shapes that turn it."""
    gaze, found = Gaze(document.rig), {}
    named = {node.get("name"): index for index, node in enumerate(asset.json.get("nodes", [])) if "mesh" in node}
    parts = {(part.start, part.stop): part.name for part in document.rig.parts}
    for eye in gaze.eyes:
        if not len(eye.points) or gaze.is_turned_by_shapes(eye):
            continue
        name = parts.get((int(eye.points.min()), int(eye.points.max()) + 1))
        if name in named:
            found[_EYE_ROLES[side_of(eye)]] = named[name]
    return found


def _rest_nodes(json: Json) -> dict[int, RestNode]:
    worlds = {node.index: node.world for node in scene_nodes(json)}
    parent = {child: index for index, node in enumerate(json.get("nodes", [])) for child in node.get("children", [])}
    found = {}
    for index, world in worlds.items():
        above, chain = worlds.get(parent.get(index, -1), facing(json)), []
        at = parent.get(index)
        while at is not None:
            chain.append(at)
            at = parent.get(at)
        turn = _turn_of(above[:3, :3]).T @ _turn_of(world[:3, :3])
        found[index] = RestNode(index, turn, world[:3, 3], above, frozenset(chain))
    return found


def _turn_of(linear: Floats) -> Floats:
    """The rotation in a linear map (3, 3): the nearest one."""
    left, _, right = np.linalg.svd(linear)
    found = left @ right
    return np.asarray(found if np.linalg.det(found) > 0 else left @ np.diag([1.0, 1.0, -1.0]) @ right)


def _quaternions(turns: Floats) -> Floats:
    """Quaternions (frames, 4), x y z w, each on the hemisphere of the one before."""
    from scipy.spatial.transform import Rotation

    found = Rotation.from_matrix(turns).as_quat()
    signs = np.cumprod(np.where((found[1:] * found[:-1]).sum(axis=1) < 0, -1.0, 1.0))
    found[1:] *= signs[:, None]
    return np.asarray(found)


def _eye_turns(angles: Floats) -> Floats:
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_euler("YX", np.stack([angles[:, 0], -angles[:, 1]], axis=1)).as_matrix())
