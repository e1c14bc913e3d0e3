"""The commands of the process; see the package."""

from __future__ import annotations

import sys


def main() -> None:
    seconds, memory, command, *rest = sys.argv[1:]
    _limit(int(seconds), int(memory))
    from pxr import Work

    Work.SetConcurrencyLimit(1)  # a face is small, and each further thread takes memory
    if command == "read":
        from facewright.formats.usd_stage.describe import write_description

        write_description(rest[0], rest[1], int(rest[2]))
    else:
        from facewright.formats.usd_stage.pack import pack

        pack(rest[0], rest[1])


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
