"""A prior over the socket: learned from the clips, opened as a file, there after undo, shown in words."""

from pathlib import Path

import facewright as fw
from tests.studio.served import Page, Served


def test_a_prior_is_learned_shown_and_forgotten(page: Page) -> None:
    assert page.state["prior"] == {"text": "by the names of the sliders", "own": False, "learning": False}
    answer = page.ask("LearnPrior")
    assert answer["type"] == "Refused"
    assert "no clips to learn from" in answer["message"]
    page.do("SetWeights", weights={"mouthSmileLeft": 0.7, "mouthSmileRight": 0.5})
    page.do("SetKeys", time=0.0)
    page.do("SetWeights", weights={"jawOpen": 0.4})
    page.do("SetKeys", time=1.0)
    page.do("LearnPrior")
    page.until(lambda: page.state["prior"]["own"], "it is learned")
    assert page.state["prior"]["text"].startswith("learned from ")
    assert page.state["history"]["labels"][-1].startswith("Learn from clip ")
    page.do("ForgetPrior")
    assert page.state["prior"]["text"] == "by the names of the sliders"
    page.do("Undo")
    assert page.state["prior"]["own"]


def test_a_prior_is_opened_as_a_file_beside_the_face(served: Served, page: Page, tmp_path: Path) -> None:
    rig = fw.sample()
    fw.save_prior(fw.Prior.learn(rig, [rig.weights({"jawOpen": 0.5, "mouthFunnel": 0.5})]), tmp_path / "habits.json")
    before = page.state["rig"]
    status, _, data = served.ask(
        "POST", "/api/upload?name=habits.json&how=keep", (tmp_path / "habits.json").read_bytes()
    )
    assert status == 200, data
    assert b'"prior"' in data
    page.until(lambda: page.state["prior"]["own"], "it is there")
    assert page.state["history"]["labels"][-1] == "Use prior habits"
    assert page.state["rig"] is before
    status, _, data = served.ask("POST", "/api/upload?name=habits.json&how=keep", b'{"covariance": [[1]]}')
    assert status == 400
    assert b"facewright prior" in data
