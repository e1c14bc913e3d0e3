"""Joshi, Tien, Desbrun and Pighin 2003, sec. 2 and 4: regions of three faces, their borders, and how the time grows."""

from time import process_time

import numpy as np
from tools.experiments import border_roughness
from tools.experiments.faces import SHARED, faces
from tools.experiments.region_pictures import THRESHOLDS, coarse_to_fine, levels, printed_rule, sweep, thresholds
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.mesh.topology import Topology
from facewright.regions.region_evaluator import RegionEvaluator, region_weights
from facewright.regions.segment import METHODS
from facewright.regions.vertex_statistics import vertex_areas
from facewright.samples import mask

SIZES = (3_000, 10_000, 30_000, 100_000, 200_000)
SWEEP = (0.1, 0.25, 0.5, 0.75, 0.9)
LIVELY = ("mouthSmile", "jawOpen", "cheekPuff", "noseSneer", "mouthLeft", "eyeBlink", "browInnerUp")


def results() -> Results:
    every = all_faces()
    tables = {
        "regions": counts(every),
        "region-rule": rule(every),
        "region-borders": borders(every),
        "region-roughness": border_roughness.table(every),
        "region-growth": growth(),
    }
    pictures = {f"regions-{name.replace(' ', '-').lower()}.png": thresholds(rig) for name, rig in every.items()}
    pictures |= {"regions-printed.png": printed_rule(every), "regions-sweep.png": sweep(every, SWEEP)}
    if "ICT face" in every:
        pictures["regions-smooth.png"] = border_roughness.picture(every["ICT face"])
    head = every["embedded head"]
    return Results(
        "regions.md",
        tables,
        pictures | {"regions-levels.png": levels(head), "regions-editing.png": coarse_to_fine(head)},
    )


def all_faces() -> dict[str, fw.Rig]:
    """The embedded head, and the faces that lie beside the checkout."""
    every = faces()
    path = SHARED / "facecap" / "facecap_decoded.glb"
    return every | ({"Face Cap": fw.load(path)} if path.is_file() else {})


def counts(every: dict[str, fw.Rig]) -> str:
    rows = []
    for name, rig in every.items():
        for t in THRESHOLDS:
            start = process_time()
            regions = fw.segment(rig, threshold=t)
            seconds = process_time() - start
            sizes = ", ".join(str(len(regions.nodes(level))) for level in range(1, regions.levels))
            size = f"{rig.vertex_count} x {len(rig.shapes)}"
            rows.append([name, size, f"{t:g}", regions.count, sizes, f"{seconds:.2f} s"])
    return markdown(["face", "vertices x shapes", "t", "regions", "at further levels", "processor time"], rows)


def rule(every: dict[str, fw.Rig]) -> str:
    """Regions by the paper's own rule for a sweep of t, and ours: how many, and what the largest takes."""
    rows = []
    for name, rig in every.items():
        areas = vertex_areas(rig)
        for method in METHODS:
            found = [fw.segment(rig, threshold=t, method=method) for t in SWEEP]
            largest = [np.bincount(regions.labels(), areas).max() for regions in found]
            cells = [f"{regions.count} / {share:.0%}" for regions, share in zip(found, largest, strict=True)]
            rows.append([name, "in print" if method == "threshold" else "ours", *cells])
    return markdown(["face", "rule", *(f"t = {t:g}" for t in SWEEP)], rows)


def borders(every: dict[str, fw.Rig]) -> str:
    """How steep a face is at the border of a region that alone is posed, beside the steepest place of the shape."""
    rows = []
    for name, rig in every.items():
        for kind, regions in (("as found", fw.segment(rig)), ("cut without overlap", _cut(fw.segment(rig)))):
            steep = steepness(rig, regions)
            rows.append([name, kind, f"{np.median(steep):.2f}", f"{np.percentile(steep, 95):.2f}", f"{max(steep):.2f}"])
    return markdown(["face", "regions", "median", "95 % below", "worst"], rows)


def steepness(rig: fw.Rig, regions: fw.Regions) -> list[float]:
    evaluate = RegionEvaluator(rig, regions)
    a, b = Topology(rig.polygons, rig.vertex_count).edges.T
    lengths = np.linalg.norm(rig.neutral[a] - rig.neutral[b], axis=1)
    border = regions.labels()[a] != regions.labels()[b]
    found = []
    for slider in (name for name in rig.sliders if name.startswith(LIVELY)):
        moved = fw.evaluate(rig, {slider: 1.0}) - rig.neutral
        inside = (np.linalg.norm(moved[a] - moved[b], axis=1) / lengths).max()
        for region in regions.names_at():
            local = evaluate(region_weights(rig, regions, None, {region: {slider: 1.0}})) - rig.neutral
            if np.linalg.norm(local, axis=1).max() > 0.1 * np.linalg.norm(moved, axis=1).max():
                steep = np.linalg.norm(local[a] - local[b], axis=1) / lengths
                found.append(float(steep[border].max() / inside))
    return found


def _cut(regions: fw.Regions) -> fw.Regions:
    """The same regions with hard borders."""
    hard = np.eye(regions.count)[:, regions.labels()]
    return fw.Regions(hard, regions.names, regions.parents, regions.first)  # type: ignore[arg-type]


def growth() -> str:
    rows = []
    for vertices in SIZES:
        rig = mask(vertices=vertices, shapes=57, seed=1)
        start = process_time()
        regions = fw.segment(rig)
        seconds = process_time() - start
        rows.append([f"{vertices:,} x 57", regions.count, f"{seconds:.2f} s", f"{1e6 * seconds / vertices:.0f} µs"])
    return markdown(["vertices x shapes", "regions", "processor time", "a vertex"], rows)
