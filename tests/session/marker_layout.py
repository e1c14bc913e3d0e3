"""Markers on the embedded head, with names that say where they sit: name to vertex."""

LAYOUT = {
    "forehead_mid": 2495, "forehead_left": 3623, "forehead_right": 714,
    "brow_left_mid": 2476, "brow_left_inner": 2486, "brow_left_outer": 2504,
    "brow_right_mid": 222, "brow_right_inner": 233, "brow_right_outer": 1162, "brow_center": 227,
    "nose_bridge": 134, "nose_tip": 1519, "nose_left": 2419, "nose_right": 203,
    "eye_left_upper": 3280, "eye_left_lower": 3294, "eye_left_inner": 3869, "eye_left_outer": 3341,
    "eye_right_upper": 1108, "eye_right_lower": 141, "eye_right_inner": 112, "eye_right_outer": 1169,
    "cheek_left_upper": 3762, "cheek_left_lower": 2826, "cheek_left_outer": 3803,
    "cheek_right_upper": 1769, "cheek_right_lower": 612, "cheek_right_outer": 1645,
    "lip_upper": 1807, "lip_lower": 492, "lip_upper_left": 3765, "lip_upper_right": 1828,
    "mouth_corner_left": 2665, "mouth_corner_right": 425, "lip_lower_left": 2719, "lip_lower_right": 480,
    "chin": 1627, "chin_right": 1675, "jaw_right": 1425, "chin_left": 3835, "jaw_left": 3593,
}  # fmt: skip
