"""A picture of a pose without a browser or a graphics card."""

import facewright as fw
from facewright.render.face_renderer import picture_of
from facewright.render.png import write_png

rig = fw.sample()
picture = picture_of(
    rig, {"mouthSmileLeft": 0.9, "mouthSmileRight": 0.9, "browInnerUp": 0.4}, size=(320, 320), samples=2
)
write_png("smile.png", picture)
print(f"smile.png: {picture.shape[1]} x {picture.shape[0]}")
