"""What a file holds is decided by the server, from its name and its beginning, before it is uploaded."""

from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from tests.studio.served import Served

HEAD = 64
BINDING = b'{"about": "' + b"x" * 200 + b'", "facewright_binding": 1}'


def recognised(served: Served, name: str, data: bytes, size: int) -> dict[str, Any]:
    status, _, answer = served.ask("POST", f"/api/kind?name={quote(name)}&size={size}", data)
    assert status == 200, answer
    found: dict[str, Any] = msgspec.json.decode(answer)
    return found


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("face.bin", b"glTF" + bytes(500), "rig"),
        ("face.obj", b"# made by hand\nv 0 0 0\n" + b"v 0 0 1\n" * 50, "rig"),
        ("talk.csv", b"time,jawOpen\n0,0.5\n" + b"1,1\n" * 50, "clip"),
        ("talk.trc", b"PathFileType\t4\n" + b"0\t" * 100, "take"),
        ("skin.dat", b"\x89PNG\r\n\x1a\n" + bytes(500), "picture"),
    ],
)
def test_the_beginning_of_a_file_tells_what_it_holds(served: Served, name: str, data: bytes, kind: str) -> None:
    assert recognised(served, name, data[:HEAD], len(data)) == {
        "kind": kind,
        "problem": "",
        "whole": False,
        "known": [],
    }


def test_of_a_json_file_all_is_asked_for(served: Served) -> None:
    first = recognised(served, "markers.json", BINDING[:HEAD], len(BINDING))
    assert first == {"kind": None, "problem": "", "whole": True, "known": []}
    assert recognised(served, "markers.json", BINDING, len(BINDING))["kind"] == "binding"


def test_a_file_of_no_kind_is_refused_with_what_is_opened(served: Served) -> None:
    found = recognised(served, "notes.txt", b"hello", 5)
    assert found["kind"] is None
    assert "notes.txt" in found["problem"]
    assert ".glb" in found["problem"]
    assert any(".usdz" in line for line in found["known"]), "all kinds, on demand"


def test_the_size_is_a_number(served: Served) -> None:
    status, _, answer = served.ask("POST", "/api/kind?name=face.glb&size=many", b"glTF")
    assert status == 400
    assert b"number of bytes" in answer


def test_a_page_is_told_the_suffixes_of_each_kind(served: Served) -> None:
    suffixes = served.page().welcome["suffixes"]
    assert {".fwface", ".glb", ".obj"} <= set(suffixes["rig"])
    assert {".png", ".jpeg", ".ktx2"} <= set(suffixes["picture"])
    assert suffixes["take"] == [".c3d", ".trc", ".csv"]
