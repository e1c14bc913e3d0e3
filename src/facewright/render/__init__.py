"""Pictures of faces without a browser and without a graphics card."""

from facewright.render.camera import VIEWS, Camera, frame, look_at
from facewright.render.contact_sheet import contact_sheet
from facewright.render.face_renderer import picture_of
from facewright.render.heat import MAPS, Heat, heat_colors
from facewright.render.material import Material, material_named
from facewright.render.picture import picture
from facewright.render.png import png_bytes, write_png
from facewright.render.raster import Samples, rasterise
from facewright.render.text import draw_text
from facewright.render.tone import Backdrop

__all__ = [
    "MAPS",
    "VIEWS",
    "Backdrop",
    "Camera",
    "Heat",
    "Material",
    "Samples",
    "contact_sheet",
    "draw_text",
    "frame",
    "heat_colors",
    "look_at",
    "material_named",
    "picture",
    "picture_of",
    "png_bytes",
    "rasterise",
    "write_png",
]
