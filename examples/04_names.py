"""Names of shapes differ from studio to studio; pair them, and see what is left over."""

import facewright as fw

rig = fw.sample()
take = ["EyeBlinkLeft", "JawOpen", "mouthSmile_L", "mouthSmile_R", "HeadYaw"]
match = fw.match_names(take, rig.sliders)
for theirs, ours in match.pairs.items():
    print(f"{theirs:14} -> {ours}")
print("without a partner:", ", ".join(match.left_a))
