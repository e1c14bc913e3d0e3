"""What `facewright inspect` shows of a clip of weights and of a take of markers."""

from __future__ import annotations

import numpy as np
from rich.console import Console
from rich.table import Table

from facewright.cli.screen import plain
from facewright.motion.clip import Clip
from facewright.motion.take import Take
from facewright.rig.names import convention_of


def show_clip(console: Console, name: str, clip: Clip) -> dict[str, object]:
    """Show the curves of a clip; returns the same for JSON."""
    rows = [
        {
            "name": curve,
            "keys": len(found.times),
            "low": float(found.values.min(initial=0.0)),
            "high": float(found.values.max(initial=0.0)),
        }
        for curve, found in clip.curves.items()
    ]
    frames, names = len(clip.times()), str(convention_of(tuple(clip.curves)))
    console.print(
        f"[bold]{plain(name)}[/]: a clip of weights, {clip.end - clip.start:.2f} s, {frames:,} frames, "
        f"{clip.rate:g} a second, {len(rows)} curves; names: {names}"
    )
    table = Table(box=None, header_style="dim")
    table.add_column("curve", overflow="fold")
    for title in ("keys", "lowest", "highest"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(plain(str(row["name"])), f"{row['keys']:,}", f"{row['low']:.3g}", f"{row['high']:.3g}")
    console.print(table)
    return {
        "file": name,
        "kind": "clip",
        "seconds": clip.end - clip.start,
        "frames": frames,
        "rate": clip.rate,
        "names": names,
        "curves": rows,
    }


def show_take(console: Console, name: str, take: Take) -> dict[str, object]:
    """Show the markers of a take; returns the same for JSON."""
    seen = np.isfinite(take.positions[..., 0])
    shares = seen.mean(axis=0) if len(seen) else np.zeros(len(take.names))
    rows = [{"name": marker, "seen": float(share)} for marker, share in zip(take.names, shares, strict=True)]
    console.print(
        f"[bold]{plain(name)}[/]: a take of markers, {len(take) / take.rate:.2f} s, {len(take):,} frames, "
        f"{take.rate:g} a second, {len(rows)} markers, in {take.unit}; {seen.mean() if seen.size else 0:.1%} seen"
    )
    table = Table(box=None, header_style="dim")
    table.add_column("marker", overflow="fold")
    table.add_column("seen", justify="right", no_wrap=True)
    for row in rows:
        table.add_row(plain(str(row["name"])), f"{row['seen']:.1%}")
    console.print(table)
    for note in take.notes:
        console.print(f"[yellow]{plain(note)}[/]")
    return {
        "file": name,
        "kind": "take",
        "seconds": len(take) / take.rate,
        "frames": len(take),
        "rate": take.rate,
        "unit": take.unit,
        "markers": rows,
        "notes": list(take.notes),
    }
