"""One update of a drag beside general solvers of the same problem. In print (Cetinaslan 2017, table 1) 9.9 to 19 ms."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import cycle

import numpy as np
import osqp  # type: ignore[import-untyped]
import scipy.sparse as sp
from scipy.optimize import lsq_linear

import facewright as fw
from bench.row import Row, compare
from facewright.pose.drag import Drag
from facewright.pose.terms import Few, Quiet, StayNear
from facewright.samples import mask

VERTICES, PINS, STEPS = 9409, 8, 400
GOALS = {52: "at most 0.3 ms; in print 9.9 to 19", 150: "at most 1.5 ms; in print 9.9 to 19"}

Solver = Callable[[np.ndarray], object]
Wanted = Callable[[np.ndarray], np.ndarray]


def rows() -> Iterator[Row]:
    for shapes, goal in GOALS.items():
        rig = mask(vertices=VERTICES, shapes=shapes, seed=1)
        for place in ("rest", "a pose"):
            case = Case.of(rig, posed=place == "a pose")
            for name, solver in case.solvers().items():
                ours, theirs = cycle(case.path), cycle(case.path)
                yield compare(
                    "drag update",
                    f"9.4K x {shapes}, {PINS} pins, from {place}",
                    partial(next, map(case.drag.to, ours)),
                    baseline=(name, partial(next, map(solver, theirs))),
                    repeats=STEPS if name.startswith("osqp") else STEPS // 8,
                    goal=goal,
                )
    yield bent()


@dataclass(frozen=True, eq=False)
class Case:
    """Pins that go in small steps to where a hidden pose has them, and a little further."""

    rig: fw.Rig
    start: np.ndarray  # (n,)
    vertices: np.ndarray  # (k,)
    drag: Drag
    path: list[np.ndarray]  # of targets (k, 3)

    @classmethod
    def of(cls, rig: fw.Rig, *, posed: bool = False) -> "Case":
        rng = np.random.default_rng(2)
        n = len(rig.sliders)
        start = rng.uniform(0.1, 0.9, n) * (rng.uniform(size=n) < 0.3 * posed)
        goal = np.clip(start + rng.uniform(-1, 1, n) * (rng.uniform(size=n) < 0.1), 0, 1)
        places = fw.evaluate(rig, start)
        way = fw.evaluate(rig, goal) - places
        moved = np.linalg.norm(way, axis=1)
        vertices = rng.choice(len(moved), PINS, replace=False, p=moved / moved.sum())
        drag = fw.PoseSolver(rig).drag([fw.Pin(vertex=int(v), target=places[v]) for v in vertices], start)
        path = [places[vertices] + share * way[vertices] for share in np.linspace(0, 1.2, STEPS)]
        return cls(rig, start, vertices, drag, path)

    def solvers(self) -> dict[str, Solver]:
        """General solvers of min |A x - b|^2, 0 <= x <= ends: every slider split into its way up and its way down."""
        B = fw.jacobian(self.rig, self.start, self.vertices).reshape(3 * PINS, -1)
        amount = np.linalg.norm(fw.jacobian(self.rig, self.start), axis=(0, 1))
        amount, columns = np.maximum(amount / amount.max(), 1e-2), np.linalg.norm(B, axis=0)
        ridge = StayNear().stiffness * np.linalg.norm(B, 2) ** 2 * amount**2
        price = Few().share * columns + Quiet().price_of_motion * columns.max() * amount
        ends = np.concatenate([1 - self.start, self.start])
        open = ends > 0
        A = np.vstack([np.hstack([B, -B]), np.diag(np.sqrt(np.tile(ridge, 2)))])[:, open]
        low = np.tile(price / np.sqrt(ridge), 2)

        def wanted(targets: np.ndarray) -> np.ndarray:
            m = (targets - self.drag.places).ravel()
            return np.concatenate([m, -np.linalg.norm(m) * low])

        found: dict[str, Solver] = {
            "scipy lsq_linear, trf": lambda targets: lsq_linear(A, wanted(targets), (0, ends[open])),
            "scipy lsq_linear, bvls": lambda targets: lsq_linear(A, wanted(targets), (0, ends[open]), method="bvls"),
        }
        return found | {"osqp, warm": by_osqp(A, ends[open], wanted)}


def by_osqp(A: np.ndarray, ends: np.ndarray, wanted: Wanted) -> Solver:
    """A compiled QP solver, its factors kept and its last answer its next start, as exact as a drag needs."""
    solver = osqp.OSQP()
    n = len(ends)
    solver.setup(
        P=sp.csc_matrix(np.triu(A.T @ A)),
        q=np.zeros(n),
        A=sp.csc_matrix(np.eye(n)),
        l=np.zeros(n),
        u=ends,
        verbose=False,
        eps_abs=1e-6,
        eps_rel=1e-6,
        max_iter=20_000,
    )

    def solve(targets: np.ndarray) -> object:
        solver.update(q=-A.T @ wanted(targets))
        return solver.solve().x

    return solve


def bent() -> Row:
    """A rig with in-betweens and combinations: Gauss-Newton, beside the same rig without them."""
    plain = mask(vertices=VERTICES, shapes=52, seed=1)
    names = plain.sliders
    halves = [fw.Shape(f"{s.name} half", s.vertices, 0.6 * s.offsets, (s.name,), 0.5) for s in plain.shapes[::4]]
    pairs = [
        fw.Shape(f"{a.name} {b.name}", a.vertices, 0.3 * a.offsets, (a.name, b.name))
        for a, b in zip(plain.shapes[:40], plain.shapes[12:], strict=False)
    ]
    rig = fw.Rig(plain.neutral, plain.polygons, (*plain.shapes, *halves, *pairs), sliders=names)
    cases = [Case.of(each) for each in (rig, plain)]
    ours, theirs = (partial(next, map(case.drag.to, cycle(case.path))) for case in cases)
    what = f"9.4K x 52 with {len(halves)} in-betweens and {len(pairs)} pairs"
    return compare("drag update", what, ours, baseline=("the same rig without", theirs), repeats=STEPS // 4)
