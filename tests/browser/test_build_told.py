"""What a build tells: how faces were laid, what the template can express, what shapes took, and why it waits."""

from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.samples import mask
from tests.browser.studio import Studio
from tests.browser.test_build import Build, open_template, written
from tests.studio.served import Served

Z_UP = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # of rows of positions


@pytest.mark.long  # a quicker test holds the same
def test_a_build_lays_faces_upright_and_says_what_it_can_express_what_shapes_took_and_why_it_waits(
    studio: Studio, server: Served, tmp_path: Path
) -> None:
    page, person, head = studio.page, fw.sample("kenji"), fw.sample()
    known = [shape for shape in head.shapes if shape.name.startswith(("jaw", "mouthSmile", "mouthFunnel", "brow"))]
    template = fw.Rig(head.neutral, head.polygons, known, parts=head.parts, uvs=head.uvs)
    open_template(studio, server, template)
    build = Build(studio)
    page.get_by_label("The rig whose shapes are made on your face").select_option("open")
    build.until(lambda told: told["source"] == "open", "the open rig is the template")

    build.load_neutral(written(tmp_path, "neutral.obj", person.neutral @ Z_UP, person))
    page.get_by_text("The face was turned by 90 degrees to stand upright, as its landmarks say.").wait_for()
    poses = {
        "jawOpen": {"jawOpen": 0.6},
        "mouthSmile": {"mouthSmileLeft": 0.9, "mouthSmileRight": 0.9, "browInnerUp": 0.8},
        "blow": {"jawOpen": 0.2, "cheekPuff": 1.0},
    }
    files = [
        written(tmp_path, f"{name}.obj", fw.evaluate(person, weights) @ Z_UP, person) for name, weights in poses.items()
    ]
    build.add_poses(*files)
    told = build.solved()
    assert told["waits"] == ""
    verdicts = {pose["name"]: pose["fit"]["verdict"] for pose in told["poses"]}
    assert verdicts == {"jawOpen": "expressible", "mouthSmile": "with more sliders", "blow": "not expressible"}
    assert "browInnerUp" in build.pose("mouthSmile")["fit"]["more"]

    smile, blow = (page.locator(f'[data-pose="{name}"]') for name in ("mouthSmile", "blow"))
    assert "The template cannot express it" in blow.inner_text()
    assert blow.get_by_role("button", name="Leave this pose out").count() == 1
    assert "Also browInnerUp" in smile.inner_text()
    build.choose("jawOpen")
    assert "Within reach" in page.locator('[data-pose="jawOpen"] .reach').inner_text()
    build.shown("Example", "The rig’s version")
    page.locator(".build-foot").scroll_into_view_if_needed()
    studio.shot("55 what a build tells")

    taken = {row["name"]: row["shares"] for row in told["built"]["taken"]}
    at = told["built"]["taken_from"].index("mouthSmile")
    most = max(taken, key=lambda name: taken[name][at])
    assert most in poses["mouthSmile"]
    page.locator(f'.taken button[aria-label^="{most} took"][aria-label$="from mouthSmile"]').click()
    page.get_by_text(f"{most} is ").first.wait_for()
    studio.until(lambda: [face["note"] for face in studio.look("staged")] == ["mouthSmile"] * 2, "its pose is shown")
    page.locator(".taken").scroll_into_view_if_needed()
    studio.shot("56 what shapes took")

    smile.get_by_role("button", name="Write down browInnerUp").click()
    build.until(lambda _: "browInnerUp" in (build.pose("mouthSmile")["guess"] or {}), "it is named")
    build.until(lambda _: build.pose("mouthSmile")["fit"]["verdict"] == "expressible", "and within reach then")
    blow.get_by_role("button", name="Leave this pose out").click()
    build.until(lambda told: len(told["poses"]) == 2, "the pose is left out, as was asked for")

    page.get_by_label("The axis that is up").select_option("y")
    build.until(lambda told: told["up"] == "y" and not told["upright"] and not told["doing"], "it lies as in its file")
    build.solved()
    studio.shot("57 a face as it lies in its file")
    page.get_by_label("The axis that is up").select_option("auto")
    build.until(lambda told: told["upright"], "it stands upright again")
    build.solved()

    page.get_by_role("button", name="Load another neutral").click()
    page.set_input_files("#build-upload", written(tmp_path, "other.obj", (other := mask(shapes=2)).neutral, other))
    build.until(lambda told: told["waits"] == "It waits until the template is registered.", "it says why it waits")
    page.get_by_text("It waits until the template is registered.").wait_for()
    studio.shot("58 why it waits")
