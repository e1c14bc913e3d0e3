"""The GL renderer: the steps of the software renderer as passes over the picture."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.render import cpu
from facewright.render.camera import Camera
from facewright.render.gl.context import context
from facewright.render.gl.corner_buffer import LAYOUT, NAMES, CornerBuffer, material_table
from facewright.render.gl.program import BLUR, program, put
from facewright.render.gl.targets import Targets
from facewright.render.material import ShadingMaterial
from facewright.render.mipmap import Mipmap
from facewright.render.occlusion import BLUR as BLUR_CELLS
from facewright.render.occlusion import TAPS, room_taps
from facewright.render.sample_grid import SampleGrid
from facewright.render.shade import direction
from facewright.render.shadow import FLAT, light_camera, map_size, slack_of, taps
from facewright.render.shot import HOLLOW, Shot
from facewright.render.tone import Backdrop, Bytes, backdrop_bytes, backdrop_light, dither
from facewright.render.window import Window, window_of
from facewright.render.wire import line_width

Shift = Floats | tuple[float, float]  # (2,) of samples, in half pictures

_TOGETHER = 4  # samples of a pixel that are drawn at once
_BORDER = 8  # pixels around the visible part that the passes read


def draw(shot: Shot) -> Bytes:
    """The picture (h, w, 3), or (h, w, 4) without a background."""
    if shot.scene.translucent.any():  # its layers are found by the software renderer alone
        return cpu.draw(shot)
    return prepared().draw(shot.before_camera())


def prepared() -> Renderer:
    """The renderer of the thread; raises an error with the reason if there is no GL or it rejects the shaders."""
    found = context()
    if found.extra is None:
        try:
            found.extra = Renderer(found)
        except Exception as problem:  # drivers raise errors of their own
            raise BadValue(f"GL is here but cannot draw faces ({problem}); --renderer cpu draws the same") from problem
    renderer: Renderer = found.extra
    return renderer


class Renderer:
    """Programs and textures of one context."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._away = program(context, "scene.vert", "away.frag")
        self._first = program(context, "scene.vert", "normal.glsl", "lamps.glsl", "first.frag")
        self._surface = program(context, "scene.vert", "normal.glsl", "surface.frag")
        names = ("smooth", "room", "blur", "add", "develop")
        self._whole = {name: program(context, "whole.vert", f"{name}.frag") for name in names}
        self._over = {name: context.vertex_array(made, []) for name, made in self._whole.items()}
        self._targets: Targets | None = None
        self._textures: WeakKeyDictionary[Mipmap, Any] = WeakKeyDictionary()
        self._grain = context.texture((8, 8), 1, dither(3).astype("f4").tobytes(), dtype="f4")
        context.front_face = "cw"  # rows go down

    def draw(self, shot: Shot) -> Bytes:
        """Draw a shot that is given in camera coordinates."""
        most = int(self._context.info["GL_MAX_TEXTURE_SIZE"])
        if max(shot.size) > most:
            raise BadValue(f"this GL draws at most {most} pixels across, not {max(shot.size)}; --renderer cpu does")
        self._shot, self._to = shot, self._targets_for(shot)
        self._window = window_of(shot.camera, shot.scene.positions, shot.size, 8 * shot.cell)
        corners = CornerBuffer.of(shot)
        if not len(corners.values):
            return _over_backdrop(shot, None, self._window)
        buffer = self._context.buffer(corners.values.tobytes())
        self._drawn = {
            made: self._context.vertex_array(made, [(buffer, LAYOUT, *NAMES)], skip_errors=True)
            for made in (self._away, self._first, self._surface)
        }
        self._lamps()
        self._first_look()
        self._smooth()
        self._room()
        self._samples(corners)
        return _over_backdrop(shot, self._developed(), self._window)

    def _targets_for(self, shot: Shot) -> Targets:
        # Four samples have the same places on every card as in the software renderer; other numbers may not.
        together = shot.samples == _TOGETHER <= self._context.max_samples and not shot.wire
        wanted = (shot.size, shot.cell, map_size(max(shot.size)), _TOGETHER if together else 0)
        if self._targets is None or self._targets.kind != wanted:
            self._targets = Targets(self._context, *wanted)
        return self._targets

    def _lamps(self) -> None:
        """Draw what each lamp sees, and set the uniforms for looking it up."""
        shot, across = self._shot, self._to.across
        cameras = [light_camera(direction(lamp, shot.camera.axes), shot.in_view()) for lamp in shot.studio.lamps]
        self._context.enable_only(self._context.DEPTH_TEST)
        for camera, target in zip(cameras, self._to.lamps, strict=True):
            target.use()
            target.clear(1e30, depth=1.0)
            self._look_from(self._away, camera, (across, across))
            self._drawn[self._away].render()
        known = {
            "lamp_axes": np.stack([camera.axes.T for camera in cameras]),
            "lamp_eye": np.stack([camera.eye for camera in cameras]),
            "lamp_scale": np.array([across / (2 * camera.half_height) for camera in cameras]),
            "lamp_slack": np.array([slack_of(camera) for camera in cameras]),
            "taps": np.moveaxis(taps(), 0, 2),
        }
        put(self._first, lamp_across=across, **known)
        for i, map in enumerate(self._to.maps):
            self._bind(self._first, f"lamp_map{i}", map, i)

    def _first_look(self) -> None:
        self._nearest_first(self._to.first)
        self._to.clear_first()
        self._to.first.use()
        self._look_from(self._first, self._shot.camera, self._shot.size)
        self._drawn[self._first].render()
        self._context.depth_func = "<"

    def _smooth(self) -> None:
        made, to = self._whole["smooth"], self._to
        put(made, flat_step=FLAT * self._shot.scene.radius)
        for target, sums, depths, along in (
            (to.sideways, to.lit, to.depths, (1, 0)),
            (to.calm, to.across_sums, to.across_depths, (0, 1)),
        ):
            put(made, along=along, last=target is to.calm)
            self._bind(made, "sums", sums, 0)
            self._bind(made, "depths", depths, 1)
            self._pass("smooth", target)

    def _room(self) -> None:
        made, to, shot = self._whole["room"], self._to, self._shot
        reach = HOLLOW * shot.scene.radius * shot.scale
        steps = np.array(room_taps(reach / shot.cell), np.int32).reshape(-1, 2)
        padded = np.zeros((TAPS, 2), np.int32)
        padded[: len(steps)] = steps
        put(made, cell=shot.cell, scale=shot.scale, reach=reach, count=len(steps), taps=padded)
        self._bind(made, "place", to.place, 0)
        self._bind(made, "normal", to.normal, 1)
        self._pass("room", to.room_drawn, whole=True)
        blur = self._whole["blur"]
        bell = np.exp(-0.5 * (np.arange(BLUR + 1) / BLUR_CELLS) ** 2)
        put(blur, weights=bell / (2 * bell.sum() - bell[0]))
        for target, given, along in ((to.room_blurred, to.room, (1, 0)), (to.room_drawn, to.blurred, (0, 1))):
            put(blur, along=along, last=target is to.room_drawn)
            self._bind(blur, "given", given, 0)
            self._pass("blur", target, whole=True)

    def _samples(self, corners: CornerBuffer) -> None:
        """Draw the light at the samples of the pixels, in groups, and add it up."""
        shot, to, context = self._shot, self._to, self._context
        self._set_surface()
        rounds = shot.samples // max(to.samples, 1)
        places = SampleGrid.of((1, 1), rounds).places()
        to.sum.clear()
        for place in places:
            shift = 2 * (0.5 - place) / shot.size
            self._nearest_first(to.many, shift)
            self._look_from(self._surface, shot.camera, shot.size, shift)
            for material, first, count in corners.runs:
                self._set_maps(material)
                self._drawn[self._surface].render(vertices=count, first=first)
            context.depth_func = "<"
            context.copy_framebuffer(to.resolved, to.many)
            put(self._whole["add"], share=1 / rounds)
            self._bind(self._whole["add"], "given", to.one, 0)
            context.blend_func = context.ONE, context.ONE
            self._pass("add", to.sum, blended=True)

    def _nearest_first(self, target: Any, shift: Shift = (0.0, 0.0)) -> None:
        """Draw depth first, so that only the nearest surface is shaded."""
        self._context.enable_only(self._context.DEPTH_TEST)
        target.use()
        target.clear(depth=1.0)
        target.color_mask = (False,) * 4 if len(target.color_attachments) == 1 else ((False,) * 4,) * 4
        self._look_from(self._away, self._shot.camera, self._shot.size, shift)
        self._drawn[self._away].render()
        target.color_mask = (True,) * 4 if len(target.color_attachments) == 1 else ((True,) * 4,) * 4
        self._context.depth_func = "<="

    def _set_surface(self) -> None:
        shot, to, made = self._shot, self._to, self._surface
        table = material_table(shot.scene)
        self._materials = self._context.texture((3, len(table)), 4, table.tobytes(), dtype="f4")
        lights = (*shot.studio.lamps, shot.studio.catch)
        put(
            made,
            painted=shot.paint is not None,
            wire=shot.wire,
            line_width=line_width(shot.size),
            cell=shot.cell,
            around=9,
            toward=np.stack([direction(light, shot.camera.axes) for light in lights]),
            strength=np.array([light.color for light in lights]),
            sky=shot.studio.sky,
            floor_light=shot.studio.floor,
        )
        self._bind(made, "materials", self._materials, 3)
        self._bind(made, "smoothed", to.smoothed, 4)
        self._bind(made, "room", to.room, 5)
        self._bind(made, "first_place", to.place, 7)
        self._bind(made, "first_lit", to.lit, 8)

    def _set_maps(self, material: ShadingMaterial | None) -> None:
        """Bind the texture of a material, and its maps of slopes and roughness."""
        none = (None, None, None)
        maps = none if material is None else (material.texture, material.slopes, material.roughnesses)
        put(self._surface, textured=maps[0] is not None, bumpy=maps[1] is not None, mapped_rough=maps[2] is not None)
        for name, unit, mipmap in zip(("skin", "bumps", "roughs"), (6, 9, 10), maps, strict=True):
            if mipmap is not None:
                self._bind(self._surface, name, self._texture(mipmap), unit)

    def _texture(self, mipmap: Mipmap) -> Any:
        if mipmap not in self._textures:
            height, width = mipmap.size
            made = self._context.texture((width, height), 3, dtype="f2", alignment=1)
            made.build_mipmaps()
            for number, level in enumerate(mipmap.levels):
                made.write(level.astype(np.float16).tobytes(), level=number, alignment=1)
            made.filter = self._context.LINEAR_MIPMAP_LINEAR, self._context.LINEAR
            made.repeat_x = made.repeat_y = True
            self._textures[mipmap] = made
        return self._textures[mipmap]

    def _developed(self) -> Bytes:
        """The pixels (h, w, 4) of the window."""
        shot, made = self._shot, self._whole["develop"]
        put(made, alone=shot.background is None)
        self._bind(made, "given", self._to.all, 0)
        self._bind(made, "grain", self._grain, 1)
        if shot.background is not None:
            light = backdrop_light(backdrop_of(shot), shot.size)
            self._behind = self._context.texture(shot.size, 3, light.astype("f4").tobytes(), dtype="f4")
            self._bind(made, "backdrop", self._behind, 2)
        self._pass("develop", self._to.out)
        window = self._window
        box = (window.left, window.top, window.width, window.height)
        data = self._to.out.read(viewport=box, components=4, alignment=1)
        return np.frombuffer(data, np.uint8).reshape(window.height, window.width, 4)

    def _look_from(self, made: Any, camera: Camera, size: tuple[int, int], shift: Shift = (0.0, 0.0)) -> None:
        depth = camera.seen(self._shot.scene.positions)[:, 2]
        near = max(camera.near, float(depth.min()))
        far = max(float(depth.max()), near) * 1.01 + 1e-6 * camera.distance
        scale = size[1] / camera.half_height * (camera.distance if camera.perspective else 1.0)
        put(
            made,
            axes=camera.axes.T,
            eye=camera.eye,
            lens=(scale / size[0], scale / size[1]),
            perspective=camera.perspective,
            range=(0.99 * near, far),
            shift=shift,
        )

    def _pass(self, name: str, target: Any, *, whole: bool = False, blended: bool = False) -> None:
        context, window, (width, height) = self._context, self._window, self._shot.size
        context.enable_only(context.BLEND if blended else context.NOTHING)
        target.use()
        left, top = max(window.left - _BORDER, 0), max(window.top - _BORDER, 0)
        right = min(window.left + window.width + _BORDER, width)
        bottom = min(window.top + window.height + _BORDER, height)
        target.scissor = None if whole else (left, top, right - left, bottom - top)
        self._over[name].render(vertices=3)
        target.scissor = None

    def _bind(self, made: Any, name: str, texture: Any, unit: int) -> None:
        texture.use(unit)
        put(made, **{name: unit})


def backdrop_of(shot: Shot) -> Backdrop:
    """The background of a shot as a gradient."""
    color = shot.background
    assert color is not None
    return color if isinstance(color, Backdrop) else Backdrop(color, color)


def _over_backdrop(shot: Shot, pixels: Bytes | None, window: Window) -> Bytes:
    if shot.background is None:
        whole = np.zeros((shot.size[1], shot.size[0], 4), np.uint8)
    else:
        whole = backdrop_bytes(backdrop_of(shot), shot.size).copy()
    if pixels is not None:
        whole[window.rows, window.columns] = pixels[:, :, : whole.shape[2]]
    return whole
