"""Run by a Python that has Blender's `bpy` alone: install the extension, use it, and remove it.

    python install.py EXTENSION.zip

Prints one line of JSON.
"""

import importlib.util
import json
import os
import sys
from typing import Any

import bpy

OURS = ("facewright", "scipy", "daqp", "msgspec")


def there() -> list[str]:
    return [name for name in OURS if name not in sys.modules and importlib.util.find_spec(name) is not None]


def main() -> None:
    found: dict[str, Any] = {"before": there()}
    bpy.ops.preferences.addon_enable(module="bl_pkg")
    bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
    import facewright

    found["facewright"] = facewright.__file__
    bpy.ops.facewright.add_head()
    head = bpy.context.active_object
    found["keys"] = len(head.data.shape_keys.key_blocks) - 1
    bpy.ops.facewright.drag(triangle=2000, offset=(0, 0, -0.01))
    found["values"] = {block.name: block.value for block in list(head.data.shape_keys.key_blocks)[1:] if block.value}
    bpy.ops.preferences.addon_disable(module="bl_ext.user_default.facewright")
    found["after"] = [name for name in dir(bpy.types.Scene) + dir(bpy.types.Object) if name.startswith("facewright")]
    print(json.dumps(found), flush=True)
    os._exit(0)  # Blender as a module may hang when it ends


if __name__ == "__main__":
    main()
