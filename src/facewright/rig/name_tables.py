"""Tables of shape names, one for each convention. The spelling of sides is in `spelling`."""

from collections.abc import Mapping

from facewright.rig import program_names

# Apple, ARFaceAnchor.BlendShapeLocation.
ARKIT = (
    "eyeBlinkLeft", "eyeLookDownLeft", "eyeLookInLeft", "eyeLookOutLeft", "eyeLookUpLeft", "eyeSquintLeft",
    "eyeWideLeft", "eyeBlinkRight", "eyeLookDownRight", "eyeLookInRight", "eyeLookOutRight", "eyeLookUpRight",
    "eyeSquintRight", "eyeWideRight", "jawForward", "jawLeft", "jawRight", "jawOpen", "mouthClose", "mouthFunnel",
    "mouthPucker", "mouthLeft", "mouthRight", "mouthSmileLeft", "mouthSmileRight", "mouthFrownLeft",
    "mouthFrownRight", "mouthDimpleLeft", "mouthDimpleRight", "mouthStretchLeft", "mouthStretchRight",
    "mouthRollLower", "mouthRollUpper", "mouthShrugLower", "mouthShrugUpper", "mouthPressLeft", "mouthPressRight",
    "mouthLowerDownLeft", "mouthLowerDownRight", "mouthUpperUpLeft", "mouthUpperUpRight", "browDownLeft",
    "browDownRight", "browInnerUp", "browOuterUpLeft", "browOuterUpRight", "cheekPuff", "cheekSquintLeft",
    "cheekSquintRight", "noseSneerLeft", "noseSneerRight", "tongueOut",
)  # fmt: skip

# Live Link Face writes Apple's names with a capital letter, and of jaw and mouth the right side first.
_RIGHT_FIRST = {"jawLeft": "jawRight", "jawRight": "jawLeft", "mouthLeft": "mouthRight", "mouthRight": "mouthLeft"}
LIVE_LINK = tuple(f"{name[0].upper()}{name[1:]}" for name in (_RIGHT_FIRST.get(name, name) for name in ARKIT))

# VRM 1.0 presets, and the VRM 0 names of the same expressions.
VRM = (
    "happy", "angry", "sad", "relaxed", "surprised", "aa", "ih", "ou", "ee", "oh", "blink", "blinkLeft", "blinkRight",
    "lookUp", "lookDown", "lookLeft", "lookRight", "neutral",
)  # fmt: skip
VRM0 = (
    "Joy", "Angry", "Sorrow", "Fun", "A", "I", "U", "E", "O", "Blink", "Blink_L", "Blink_R", "LookUp", "LookDown",
    "LookLeft", "LookRight", "Neutral",
)  # fmt: skip

OCULUS = tuple(
    f"viseme_{name}" for name in ("sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "I", "O", "U")
)

# MakeHuman's expression units; those of one eye, brow or nostril exist for both sides.
MAKEHUMAN = (
    *(f"eye-{side}-{what}" for what in ("closure", "opened-up", "slit") for side in ("left", "right")),
    *(f"eyebrows-{side}-{what}" for what in ("down", "extern-up", "inner-up", "up") for side in ("left", "right")),
    *(f"nose-{side}-{what}" for what in ("dilatation", "elevation") for side in ("left", "right")),
    *(
        f"mouth-{what}"
        for what in (
            "compression", "corner-puller", "depression", "depression-retraction", "elevation", "eversion", "open",
            "parling", "part-later", "protusion", "pursing", "retraction", "upward-retraction",
        )
    ),
    "nose-compression", "nose-depression", "neck-platysma",
)  # fmt: skip

# Ekman and Friesen's action units of the face: number, description, and the ARKit shape (without side) of the same
# effect.
FACS: Mapping[int, tuple[str, str | None]] = {
    1: ("inner brow raiser", "browInnerUp"),
    2: ("outer brow raiser", "browOuterUp"),
    4: ("brow lowerer", "browDown"),
    5: ("upper lid raiser", "eyeWide"),
    6: ("cheek raiser", "cheekRaiser"),  # not ARKit; ICT's faces have both this and cheekSquint: similar, not the same
    7: ("lid tightener", "eyeSquint"),
    8: ("lips toward each other", None),
    9: ("nose wrinkler", "noseSneer"),
    10: ("upper lip raiser", "mouthUpperUp"),
    11: ("nasolabial deepener", None),
    12: ("lip corner puller", "mouthSmile"),
    13: ("sharp lip puller", None),
    14: ("dimpler", "mouthDimple"),
    15: ("lip corner depressor", "mouthFrown"),
    16: ("lower lip depressor", "mouthLowerDown"),
    17: ("chin raiser", "mouthShrugLower"),
    18: ("lip pucker", "mouthPucker"),
    19: ("tongue show", "tongueOut"),
    20: ("lip stretcher", "mouthStretch"),
    22: ("lip funneler", "mouthFunnel"),
    23: ("lip tightener", None),
    24: ("lip pressor", "mouthPress"),
    25: ("lips part", None),
    26: ("jaw drop", "jawOpen"),
    27: ("mouth stretch", None),  # the jaw pulled wide open; unrelated to ARKit's mouthStretch
    28: ("lip suck", None),
    29: ("jaw thrust", "jawForward"),
    30: ("jaw sideways", "jaw"),
    31: ("jaw clencher", None),
    32: ("lip bite", None),
    33: ("cheek blow", None),
    34: ("cheek puff", "cheekPuff"),
    35: ("cheek suck", None),
    36: ("tongue bulge", None),
    37: ("lip wipe", None),
    38: ("nostril dilator", None),
    39: ("nostril compressor", None),
    41: ("lid droop", None),
    43: ("eye closure", "eyeBlink"),
    44: ("eyes squint", None),
    45: ("eye blink", "eyeBlink"),
    46: ("eye wink", None),
    63: ("eyes up", "eyeLookUp"),
    64: ("eyes down", "eyeLookDown"),
}

_VOWELS = ("aa", "ih", "ou", "ee", "oh")  # in the order of a, i, u, e, o

# Other names of the same shape, without side, separators and capitals.
ALIASES: Mapping[str, str] = {
    "blink": "eyeBlink",
    "lookup": "eyeLookUp",
    "lookdown": "eyeLookDown",
    "joy": "happy",
    "sorrow": "sad",
    "fun": "relaxed",
    "eyeclosure": "eyeBlink",
    "eyeopenedup": "eyeWide",
    "eyebrowsdown": "browDown",
    "eyebrowsexternup": "browOuterUp",
    "eyebrowsinnerup": "browInnerUp",
    "mouthcornerpuller": "mouthSmile",
    "mouthpursing": "mouthPucker",
    **{letter: vowel for vowel, letter in zip(("aa", "ih", "ou", "ee", "oh"), "aiueo", strict=True)},
    **{
        f"fclmth{letter}": vowel for vowel, letter in zip(("aa", "ih", "ou", "ee", "oh"), "aiueo", strict=True)
    },  # VRoid
    "fcleyeclose": "eyeBlink",
    **{f"viseme{name}": vowel for name, vowel in zip("eiou", ("ee", "ih", "oh", "ou"), strict=True)},
    **{f"viseme{vowel}": vowel for vowel in _VOWELS},
    **{f"vrcv{vowel}": vowel for vowel in ("aa", "ih", "ou", "oh")},  # VRChat
    "vrcve": "ee",
    **{f"vrcv{name[7:].lower()}": name for name in OCULUS[:10]},
}

# Words that programs and studios put before or after the name of a shape, and that say nothing about it.
AFFIXES = frozenset(
    (
        "ai", "anim", "apple", "ar", "arkit", "avatar", "blend", "blendshape", "blendshapes", "body", "bs", "bshp",
        "character", "control", "ctl", "ctrl", "curve", "expression", "expressions", "fac", "face", "faces", "facial",
        "facs", "fs", "geo", "grp", "head", "hero", "iphone", "key", "kit", "mesh", "model", "morph", "morphs", "node",
        "out", "pose", "sculpt", "shape", "shapes", "slider", "target", "targets", "tgt", "weight", "weights",
    )
)  # fmt: skip

# Similar, not the same: offered as approximate, never as exact. MakeHuman's are those whose offsets, on its own
# head, are closest to the ARKit shape's; the pairs above reach a cosine of up to 0.9.
ALIKE: Mapping[str, tuple[str, ...]] = {
    **program_names.ALIKE,
    "aa": ("jawOpen",),
    "ou": ("mouthPucker",),
    "oh": ("mouthFunnel",),
    "happy": ("mouthSmile",),
    "cheekRaiser": ("cheekSquint",),
    "lookLeft": ("eyeLookOutLeft", "eyeLookInRight"),
    "lookRight": ("eyeLookInLeft", "eyeLookOutRight"),
    "AU27": ("jawOpen",),
    "AU28": ("mouthRollLower", "mouthRollUpper"),
    "AU33": ("cheekPuff",),
    "AU44": ("eyeSquint",),
    "AU46": ("eyeBlink",),
    "mouthOpen": ("jawOpen",),  # exact for MakeHuman, but other rigs have both
    "eyeSlit": ("eyeSquint",),
    "mouthDepression": ("mouthFrown",),
    "mouthElevation": ("mouthUpperUp",),
    "mouthEversion": ("mouthShrugLower",),
    "mouthParling": ("mouthShrugUpper",),
    "mouthProtusion": ("mouthFunnel",),
    "mouthRetraction": ("mouthDimple",),
    "noseElevation": ("noseSneer",),
    "neckPlatysma": ("mouthStretch",),
}

GROUP_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("brow", "brows", "brw", "eyebrow", "eyebrows", "forehead", "glabella"), "brow"),
    **dict.fromkeys(
        ("eye", "eyes", "lid", "lids", "eyelid", "eyelids", "blink", "wink", "pupil", "look", "gaze", "squint"), "eye"
    ),
    **dict.fromkeys(("cheek", "cheeks"), "cheek"),
    **dict.fromkeys(("nose", "nostril", "nostrils", "nasolabial", "sneer"), "nose"),
    **dict.fromkeys(("jaw", "chin"), "jaw"),
    **dict.fromkeys(("mouth", "lip", "lips", "smile", "frown", "pucker", "dimpler", "viseme", "mth"), "mouth"),
    **dict.fromkeys(_VOWELS, "mouth"),
    "tongue": "tongue",
}

# ARKit names that end in a side without being one half: the whole jaw moves left.
DIRECTIONS = frozenset({"jaw", "mouth", "look"})


def _with_sides(name: str, left: str, right: str) -> str:
    return name[:-4] + left if name.endswith("Left") else name[:-5] + right if name.endswith("Right") else name


# Every name of a convention, by its label.
CONVENTIONS: Mapping[str, tuple[str, ...]] = {
    "arkit": ARKIT,
    "live link": tuple(name[0].upper() + name[1:] for name in ARKIT),
    "arkit _L/_R": tuple(
        name if name in ("jawLeft", "jawRight", "mouthLeft", "mouthRight") else _with_sides(name, "_L", "_R")
        for name in ARKIT
    ),
    "vrm": VRM,
    "vrm 0": VRM0,
    "oculus visemes": OCULUS,
    "makehuman": MAKEHUMAN,
    "metahuman": program_names.METAHUMAN_NAMES,
    "reallusion": program_names.REALLUSION_NAMES,
    "unified expressions": program_names.UNIFIED_NAMES,
    "mmd": program_names.MMD_NAMES,
    "facs": tuple(f"AU{number}{side}" for number in FACS for side in ("", "L", "R")),
}
