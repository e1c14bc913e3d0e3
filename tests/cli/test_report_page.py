"""The interference report: one page, safe, complete, the same each time."""

import base64
import io
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from facewright.cli.main import app
from facewright.formats.registry import save
from facewright.report.interference import interference
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.rig.shape import Shape
from facewright.workflow.report.html import Html, join, tag
from tests.report.report_rigs import even_face

VOID = {"img", "meta", "br", "col"}
WICKED = ("</script><script>alert(1)</script>", "\"onload='x' <b>&amp;", "a\x1b[31m\x00b", "\u202egnorw", "<!--")


class Page(HTMLParser):
    """What a page holds; fails where elements are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        (self.scripts if self.open[-1:] == ["script"] else self.text).append(data)

    def addresses(self) -> list[str]:
        return [str(value) for _, each in self.elements for key, value in each.items() if key in ("src", "href")]


def face(names: tuple[str, ...], groups: tuple[str, ...] = ()) -> Rig:
    """A bent grid with one bump for each name, the bumps overlapping."""
    neutral, quads = even_face()
    rng = np.random.default_rng(4)
    shapes = []
    for name in names:
        far = np.linalg.norm(neutral[:, :2] - rng.uniform(-0.6, 0.6, 2), axis=1)
        shapes.append(Shape.from_dense(name, np.clip(1 - far, 0, 1)[:, None] * rng.normal(size=3)))
    return Rig(neutral, quads, tuple(shapes), groups=groups)


def inspect(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["inspect", *map(str, arguments)])


def report(rig: Rig, folder: Path, *options: str) -> tuple[str, Result]:
    save(rig, folder / "face.fwface")
    done = CliRunner().invoke(
        app, ["inspect", str(folder / "face.fwface"), "--report", str(folder / "out.html"), *options]
    )
    assert done.exit_code == 0, done.output
    return (folder / "out.html").read_text("utf8"), done


def test_the_page_stands_alone_and_is_the_same_each_time(tmp_path: Path) -> None:
    rig = face(("jawOpen", "browDown_L"))
    text, done = report(rig, tmp_path)
    page = Page(text)
    assert all(address.startswith(("data:image/png;base64,", "#")) for address in page.addresses())
    assert "http" not in "".join(page.text + page.scripts)
    policy = next(str(each["content"]) for _, each in page.elements if "http-equiv" in each)
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert report(rig, tmp_path)[0] == text
    assert "out.html" in done.stderr
    ids = {str(each["id"]) for _, each in page.elements if "id" in each}
    assert {address[1:] for address in page.addresses() if address.startswith("#")} <= ids


@pytest.mark.usefixtures("small_pictures")
def test_every_slider_is_on_the_page_and_the_matrix_tells_every_pair(tmp_path: Path) -> None:
    rig = face(("jawOpen", "mouthClose", "browDown_L", "browDown_R", "tongueOut"))
    text, _ = report(rig, tmp_path)
    page = Page(text)
    words = " ".join(page.text)
    assert all(name in words for name in rig.sliders)
    told = msgspec.json.decode(next(script for script in page.scripts if script.startswith('{"names"')))
    assert sorted(told["names"]) == sorted(rig.sliders)
    order = [rig.slider_index(name) for name in told["names"]]
    values = np.frombuffer(base64.b64decode(told["interference"]), np.int8).reshape(5, 5)
    np.testing.assert_allclose(values, 100 * np.array(interference(rig).matrix)[np.ix_(order, order)], atol=0.51)


@pytest.mark.usefixtures("small_pictures")
def test_a_pair_that_agrees_is_warm_and_one_that_disagrees_is_cold(tmp_path: Path) -> None:
    from PIL import Image

    neutral, quads = even_face()
    delta = np.random.default_rng(1).normal(size=neutral.shape)
    deltas = {"jawOpen": delta, "jawLeft": 2 * delta, "jawRight": -delta}
    text, _ = report(Rig(neutral, quads, tuple(Shape.from_dense(*each) for each in deltas.items())), tmp_path)
    page = Page(text)
    address = next(str(each["href"]) for name, each in page.elements if name == "image")
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(address.split(",")[1]))), int)
    names = msgspec.json.decode(next(script for script in page.scripts if script.startswith('{"names"')))["names"]
    open_, left, right = (names.index(name) for name in deltas)
    assert pixels.shape == (3, 3, 3)
    assert pixels[open_, left, 0] > pixels[open_, left, 2] + 50
    assert pixels[open_, right, 2] > pixels[open_, right, 0] + 50


@pytest.mark.usefixtures("small_pictures")
def test_wicked_names_stay_text(tmp_path: Path) -> None:
    rig = face(WICKED, groups=("<i>",) * len(WICKED))
    text, _ = report(rig, tmp_path)
    page = Page(text)
    kinds = [name for name, _ in page.elements]
    assert kinds.count("script") == 2
    assert not any(key.startswith("on") for _, each in page.elements for key in each)
    assert "alert(1)" not in "".join(script for script in page.scripts if not script.startswith('{"names"'))
    assert WICKED[0] in page.text
    assert WICKED[1] in page.text
    assert "\x1b" not in text
    assert "\x00" not in text
    told = msgspec.json.decode(next(script for script in page.scripts if script.startswith('{"names"')))
    assert sorted(told["names"]) == sorted(WICKED)


@pytest.mark.usefixtures("small_pictures")
@pytest.mark.parametrize("count", [0, 1, 3, *(pytest.param(many, marks=pytest.mark.long) for many in (2, 95))])
def test_rigs_of_all_sizes_have_a_page(count: int, tmp_path: Path) -> None:
    text, _ = report(face(tuple(f"mouth{i}" for i in range(count))), tmp_path)
    assert len([name for name, _ in Page(text).elements if name == "article"]) <= 10


def test_a_rig_without_polygons_has_a_page_without_pictures(tmp_path: Path) -> None:
    rig = Rig(
        np.random.default_rng(2).normal(size=(9, 3)),
        [],
        (Shape("a", [1, 2], np.eye(3)[:2]), Shape("b", [1], [[1, 1, 0]])),
    )
    text, _ = report(rig, tmp_path)
    assert "img" not in [name for name, _ in Page(text).elements]


@pytest.mark.usefixtures("small_pictures")
def test_everything_wrong_is_on_the_page(tmp_path: Path) -> None:
    rig = face(("jawOpen", "mouthClose", "browDown_L", "mouthLeft"))
    bump = rig.shapes[0]
    more = (
        Shape("nothing", [], np.zeros((0, 3))),
        Shape("copy", bump.vertices, bump.offsets),
        Shape("half", bump.vertices, 0.7 * bump.offsets, ("jawOpen",), 0.5),
        Shape("both", bump.vertices[:9], bump.offsets[:9, ::-1], ("jawOpen", "mouthClose")),
    )
    rules = (OnlyMovedBy("brows stay", bump.vertices, ("mouthClose",)), StaysWithin("near", bump.vertices, 0.01))
    whole = Rig(rig.neutral, rig.polygons, (*rig.shapes, *more), rules=rules)
    text, done = report(whole, tmp_path, "--json")
    words = " ".join(Page(text).text)
    for word in ("brows stay", "only moved by", "stays within", "nothing", "copy", "× 1", "at 0.5", "broken rule"):
        assert word in words
    told = msgspec.json.decode(done.stdout)
    assert {found["rule"] for found in told["interference"]["breaches"]} == {"brows stay", "near"}
    assert told["interference"]["dead"] == ["nothing"]


def test_a_report_is_never_written_over_a_rig(tmp_path: Path) -> None:
    rig = face(("a",))
    save(rig, tmp_path / "face.fwface")
    before = (tmp_path / "face.fwface").read_bytes()
    done = CliRunner().invoke(
        app, ["inspect", str(tmp_path / "face.fwface"), "--report", str(tmp_path / "face.fwface")]
    )
    assert done.exit_code == 2
    assert "something.html" in done.stderr
    assert (tmp_path / "face.fwface").read_bytes() == before


def test_debug_hands_the_error_on(tmp_path: Path) -> None:
    done = inspect(tmp_path / "none.glb", "--debug")
    assert type(done.exception).__name__ == "BadFile"


def test_text_is_escaped_and_markup_is_not() -> None:
    made = tag("p", "a < b", tag("b", "&"), None, class_="x", data_value=1.5, title='"', id=None)
    assert made == '<p class="x" data-value="1.5" title="&quot;">a &lt; b<b>&amp;</b></p>'
    assert tag("img", src="x") == '<img src="x">'
    assert join("<", Html("<i>")) == "&lt;<i>"
