"""Pictures and films of faces without a browser. They are drawn by numpy alone, or by a graphics card if asked for.

Faces: `face_picture`, `FaceRenderer` for many pictures, `film` and `ClipRenderer` for clips, `shape_sheets`,
`ShapeThumbnails`.
Any mesh: `mesh_picture`, with a `Camera` from `frame`, `look_at` or `bookmark_camera`, a `ShadingMaterial`, a
`Heat` map, a `Backdrop`.
Files and sheets: `write_png`, `png_bytes`, `film_writer`, `contact_sheet`, `draw_text`.
"""

from facewright.render.bookmark_camera import bookmark_camera
from facewright.render.camera import VIEWS, Camera, frame, look_at
from facewright.render.clip_frames import ClipFrames
from facewright.render.clip_renderer import ClipRenderer
from facewright.render.face_renderer import FaceOptions, FaceRenderer, face_picture
from facewright.render.film import film
from facewright.render.film_files import film_writer
from facewright.render.heat import MAPS, Heat, heat_colors
from facewright.render.material import ShadingMaterial, material_named
from facewright.render.material_set import MaterialSet
from facewright.render.picture import mesh_picture
from facewright.render.png import png_bytes, write_png
from facewright.render.raster import Samples, rasterise
from facewright.render.region_palette import region_colors
from facewright.render.renderers import RENDERERS, has_gl
from facewright.render.shape_sheet import shape_sheets
from facewright.render.shape_thumbnails import ShapeThumbnails
from facewright.render.sheet_layout import contact_sheet
from facewright.render.text import draw_text
from facewright.render.tone import Backdrop

__all__ = [
    "MAPS",
    "RENDERERS",
    "VIEWS",
    "Backdrop",
    "Camera",
    "ClipFrames",
    "ClipRenderer",
    "FaceOptions",
    "FaceRenderer",
    "Heat",
    "MaterialSet",
    "Samples",
    "ShadingMaterial",
    "ShapeThumbnails",
    "bookmark_camera",
    "contact_sheet",
    "draw_text",
    "face_picture",
    "film",
    "film_writer",
    "frame",
    "has_gl",
    "heat_colors",
    "look_at",
    "material_named",
    "mesh_picture",
    "png_bytes",
    "rasterise",
    "region_colors",
    "shape_sheets",
    "write_png",
]
