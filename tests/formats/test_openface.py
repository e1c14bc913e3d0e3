"""Tables of OpenFace, and maps of names by hand."""

from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadFile
from facewright.formats.name_map import load_name_map
from facewright.rig.retarget import MappedName
from facewright.workflow.file_kind import FileKind, kind_of

TABLE = """frame, face_id, timestamp, confidence, success, gaze_0_x, gaze_0_y, gaze_0_z, pose_Tx, pose_Ty, pose_Tz, AU12_r, AU45_r, AU12_c
1, 0, 0.000, 0.98, 1, .1, .2, .3, 1, 2, 3, 2.5, 0.0, 1
1, 1, 0.000, 0.98, 1, .1, .2, .3, 1, 2, 3, 5.0, 5.0, 1
2, 0, 0.040, 0.00, 0, .1, .2, .3, 1, 2, 3, 5.0, 5.0, 1
3, 0, 0.080, 0.98, 1, .1, .2, .3, 1, 2, 3, 1.0, 5.0, 0
4, 0, 0.120, 0.98, 1, .1, .2, .3, 1, 2, 3, 0.0, 1.0, 0
"""  # noqa: E501


def test_a_table_of_openface_is_a_clip_of_intensities_of_the_first_face(tmp_path: Path) -> None:
    (tmp_path / "of.csv").write_text(TABLE)
    assert kind_of(tmp_path / "of.csv") is FileKind.CLIP
    clip = fw.load_clip(tmp_path / "of.csv")
    assert set(clip.curves) == {"AU12_r", "AU45_r"}
    np.testing.assert_allclose(clip.curves["AU12_r"].times, [0, 0.08, 0.12])
    np.testing.assert_allclose(clip.curves["AU12_r"].values, [2.5, 1, 0])
    found = fw.retarget(clip, fw.sample())
    np.testing.assert_allclose(found.clip.curves["mouthSmileLeft"].values, [0.5, 0.2, 0])
    np.testing.assert_allclose(found.clip.curves["eyeBlinkRight"].values, [0, 1, 0.2])


def test_a_map_of_names_is_read_with_and_without_a_header_and_factors(tmp_path: Path) -> None:
    rows = "Happy,corners,0.5\nJawOpen,jaw open\nblink,,\n"
    for text in (rows, "Source,Target,Factor\n" + rows, rows.replace(",", ";")):
        (tmp_path / "names.csv").write_text(text)
        found = load_name_map(tmp_path / "names.csv")
        assert found == (
            MappedName("Happy", "corners", 0.5),
            MappedName("JawOpen", "jaw open"),
            MappedName("blink", ""),
        )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no rows; a map of names has rows such as EyeBlinkLeft,blink_L"),
        ("a\n", "row 1 is no curve, slider and perhaps factor; a map"),
        (",b\n", "row 1 is no curve, slider and perhaps factor; a map"),
        ("a,b,c\n", "row 1, column 'factor': 'c' is no finite number"),
    ],
)
def test_a_map_that_is_none_is_refused_with_an_example(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "names.csv").write_text(text)
    with pytest.raises(BadFile, match=rf"names\.csv: .*{words}"):
        load_name_map(tmp_path / "names.csv")
