"""Jobs for render farms: their format, as far as a package has it, and that their tasks together do all takes once."""

import json
import re
import shlex
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import facewright as fw
from facewright.formats.json_files import save_binding
from tests.capture.acting import acted
from tests.cli.command import run

# What each element may hold, in this order, in version 1.12 of OpenCue's job specification, which is published with its
# server as cjsl-1.12.dtd; of other elements the text alone.
CJSL = {
    "spec": "facility? dept? show shot user email? uid? job* depends*",
    "job": "paused? priority? maxretries? autoeat? localbook? os? env* layers?",
    "layers": "layer+",
    "layer": "cmd range chunk cores? threadable? memory? gpus? gpu? gpu_memory? timeout? timeout_llu? tags? limits?"
    " env* services?",
    "env": "key*",
    "services": "service+",
    "depends": "depend*",
    "depend": "depjob deplayer? depframe? onjob onlayer? onframe?",
}
JOBS = Path(__file__).resolve().parents[1] / "examples" / "render_farm"
CHUNKS = 2


@pytest.fixture
def show(tmp_path: Path) -> Path:
    made = acted(frames=20)
    fw.save(made.rig, tmp_path / "rig.glb")
    save_binding(made.binding, tmp_path / "actor.json")
    for folder in ("night", "solved"):
        (tmp_path / folder).mkdir()
    for number in range(3):
        fw.save_take(acted(frames=20, seed=number).take, tmp_path / "night" / f"take{number}.c3d")
    return tmp_path


def given(line: str) -> list[str]:
    """The words of a line after `facewright`, with patterns of files as a shell replaces them."""
    words = shlex.split(line)
    assert words[0] == "facewright"
    found: list[str] = []
    for word in words[1:]:
        pattern = Path(word)
        files = sorted(map(str, pattern.parent.glob(pattern.name))) if "*" in word else []
        found += files or [word]
    return found


def check_solved(show: Path, lines: list[str], summary: str) -> None:
    ends: list[str] = []
    for line in lines:
        done = run(*given(line))
        assert done.returncode == 0, done.stderr
        told = [json.loads(each) for each in done.stdout.splitlines()]
        ends += [each["name"] for each in told if each.get("status") == "done"]
    assert sorted(ends) == ["take0", "take1", "take2"]
    assert run(*given(summary)).returncode == 0
    page = (show / "solved" / "index.html").read_text("utf8")
    assert all(f'href="take{number}.html"' in page for number in range(3))
    clip = fw.load_document(show / "solved" / "take1.glb").clips[0]
    weights = acted(frames=20, seed=1).weights
    np.testing.assert_allclose(clip.sample(acted().rig.sliders, acted(frames=20).take.times), weights, atol=0.1)


def openjd_job(show: Path) -> tuple[Any, dict[str, str]]:
    """The job that the template makes, and the values it was given."""
    model = pytest.importorskip("openjd.model")
    template = model.decode_job_template(template=json.loads((JOBS / "openjd.json").read_text("utf8")))
    paths = {"Rig": "rig.glb", "Binding": "actor.json", "Takes": "night", "Out": "solved"}
    values = {name: str(show / path) for name, path in paths.items()} | {"Chunks": str(CHUNKS)}
    parameters = model.preprocess_job_parameters(
        job_template=template, job_parameter_values=values, job_template_dir=show, current_working_dir=show
    )
    return model.create_job(job_template=template, job_parameter_values=parameters), values


def chunks_of(job: Any) -> list[str]:
    model = pytest.importorskip("openjd.model")
    space = model.StepParameterSpaceIterator(space=job.steps[0].parameterSpace)
    return [str(task["Chunk"].value) for task in space]


def test_the_openjd_job_is_valid_and_has_a_task_for_each_chunk(tmp_path: Path) -> None:
    job, _ = openjd_job(tmp_path)
    assert chunks_of(job) == [str(number) for number in range(1, CHUNKS + 1)]
    assert [each.dependsOn for each in job.steps[1].dependencies] == ["Solve"]


@pytest.mark.long  # the package that defines the format checks it in a quicker one
def test_the_tasks_of_the_openjd_job_do_every_take_once(show: Path) -> None:
    job, values = openjd_job(show)

    def filled(text: str, chunk: str = "") -> str:
        named = {f"Param.{name}": value for name, value in values.items()} | {"Task.Param.Chunk": chunk}
        return re.sub(r"\{\{ *([\w.]+) *\}\}", lambda found: named[found[1]], text)

    script = str(job.steps[0].script.embeddedFiles[0].data)
    lines = [filled(script, chunk).splitlines()[-1].removeprefix("exec ") for chunk in chunks_of(job)]
    action = job.steps[1].script.actions.onRun
    check_solved(show, lines, shlex.join([filled(str(word)) for word in (action.command, *action.args)]))


def test_the_opencue_job_has_the_elements_of_the_format_in_their_order() -> None:
    text = (JOBS / "opencue.xml").read_text("utf8")
    assert "cjsl-1.12.dtd" in text
    for element in ElementTree.fromstring(text).iter():
        allowed = re.sub(r"(\w+)([?*+]?) *", r"(?:\1 )\2", CJSL.get(element.tag, ""))
        assert re.fullmatch(allowed, "".join(f"{child.tag} " for child in element)), element.tag
        assert element.tag not in ("job", "layer") or re.fullmatch(r"[\w.:-]+", element.get("name", ""))
        assert element.tag != "layer" or element.get("type") in ("Render", "Util", "Post")


@pytest.mark.long  # chunks are tried in a quicker one
def test_the_opencue_job_is_xml_whose_tasks_do_every_take_once(show: Path) -> None:
    text = (JOBS / "opencue.xml").read_text("utf8").replace("/show/", f"{show}/")
    layers = ElementTree.fromstring(text).findall("job/layers/layer")
    assert [layer.get("name") for layer in layers] == ["solve", "summary"]
    command, frames = str(layers[0].findtext("cmd")), str(layers[0].findtext("range"))
    first, last = map(int, frames.split("-"))
    lines = [command.replace("#IFRAME#", str(number)) for number in range(first, last + 1)]
    assert command.endswith(f"#IFRAME#/{last} --jobs 1 --resume --json")
    check_solved(show, lines, str(layers[1].findtext("cmd")))
