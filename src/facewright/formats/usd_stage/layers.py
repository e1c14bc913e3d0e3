"""The layers of a file: all that it may compose is looked at before the stage is, and has to be in its folder."""

from __future__ import annotations

import os
import re
import stat
from typing import Any

from pxr import Ar, Sdf, Tf, Usd

from facewright.errors import BadFile

_MOST_LAYERS = 500
_SAID = re.compile(r" : '(.*)", re.DOTALL)  # after the names of a function and a file
_RULE = re.compile(r"parse error matching \S+.*", re.DOTALL)  # the name of a rule of the grammar
_PLACE = re.compile(r":?(\d+):(\d+): ")
_FLATTENED = "; `usdcat --flatten` makes one file of all"


def open_stage(path: str) -> tuple[Any, list[str]]:
    """The stage of a file, and the paths of its layers."""
    try:
        layers, opened = _layers(path)  # layers that are kept are not read a second time
        stage = Usd.Stage.Open(path)
        del opened
    except Tf.ErrorException as problem:
        raise BadFile(f"usd-core cannot read it: {in_words(problem, path)}") from None
    if stage is None:
        raise BadFile("usd-core finds no stage in it")
    return stage, layers


def _layers(path: str) -> tuple[list[str], list[Any]]:
    """Paths of the layers that a file refers to, its own first, and the layers; one out of its folder is refused."""
    folder = os.path.realpath(os.path.dirname(path))
    waiting, found, opened = [path], {path: None}, []
    while waiting:
        layer = Sdf.Layer.FindOrOpen(waiting.pop(0))
        if layer is None:
            continue  # the stage says so, or does without it
        opened.append(layer)
        _refuse_clips(layer)
        for name in layer.GetCompositionAssetDependencies():
            if name.startswith("`"):
                raise BadFile(f"it names a layer by an expression, {name[:80]!r}, which is not read{_FLATTENED}")
            full = layer.ComputeAbsolutePath(name)
            if full in found:
                continue
            if len(found) >= _MOST_LAYERS:
                raise BadFile(f"it refers to more than {_MOST_LAYERS} layers{_FLATTENED}")
            found[full] = None
            _check_inside(name, full, folder)
            waiting.append(full)
    return [one for one in found if not Ar.IsPackageRelativePath(one)], opened


def _check_inside(name: str, full: str, folder: str) -> None:
    """Refuse a layer that is not an ordinary file in the folder of the first, or in a package there."""
    outer = Ar.SplitPackageRelativePathOuter(full)[0] if Ar.IsPackageRelativePath(full) else full
    real = os.path.realpath(outer)
    if not os.path.isabs(outer) or os.path.commonpath([real, folder]) != folder:
        raise BadFile(f"it refers to the layer {name[:200]!r}, which is not in its folder{_FLATTENED}")
    if os.path.exists(real) and not stat.S_ISREG(os.stat(real).st_mode):
        raise BadFile(f"it refers to {name[:200]!r}, which is no ordinary file")


def _refuse_clips(layer: Any) -> None:
    """Value clips name further files, which would be opened when a value is asked for."""
    found = []

    def look(path: Any) -> None:
        if path.IsPrimPath() and layer.GetPrimAtPath(path).HasInfo("clips"):
            found.append(path)

    layer.Traverse(Sdf.Path.absoluteRootPath, look)
    if found:
        raise BadFile(f"{found[0]}: value clips, which are in files of their own, are not read{_FLATTENED}")


def in_words(problem: BaseException, path: str) -> str:
    """What an error of usd-core says, without the names of its functions and files."""
    text = str(problem) or type(problem).__name__
    said = _SAID.search(text)
    first = (said[1] if said else text).partition("\n")[0]
    words = _RULE.sub("it cannot be parsed", first).replace(path, "")
    place = _PLACE.match(words)
    if place:
        words = f"line {place[1]}, column {place[2]}: {words[place.end() :]}"
    return " ".join(words.split())[:200].rstrip(" .'")
