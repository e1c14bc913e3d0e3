"""A picture of a pose and a film of a clip, without a browser or a graphics card."""

import numpy as np

import facewright as fw

rig = fw.sample()
pose = {"mouthSmileLeft": 0.9, "mouthSmileRight": 0.9, "browInnerUp": 0.4}
picture = fw.render.face_picture(rig, pose, size=(320, 320), samples=2)
fw.render.write_png("smile.png", picture)
print(f"smile.png: {picture.shape[1]} x {picture.shape[0]}")

times = np.linspace(0, 0.5, 6)
clip = fw.Clip.from_table("talk", ["jawOpen"], times, np.sin(2 * np.pi * times)[:, None])
print(fw.render.film(rig, clip, "talk.gif", rate=12, size=(120, 120), samples=1), "frames in talk.gif")
