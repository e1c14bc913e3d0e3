"""Mix textures of expressions so that they stay sharp, and take them along in a file."""

import numpy as np

import facewright as fw

document = fw.textured_sample(512)  # the embedded head with skin of its own, at rest and in seven expressions
texture = fw.FaceTexture(document)
pose = {"mouthSmileLeft": 0.3, "mouthSmileRight": 0.3, "browInnerUp": 0.2, "jawOpen": 0.2, "mouthPucker": 0.2}
sharp, plain = texture(pose), texture(pose, plain=True)  # (512, 512, 3) bytes in sRGB

face = np.where(texture.blend.mask == 0, texture.blend.bands.labels, -1)  # what the mask leaves open
bands = fw.Bands(face.shape, face)
for name, picture in (("two bands", sharp), ("mixed plainly", plain)):
    print(f"{name}: {bands.energy(picture) / bands.energy(texture()):.0%} of the energy of the detail at rest")

times = np.linspace(0, 0.5, 16)
raised = fw.Clip.from_table("raise", ["browInnerUp"], times, np.sin(2 * np.pi * times)[:, None])
print(len(list(texture.frames(raised))), "frames baked")

fw.save(document, "head.glb")
textures = fw.load_document("head.glb").textures
print([one.shapes for one in textures.maps][:3] if textures else "no textures")
