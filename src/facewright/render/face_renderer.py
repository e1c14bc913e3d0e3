"""Pictures of a rig in a pose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from facewright.document import Document
from facewright.mesh.topology import Topology
from facewright.render.camera import Camera, frame
from facewright.render.heat import Heat
from facewright.render.material import Material
from facewright.render.material_set import DocumentMaterials, MaterialSet, corner_uvs
from facewright.render.picture import SIZE, picture_of_scene
from facewright.render.poser import Poser
from facewright.render.scene import Scene
from facewright.render.tone import Bytes
from facewright.rig.rig import Rig


class FaceRenderer:
    """A face before a camera, ready for many pictures; options as for `picture`, and wire=True draws its own polygons.

    Framed to the neutral face, so that all poses are seen from the same place.
    face: a rig, or a document, which is shown with its textures.
    texture: a picture (h, w, 3), or some by the parts' names, laid over the skin; or a whole MaterialSet.
    """

    def __init__(
        self,
        face: Rig | Document,
        *,
        size: tuple[int, int] = SIZE,
        view: str | float = "front",
        camera: Camera | None = None,
        texture: ArrayLike | Mapping[str, ArrayLike] | MaterialSet | None = None,
        **options: Any,
    ) -> None:
        document = face if isinstance(face, Document) else Document(face)
        self.rig = rig = document.rig
        self.camera = camera or frame(rig.neutral, view, aspect=size[0] / size[1])
        self.pose = Poser(document)
        self.material_set = _material_set(face, texture, size[1])
        if (given := options.pop("materials", None)) is not None:
            self.material_set.materials = tuple(given)
        self._scene = Scene.of(
            rig.neutral,
            rig.triangles,
            parts=rig.parts,
            materials=self.material_set.materials,
            of_triangle=self.material_set.of_triangle,
            uvs=corner_uvs(rig),
        )
        if options.get("wire") is True:
            options["wire"] = Topology(rig.polygons, rig.vertex_count).edges
        self._options = {"size": size} | options

    def __call__(
        self, weights: Mapping[str, float] | ArrayLike | None = None, *, look: ArrayLike | None = None
    ) -> Bytes:
        """The face in a pose; look: a point (3,) that the eyes are on."""
        row = self.rig.pose(weights)
        return self.of(self.pose(row, look=look), materials=self.material_set.at(row))

    def of(
        self, positions: ArrayLike, *, heat: Heat | None = None, materials: Sequence[Material] | None = None
    ) -> Bytes:
        """The face with its vertices at positions (v, 3), and of other materials, if any are given."""
        heated = {} if heat is None else {"heat": heat}
        scene = self._scene.at(positions, materials)
        return picture_of_scene(scene, self.camera, **self._options | heated)


def _material_set(
    face: Rig | Document, texture: ArrayLike | Mapping[str, ArrayLike] | MaterialSet | None, height: int
) -> MaterialSet:
    if isinstance(texture, MaterialSet):
        return texture
    if isinstance(face, Document):
        return MaterialSet(face.rig, texture) if texture is not None else DocumentMaterials(face, height)
    return MaterialSet(face, texture)


def picture_of(face: Rig | Document, weights: Mapping[str, float] | ArrayLike | None = None, **options: Any) -> Bytes:
    """A picture of a face in a pose, once: see FaceRenderer."""
    return FaceRenderer(face, **options)(weights)
