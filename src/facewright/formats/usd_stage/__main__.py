"""The commands of the process; see the package."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from typing import NoReturn


def main() -> None:
    if sys.argv[1:] == ["serve"]:
        _serve()
    else:
        _do(sys.argv[1:])


def _do(words: list[str]) -> None:
    seconds, memory, command, *rest = words
    _limit(int(seconds), int(memory))
    from pxr import Work

    Work.SetConcurrencyLimit(1)  # a face is small, and each further thread takes memory
    if command == "read":
        from facewright.formats.usd_stage.describe import write_description

        write_description(rest[0], rest[1], int(rest[2]))
    else:
        from facewright.formats.usd_stage.pack import pack

        pack(rest[0], rest[1])


def _serve() -> None:
    """Carry out one command a line, a JSON list of words, each in a copy of this process that has usd-core already.

    Answers with a line: the exit code, and what the copy wrote about its end, as JSON.
    """
    from pxr import Work

    import facewright.formats.usd_stage.describe
    import facewright.formats.usd_stage.pack  # noqa: F401

    Work.SetConcurrencyLimit(1)  # no thread but this one: a copy has no other
    for line in sys.stdin:
        with tempfile.TemporaryFile() as said:
            child = os.fork()
            if not child:
                _in_copy(json.loads(line), said.fileno())
            _, status = os.waitpid(child, 0)
            said.seek(0)
            answer = [os.waitstatus_to_exitcode(status), said.read().decode("utf-8", "replace")]
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _in_copy(words: list[str], errors: int) -> NoReturn:
    os.dup2(errors, 2)
    os.dup2(errors, 1)
    code = 0
    try:
        _do(words)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        code = 1
    os._exit(code)


def _limit(seconds: int, memory: int) -> None:
    """Limit time and memory, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, hard))


if __name__ == "__main__":
    main()
