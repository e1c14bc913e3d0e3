"""Names that programs give to shapes, beside those of `name_tables`: as they write them, and what each means.

Sources: MetaHuman's control curves and Reallusion's Character Creator 4 morphs as in files that these programs export,
VRCFaceTracking's list of Unified Expressions, and the usual morphs of MikuMikuDance models.
"""

from collections.abc import Mapping

_SIDES = ("L", "R")

# What a name means, by its words without side, separators and capitals: ARKit's shape without its side.
METAHUMAN: Mapping[str, str] = {
    "browraisein": "browInnerUp",
    "browraiseouter": "browOuterUp",
    "eyewiden": "eyeWide",
    "eyesquintinner": "eyeSquint",
    "eyecheekraise": "cheekRaiser",
    "nosewrinkle": "noseSneer",
    "mouthupperlipraise": "mouthUpperUp",
    "mouthlowerlipdepress": "mouthLowerDown",
    "mouthcornerpull": "mouthSmile",
    "mouthcornerdepress": "mouthFrown",
    "mouthcheekblow": "cheekPuff",
    "jawfwd": "jawForward",
    "mouthupperliprollin": "mouthRollUpper",
    "mouthlowerliprollin": "mouthRollLower",
}
REALLUSION: Mapping[str, str] = {
    "browraiseinner": "browInnerUp",
    "browdrop": "browDown",
    "cheekraise": "cheekSquint",
    "mouthupupper": "mouthUpperUp",
    "mouthdownlower": "mouthLowerDown",
    "mouthrollinupper": "mouthRollUpper",
    "mouthrollinlower": "mouthRollLower",
}
UNIFIED: Mapping[str, str] = {
    "eyeclosed": "eyeBlink",
    "eyesclosed": "eyeBlink",
    "mouthclosed": "mouthClose",
    "lipsuckupper": "mouthRollUpper",
    "lipsucklower": "mouthRollLower",
    "lipfunnel": "mouthFunnel",
    "lippucker": "mouthPucker",
    "mouthraiserupper": "mouthShrugUpper",
    "mouthraiserlower": "mouthShrugLower",
}
MMD: Mapping[str, str] = {
    "あ": "aa",
    "い": "ih",
    "う": "ou",
    "え": "ee",
    "お": "oh",
    "まばたき": "eyeBlink",
    "ウィンク２": "eyeBlinkLeft",
    "ウィンク２右": "eyeBlinkRight",
    "ｳｨﾝｸ２右": "eyeBlinkRight",
    "びっくり": "eyeWide",
    "ぺろっ": "tongueOut",
}
# Looks to a side, which are inwards for one eye and outwards for the other: words and side of the name.
LOOKS: Mapping[tuple[str, str], str] = {
    **{(f"eye{eye}look", side): look for eye, side, look in (
        ("l", "Left", "eyeLookOutLeft"), ("l", "Right", "eyeLookInLeft"),
        ("r", "Left", "eyeLookInRight"), ("r", "Right", "eyeLookOutRight"),
    )},  # Reallusion: Eye_L_Look_R
    ("eyelookleft", "Left"): "eyeLookOutLeft",  # MetaHuman: eyeLookLeftL
    ("eyelookleft", "Right"): "eyeLookInRight",
    ("eyelookright", "Left"): "eyeLookInLeft",
    ("eyelookright", "Right"): "eyeLookOutRight",
}  # fmt: skip

# Similar, not the same.
ALIKE: Mapping[str, tuple[str, ...]] = {
    **{f"mouthFunnel{quarter}": ("mouthFunnel",) for quarter in ("Ul", "Ur", "Dl", "Dr")},
    **{f"mouthLipsPurse{quarter}": ("mouthPucker",) for quarter in ("Ul", "Ur", "Dl", "Dr")},
    **{f"mouthLipsTogether{quarter}": ("mouthClose",) for quarter in ("Ul", "Ur", "Dl", "Dr")},
    **{f"jawChinRaise{quarter}": ("mouthShrugLower",) for quarter in ("Dl", "Dr")},
    **{f"jawChinRaise{quarter}": ("mouthShrugUpper",) for quarter in ("Ul", "Ur")},
    "mouthSharpCornerPull": ("mouthSmile",),
    "mouthSmileSharp": ("mouthSmile",),
    "mouthChinUp": ("mouthShrugLower",),
    **{f"mouthFunnel{part}": ("mouthFunnel",) for part in ("Up", "Down")},
    **{f"mouthPucker{part}": ("mouthPucker",) for part in ("Up", "Down")},
    "browPinch": ("browDown",),
    "lipFunnelUpper": ("mouthFunnel",),
    "lipFunnelLower": ("mouthFunnel",),
    "lipPuckerUpper": ("mouthPucker",),
    "lipPuckerLower": ("mouthPucker",),
    "mouthCornerSlant": ("mouthSmile",),
    "mouthTightener": ("mouthPress",),
    "ウィンク": ("eyeBlinkLeft",),
    "ウィンク右": ("eyeBlinkRight",),
    "笑い": ("eyeBlink",),
    "じと目": ("eyeSquint",),
    "にやり": ("mouthSmile",),
    "にっこり": ("mouthSmile",),
    "困る": ("browInnerUp",),
    "怒り": ("browDown",),
    "上": ("browOuterUp",),
    "下": ("browDown",),
}
# Words that are known, though they mean nothing else: without that, `CTRL_expressions_` before them would count.
ITSELF = frozenset(name for name in ALIKE if name.isascii())


def _both(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}{side}" for name in names for side in _SIDES)


# Every name as the program writes it.
METAHUMAN_NAMES = tuple(
    f"CTRL_expressions_{name}"
    for name in (
        *_both(
            "browDown", "browRaiseIn", "browRaiseOuter", "eyeBlink", "eyeWiden", "eyeSquintInner", "eyeCheekRaise",
            "eyeLookUp", "eyeLookDown", "eyeLookLeft", "eyeLookRight", "noseWrinkle", "mouthCheekBlow",
            "mouthUpperLipRaise", "mouthLowerLipDepress", "mouthCornerPull", "mouthCornerDepress", "mouthStretch",
            "mouthDimple", "mouthPress", "mouthUpperLipRollIn", "mouthLowerLipRollIn", "mouthSharpCornerPull",
            "mouthFunnelU", "mouthFunnelD", "mouthLipsPurseU", "mouthLipsPurseD", "mouthLipsTogetherU",
            "mouthLipsTogetherD", "jawChinRaiseU", "jawChinRaiseD",
        ),
        "mouthLeft", "mouthRight", "jawOpen", "jawLeft", "jawRight", "jawFwd", "tongueOut",
    )
)  # fmt: skip
REALLUSION_NAMES = (
    *(f"{name}_{side}" for name in (
        "Brow_Raise_Inner", "Brow_Raise_Outer", "Brow_Drop", "Brow_Compress", "Eye_Blink", "Eye_Squint", "Eye_Wide",
        "Eye_L_Look", "Eye_R_Look", "Nose_Sneer", "Nose_Nostril_Raise", "Nose_Nostril_Dilate", "Cheek_Raise",
        "Cheek_Suck", "Cheek_Puff", "Mouth_Smile", "Mouth_Smile_Sharp", "Mouth_Frown", "Mouth_Stretch", "Mouth_Dimple",
        "Mouth_Press", "Mouth_Tighten", "Mouth_Blow", "Mouth_Pucker_Up", "Mouth_Pucker_Down", "Mouth_Funnel_Up",
        "Mouth_Funnel_Down", "Mouth_Roll_In_Upper", "Mouth_Roll_In_Lower", "Mouth_Roll_Out_Upper",
        "Mouth_Roll_Out_Lower", "Mouth_Up_Upper", "Mouth_Down_Lower", "Mouth", "Jaw",
    ) for side in _SIDES),
    *(f"Eye_{side}_Look_{way}" for way in ("Up", "Down") for side in _SIDES),
    "Mouth_Shrug_Upper", "Mouth_Shrug_Lower", "Mouth_Drop_Upper", "Mouth_Drop_Lower", "Mouth_Chin_Up", "Mouth_Close",
    "Mouth_Up", "Mouth_Down", "Mouth_Contract", "Tongue_Out", "Jaw_Open", "Jaw_Forward", "Jaw_Backward", "Jaw_Up",
    "Jaw_Down",
)  # fmt: skip
UNIFIED_NAMES = (
    *(f"{name}{side}" for name in (
        "EyeLookOut", "EyeLookIn", "EyeLookUp", "EyeLookDown", "EyeClosed", "EyeSquint", "EyeWide", "EyeDilation",
        "EyeConstrict", "BrowPinch", "BrowLowerer", "BrowInnerUp", "BrowOuterUp", "NoseSneer", "NasalDilation",
        "NasalConstrict", "CheekSquint", "CheekPuff", "CheekSuck", "Jaw", "LipSuckUpper", "LipSuckLower",
        "LipSuckCorner", "LipFunnelUpper", "LipFunnelLower", "LipPuckerUpper", "LipPuckerLower", "MouthUpperUp",
        "MouthUpperDeepen", "MouthLowerDown", "MouthUpper", "MouthLower", "MouthCornerPull", "MouthCornerSlant",
        "MouthFrown", "MouthStretch", "MouthDimple", "MouthPress", "MouthTightener",
    ) for side in ("Left", "Right")),
    "JawOpen", "MouthClosed", "JawForward", "JawBackward", "JawClench", "JawMandibleRaise", "LipFunnel", "LipPucker",
    "LipSuckUpper", "LipSuckLower", "MouthRaiserUpper", "MouthRaiserLower", "TongueOut", "TongueUp", "TongueDown",
    "TongueLeft", "TongueRight", "TongueRoll",
)  # fmt: skip
MMD_NAMES = (
    *(name for name in MMD if name != "ｳｨﾝｸ２右"),
    "ウィンク", "ウィンク右", "笑い", "なごみ", "はぅ", "じと目", "にやり", "にっこり", "真面目", "困る",
    "にこり", "怒り", "上", "下", "照れ", "涙", "ん", "ワ",
)  # fmt: skip
