"""What the studio's take is solved with, and what is refused before it."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document
from facewright.errors import BadValue
from facewright.rig.captured import Captured
from facewright.session.edits.clips import load_clips
from facewright.session.edits.takes import change_take
from facewright.session.tasks.take import SolveTake
from facewright.workflow.solver_cache import SolverCache
from facewright.workflow.take.fit import take_fit
from facewright.workflow.take.solve import solve
from tests.capture.acting import acted

MADE = acted(frames=12, head=False)
DOCUMENT = Document(MADE.rig, captured=Captured(MADE.take, binding=MADE.binding))


def test_a_take_solved_with_a_still_head_is_shown_with_one() -> None:
    job = SolveTake(head="still").job(DOCUMENT)
    assert job.options.head == "still"
    solved = solve(job)
    shown = replace(DOCUMENT, clips=(solved.clip,), clip=solved.name)
    fit = take_fit(shown, solved.name, SolverCache())
    assert fit is not None
    assert not fit.from_markers
    np.testing.assert_array_equal(fit.head.offsets, 0)
    assert np.nanmax(fit.residual) < 10 * 0.02 * MADE.rig.size


def test_a_frame_without_markers_is_refused_as_the_frame_at_rest() -> None:
    positions = MADE.take.positions.copy()
    positions[3] = np.nan
    captured = Captured(fw.Take(MADE.take.names, positions, 60.0, "cm"), binding=MADE.binding)
    with pytest.raises(BadValue, match="frame 3 shows no marker"):
        change_take(replace(DOCUMENT, captured=captured), neutral=[3])


def test_a_recording_of_which_nothing_moves_the_face_is_refused() -> None:
    table = np.zeros((2, 2))
    unknown = fw.Clip.from_table("odd", ["alpha", "HeadYaw"], [0.0, 1.0], table)
    with pytest.raises(BadValue, match="none of the 2 curves has a slider of its name: the curves are called alpha"):
        load_clips(DOCUMENT, [unknown])
    partly = fw.Clip.from_table("partly", ["alpha", MADE.rig.sliders[0]], [0.0, 1.0], table)
    assert set(load_clips(DOCUMENT, [partly]).clips[-1].curves) == {"alpha", MADE.rig.sliders[0]}
    head = fw.Clip.from_table("head", ["HeadYaw", "HeadX"], [0.0, 1.0], table)
    assert set(load_clips(DOCUMENT, [head]).clips[-1].curves) == {"HeadYaw", "HeadX"}
