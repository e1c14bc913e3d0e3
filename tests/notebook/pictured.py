"""A face with a picture on its skin."""

from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

import facewright as fw
from facewright.image.file import ImageFile


def pictured(rig: fw.Rig, color: tuple[int, int, int] = (40, 90, 220), **options: Any) -> fw.Document:
    """A document whose polygons all have one material: a picture of one colour."""
    file = BytesIO()
    Image.new("RGB", (8, 8), color).save(file, "PNG")
    images = (ImageFile("image/png", file.getvalue()),)
    materials = fw.Materials((fw.Material("skin", image=0),), np.zeros(len(rig.polygons), np.int64), images)
    return fw.Document(rig, materials=materials, **options)
