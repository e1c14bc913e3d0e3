"""Nobody comes in without the secret, from another site, or under another name."""

import http.client
import socket

import msgspec
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.studio.served import PATIENCE, Served

PATHS = [
    "/",
    "/api/health",
    "/api/samples",
    "/api/files",
    "/api/export/fwface",
    "/api/geometry/x",
    "/assets/x.js",
    "/nothing",
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("cookie", ["", "facewright=1", "facewright-PORT=wrong", "facewright-PORT=", "x;;=,\x7f"])
def test_without_the_cookie_nothing_is_shown(served: Served, path: str, cookie: str) -> None:
    status, headers, body = served.ask("GET", path, cookie=cookie.replace("PORT", str(served.port)))
    assert status == 403
    assert b"token" in body
    assert "set-cookie" not in headers


@pytest.mark.parametrize("token", ["", "x", "TOKEN0", "tOKEN", "\u00e9"])
def test_a_wrong_token_does_not_open(served: Served, token: str) -> None:
    given = token.replace("TOKEN", served.token).encode().decode("latin-1")
    status, headers, _ = served.ask("GET", f"/?token={given}".replace("\u00c3\u00a9", "%C3%A9"), cookie="")
    assert status == 403
    assert "set-cookie" not in headers


def test_the_right_token_gives_a_cookie_that_scripts_and_other_sites_cannot_use(served: Served) -> None:
    status, headers, _ = served.ask("GET", f"/?token={served.token}", cookie="")
    assert status == 200
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert served.token not in cookie
    assert headers["cache-control"] == "no-store"


API = [path for path in PATHS if path.startswith("/api")]


@pytest.mark.parametrize("path", API)
@pytest.mark.parametrize("key", ["", "x", "COOKIE", "TOKEN"])
def test_a_cookie_that_another_port_was_sent_opens_nothing_without_the_key_of_the_page(
    served: Served, path: str, key: str
) -> None:
    given = key.replace("COOKIE", served.cookie.partition("=")[2]).replace("TOKEN", served.token)
    status, _, body = served.ask("GET", path, key=given)
    assert status == 403
    assert served.key.encode() not in body


@pytest.mark.parametrize("key", ["", "wrong"])
def test_the_socket_needs_the_key_of_the_page_too(served: Served, key: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(
            f"ws://127.0.0.1:{served.port}/socket?key={key}",
            additional_headers={"Cookie": served.cookie},
            origin=Origin(served.origin),
            open_timeout=PATIENCE,
        )
    assert refused.value.response.status_code == 403


def test_the_key_is_shown_by_the_entrance_only_and_the_cookie_ends_with_the_browser(served: Served) -> None:
    _, headers, body = served.ask("GET", f"/?token={served.token}", cookie="")
    assert f"/#key={served.key}".encode() in body
    assert "Max-Age" not in headers["set-cookie"]
    assert "Expires" not in headers["set-cookie"]
    assert served.key not in headers["set-cookie"]
    assert served.key.encode() not in served.ask("GET", "/")[2]


def test_a_key_without_the_cookie_opens_nothing(served: Served) -> None:
    assert served.ask("GET", "/api/health", cookie="")[0] == 403
    assert served.ask("GET", "/api/health")[0] == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:PORT", "0.0.0.0:PORT"],
)
def test_another_host_name_is_refused_even_with_the_cookie(served: Served, host: str) -> None:
    named = host.replace("PORT", str(served.port))
    assert served.ask("GET", "/api/health", headers={"Host": named})[0] == 403
    assert served.ask("GET", f"/?token={served.token}", cookie="", headers={"Host": named})[0] == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:PORT", "http://127.0.0.1", "http://localhost:PORT"]
)
def test_another_origin_is_refused_even_with_the_cookie(served: Served, origin: str) -> None:
    said = {"Origin": origin.replace("PORT", str(served.port))}
    assert served.ask("GET", "/api/health", headers=said)[0] == 403
    assert served.ask("POST", "/api/upload?name=a.glb", b"x", headers=said)[0] == 403


def test_localhost_is_our_name_too(served: Served) -> None:
    name = f"localhost:{served.port}"
    assert served.ask("GET", "/api/health", headers={"Host": name, "Origin": f"http://{name}"})[0] == 200


def test_changing_anything_needs_an_origin(served: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
    connection.request("POST", served.keyed("/api/upload?name=a.glb"), b"x", {"Cookie": served.cookie})
    assert connection.getresponse().status == 403
    connection.close()


@pytest.mark.parametrize(
    ("site", "mode", "status"),
    [("cross-site", "no-cors", 403), ("same-site", "cors", 403), ("same-origin", "cors", 200)],
)
def test_requests_that_other_sites_make_the_browser_send_are_refused(
    served: Served, site: str, mode: str, status: int
) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
    assert served.ask("GET", "/api/health", headers=headers)[0] == status


@pytest.mark.parametrize(
    ("cookie", "origin", "host"),
    [
        (False, "OWN", None),
        (True, None, None),
        (True, "http://evil.example", None),
        (True, "null", None),
        (True, "http://evil.example:PORT", "evil.example:PORT"),
    ],
)
def test_the_socket_is_as_strict(served: Served, cookie: bool, origin: str | None, host: str | None) -> None:
    headers = {"Cookie": served.cookie} if cookie else {}
    said = None if origin is None else Origin(origin.replace("OWN", served.origin).replace("PORT", str(served.port)))
    name, port = ("127.0.0.1", served.port) if host is None else ("evil.example", served.port)
    with pytest.raises(InvalidStatus) as refused, socket.create_connection(("127.0.0.1", served.port)) as plain:
        connect(
            f"ws://{name}:{port}/socket?key={served.key}",
            sock=plain,
            additional_headers=headers,
            origin=said,
            open_timeout=PATIENCE,
        )
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/", 405), ("PUT", "/api/upload?name=a.glb", 405), ("GET", "/api/upload?name=a.glb", 405),
        ("DELETE", "/api/files", 405), ("POST", "/api/export/glb", 405), ("PATCH", "/api/health", 405),
        ("GET", "/api", 404), ("GET", "/socket", 404), ("GET", "/assets/", 404), ("GET", "/assets", 404),
    ],
)  # fmt: skip
def test_what_is_not_offered_is_refused(served: Served, method: str, path: str, status: int) -> None:
    found = served.ask(method, path, b"" if method != "GET" else None)[0]
    assert found in (status, 404, 307) if path.startswith("/assets") else found == status


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../protocol.py", "/assets/..%2f..%2fprotocol.py", "/assets/%2e%2e/%2e%2e/server.py",
        "/../../etc/passwd",
        "/assets//etc/passwd", "/assets/..\\..\\server.py", "/assets/%00", "/%2e%2e/%2e%2e/etc/passwd",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_page_s_files(served: Served, path: str) -> None:
    status, _, body = served.ask("GET", path)
    assert status in (400, 404)
    assert b"root:" not in body
    assert b"import" not in body


@pytest.mark.parametrize(
    "path", ["rigs/../../x.glb", "/etc/passwd", "nowhere/x.glb", "recovered/../token", "recovered/../studio-0/token"]
)
def test_no_path_opens_what_is_not_below_a_named_folder(served: Served, path: str) -> None:
    page = served.page()
    answer = page.ask("OpenPath", path=path)
    page.close()
    assert answer["type"] == "Refused"


def test_every_answer_forbids_inline_scripts_framing_and_guessing_types(served: Served) -> None:
    for cookie, path in ((None, "/"), (None, "/api/health"), ("", "/"), (None, "/nothing")):
        _, headers, _ = served.ask("GET", path, cookie=cookie)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


def problem(body: bytes) -> str:
    return str(msgspec.json.decode(body)["problem"])


def test_an_upload_beyond_the_limit_is_refused_however_it_is_sent(served: Served) -> None:
    big = b"x" * (5 << 20)
    status, _, body = served.ask("POST", "/api/upload?name=a.glb", big)
    assert status == 413
    assert "4 MB" in problem(body)
    status, _, body = served.ask("POST", "/api/upload?name=a.glb", iter([big[: 1 << 20]] * 5))
    assert status == 413


@pytest.mark.parametrize("name", ["a.exe", "a", "", "a.rar", "../a.py", "a.glb.html"])
def test_an_upload_of_another_format_is_refused_with_those_that_are_read(served: Served, name: str) -> None:
    status, _, body = served.ask("POST", f"/api/upload?name={name}", b"x")
    assert status == 415
    assert ".fwface, .glb" in problem(body)


@pytest.mark.parametrize("data", [b"", b"glTF", b"x" * 1000, b"glTF\x02\x00\x00\x00\xff\xff\xff\xff"])
def test_an_upload_that_is_no_face_is_refused_and_changes_nothing(served: Served, data: bytes) -> None:
    page = served.page()
    before = page.state["rig"]["id"]
    status, _, body = served.ask("POST", "/api/upload?name=../../x.glb", data)
    assert status == 400
    assert problem(body)
    assert page.do("Ping")["type"] == "Pong"
    assert page.state["rig"]["id"] == before
    page.close()


def test_it_listens_on_this_machine_alone(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE):
        pass
    for address in outside_addresses():
        with pytest.raises(OSError, match=r"refused|unreachable|timed out"):
            socket.create_connection((address, served.port), 5).close()


def outside_addresses() -> set[str]:
    """Under which other machines would see this one; none where it has no name."""
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return set()
    return {str(info[4][0]) for info in found if not str(info[4][0]).startswith("127.")}
