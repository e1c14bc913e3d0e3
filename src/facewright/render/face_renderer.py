"""Pictures of a rig in a pose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.character import NOTHING, character_of
from facewright.mesh.topology import Topology
from facewright.options import suggests_options
from facewright.render.camera import Camera, frame
from facewright.render.heat import Heat
from facewright.render.material import ShadingMaterial
from facewright.render.material_set import DocumentMaterials, MaterialSet, corner_uvs
from facewright.render.picture import SIZE, scene_picture
from facewright.render.poser import Poser
from facewright.render.reference_picture import PlaneRectangle, ReferencePicture, over, shown_plane
from facewright.render.scene import Scene
from facewright.render.tone import DARK, Backdrop, Bytes, Color, backdrop_bytes
from facewright.render.with_character import WithCharacter
from facewright.rig.character import HeadTurn
from facewright.rig.rig import Rig

_TALLEST = 4096  # pixels of a frame of a video

Texture = ArrayLike | Mapping[str, ArrayLike] | MaterialSet


class FaceOptions(TypedDict, total=False):
    """Keyword arguments of `FaceRenderer`, for functions that pass them on."""

    size: tuple[int, int]
    view: str | float
    camera: Camera | None
    texture: Texture | None
    materials: Sequence[ShadingMaterial] | None
    colors: ArrayLike | None
    heat: Heat | ArrayLike | None
    wire: bool | ArrayLike
    background: Backdrop | Color | None
    samples: int
    renderer: str
    character: bool
    plane: bool


class FaceRenderer:
    """A face in front of a camera, prepared for many pictures.

    The camera shows the whole neutral face, so that all poses are seen from the same place.
    """

    @suggests_options
    def __init__(
        self,
        face: Rig | Document,
        *,
        size: tuple[int, int] = SIZE,
        view: str | float = "front",
        camera: Camera | None = None,
        texture: Texture | None = None,
        materials: Sequence[ShadingMaterial] | None = None,
        colors: ArrayLike | None = None,
        heat: Heat | ArrayLike | None = None,
        wire: bool | ArrayLike = False,
        background: Backdrop | Color | None = DARK,
        samples: int = 4,
        renderer: str = "cpu",
        character: bool = True,
        plane: bool = False,
    ) -> None:
        """Prepare pictures of a rig, or of a document, which is drawn with its own materials and textures.

        size: width and height in pixels.
        view: "front", "threequarter", "side", or an angle in degrees round the face; `camera` replaces it.
        texture: a picture (h, w, 3) for the skin, pictures by the names of parts, or a `MaterialSet`.
        materials: one for each part of the rig, instead of those chosen by the parts' names.
        colors, heat, background, samples, renderer: as for `mesh_picture`.
        character: whether meshes that a document's file carries besides the face are drawn; pictures with colors, heat
        or wire show the face alone.
        plane: whether the document's picture or video of reference is drawn, where the studio shows it; pictures with
        heat leave it out.
        wire: True draws the edges of the polygons; an array (e, 2) names the edges to draw.
        """
        document = face if isinstance(face, Document) else Document(face)
        self.rig = rig = document.rig
        self.camera = camera or frame(rig.neutral, view, aspect=size[0] / size[1])
        self.pose = Poser(document)
        self.material_set = _material_set(face, texture, size[1])
        if materials is not None:
            self.material_set.materials = tuple(materials)
        self._scene = Scene.of(
            rig.neutral,
            rig.triangles,
            parts=rig.parts,
            materials=self.material_set.materials,
            of_triangle=self.material_set.of_triangle,
            uvs=corner_uvs(rig),
        )
        self._size, self._colors, self._heat = size, colors, heat
        self._wire = Topology(rig.polygons, rig.vertex_count).edges if wire is True else wire
        self._background, self._samples, self._renderer = background, samples, renderer
        found = character_of(document) if character and colors is None and wire is False else NOTHING
        self._character = WithCharacter(self._scene, found) if found.meshes else None
        self.plane = shown_plane(document) if plane else None
        if self.plane is not None and background is None:
            raise BadValue("a picture without a background has no picture of reference; give one of them")

    def __call__(
        self, weights: Mapping[str, float] | ArrayLike | None = None, *, look: ArrayLike | None = None
    ) -> Bytes:
        """The picture (h, w, 3) of a pose: slider values (n,), names to values, or None for the neutral.

        look: a point (3,) in scene units that the eyes look at.
        """
        row = self.rig.pose(weights)
        turn = self.pose.turn(row, look)
        return self.of(self.pose(row, look=look), materials=self.material_set.at(row), turn=turn)

    @suggests_options
    def of(
        self,
        positions: ArrayLike,
        *,
        heat: Heat | None = None,
        materials: Sequence[ShadingMaterial] | None = None,
        turn: HeadTurn | None = None,
        shown: Bytes | None = None,
    ) -> Bytes:
        """The picture (h, w, 3) of the face with its vertices at positions (v, 3).

        heat, materials: replace those that were given at the start.
        shown: the frame (h, w, 3) of the video of reference; None: that at second 0, or the picture.
        turn: where the head and joints of the eyes are, for meshes besides the face; None: at rest.
        """
        given = self._heat if heat is None else heat
        scene = self._scene.at(positions, materials)
        if self._character is not None and given is None:
            scene = self._character.at(scene.positions, scene.materials, turn)
        if self.plane is None or given is not None:
            return self._drawn(scene, given, self._background)
        rectangle = PlaneRectangle.of(self.plane, self.rig, self.camera, self._size)
        if shown is None:
            shown = self.reference(1.0)(0.0)
        if self.plane.placement == "beside":
            return rectangle.drawn(self._drawn(scene, None, self._background), shown, self.plane.opacity)
        given_color = self._background or DARK
        backdrop = given_color if isinstance(given_color, Backdrop) else Backdrop(given_color, given_color)
        behind = rectangle.drawn(backdrop_bytes(backdrop, self._size), shown, self.plane.opacity)
        return over(self._drawn(scene, None, None), behind)

    def reference(self, rate: float) -> ReferencePicture:
        """What the plane shows at moments of the timeline, which are asked for at a rate in frames a second."""
        assert self.plane is not None
        rectangle = PlaneRectangle.of(self.plane, self.rig, self.camera, self._size)
        return ReferencePicture(self.plane, rate=rate, tallest=min(int(np.ceil(rectangle.height)), _TALLEST))

    def _drawn(self, scene: Scene, heat: Heat | ArrayLike | None, background: Backdrop | Color | None) -> Bytes:
        return scene_picture(
            scene,
            self.camera,
            size=self._size,
            colors=self._colors,
            heat=heat,
            wire=self._wire,
            background=background,
            samples=self._samples,
            renderer=self._renderer,
        )


def _material_set(face: Rig | Document, texture: Texture | None, height: int) -> MaterialSet:
    if isinstance(texture, MaterialSet):
        return texture
    if isinstance(face, Document):
        return MaterialSet(face.rig, texture) if texture is not None else DocumentMaterials(face, height)
    return MaterialSet(face, texture)


@suggests_options
def face_picture(
    face: Rig | Document,
    weights: Mapping[str, float] | ArrayLike | None = None,
    *,
    look: ArrayLike | None = None,
    **options: Unpack[FaceOptions],
) -> Bytes:
    """The picture (h, w, 3) of a face in a pose: slider values (n,), names to values, or None for the neutral.

    look: a point (3,) in scene units that the eyes look at.
    options: those of `FaceRenderer`, which is faster for several pictures of one face.
    """
    return FaceRenderer(face, **options)(weights, look=look)
