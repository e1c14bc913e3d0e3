"""One update of a drag beside general solvers of the same problem. In print (Cetinaslan 2017, table 1) 9.9 to 19 ms."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import cycle

import numpy as np
import osqp
import scipy.sparse as sp
from scipy.optimize import lsq_linear

import facewright as fw
from bench.row import Row, compare
from facewright.pose.drag import Drag
from facewright.samples import mask
from facewright.terms.preferences import Few, Quiet, Relief, StayNear
from facewright.terms.prior_evidence import PosePrior

VERTICES, PINS, STEPS = 9409, 8, 400
GOALS = {52: "at most 0.3 ms; in print 9.9 to 19", 150: "at most 1.5 ms; in print 9.9 to 19"}

Solver = Callable[[np.ndarray], np.ndarray]  # targets (k, 3) to the answer
LeastSquares = Callable[[np.ndarray], np.ndarray]  # b to x


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
    yield from natural()
    yield one_pin()
    yield bent()
    yield many()


@dataclass(frozen=True, eq=False)
class Case:
    """Pins that go in small steps to where a hidden pose has them, and a little further."""

    rig: fw.Rig
    start: np.ndarray  # (n,)
    vertices: np.ndarray  # (k,)
    drag: Drag
    path: list[np.ndarray]  # of targets (k, 3)

    @classmethod
    def of(cls, rig: fw.Rig, *, posed: bool = False, method: str = "bounded", prior: fw.Prior | None = None) -> "Case":
        rng = np.random.default_rng(2)
        n = len(rig.sliders)
        start = rng.uniform(0.1, 0.9, n) * (rng.uniform(size=n) < 0.3 * posed)
        goal = np.clip(start + rng.uniform(-1, 1, n) * (rng.uniform(size=n) < 0.1), 0, 1)
        places = fw.evaluate(rig, start)
        way = fw.evaluate(rig, goal) - places
        moved = np.linalg.norm(way, axis=1)
        vertices = rng.choice(len(moved), PINS, replace=False, p=moved / moved.sum())
        pins = [fw.Pin(vertex=int(v), target=places[v]) for v in vertices]
        drag = fw.PoseSolver(rig, prior=prior).drag(pins, start, method)
        path = [places[vertices] + share * way[vertices] for share in np.linspace(0, 1.2, STEPS)]
        return cls(rig, start, vertices, drag, path)

    def solvers(self) -> dict[str, Solver]:
        """General solvers of the same problem, as min |A x - b|^2 with 0 <= x <= ends, twice for each update."""
        problem = Split.of(self)
        A, ends = problem.A, problem.ends
        ways: dict[str, LeastSquares] = {
            "scipy lsq_linear, trf": lambda b: lsq_linear(A, b, (0, ends)).x,
            "scipy lsq_linear, bvls": lambda b: lsq_linear(A, b, (0, ends), method="bvls").x,
            "osqp to 1e-6, warm": by_osqp(A, ends),
        }
        return {name: partial(problem.answer, way) for name, way in ways.items()}


@dataclass(frozen=True, eq=False)
class Split:
    """A drag's problem with every slider split into its way up and its way down, h of them, each 0 or more."""

    places: np.ndarray  # (k, 3)
    A: np.ndarray  # (3k + h, h)
    ends: np.ndarray  # (h,)
    columns: np.ndarray  # (h,) how far each moves the pins
    price: np.ndarray  # (h,) for a typical wanted motion of 1

    @classmethod
    def of(cls, case: Case) -> "Split":
        B = fw.jacobian(case.rig, case.start, case.vertices).reshape(3 * PINS, -1)
        amount = np.linalg.norm(fw.jacobian(case.rig, case.start), axis=(0, 1))
        amount, columns = np.maximum(amount / amount.max(), 1e-2), np.linalg.norm(B, axis=0)
        ridge = StayNear().stiffness * np.linalg.norm(B, 2) ** 2 * amount**2
        price = Few().share * columns + Quiet().price_of_motion * columns.max() * amount
        ends = np.concatenate([1 - case.start, case.start])
        open = ends > 0
        ridge, price, columns = (np.tile(each, 2)[open] for each in (ridge, price, columns))
        A = np.vstack([np.hstack([B, -B])[:, open], np.diag(np.sqrt(ridge))])
        return cls(case.drag.places, A, ends[open], columns, price)

    def answer(self, solve: LeastSquares, targets: np.ndarray) -> np.ndarray:
        """Both passes: all sliders at their price, then those in use with relief."""
        m = targets - self.places
        lengths = np.linalg.norm(m, axis=1)
        length, typical = np.linalg.norm(lengths) or 1.0, (lengths**2).sum() / (lengths.sum() or 1.0)
        first = solve(self._wanted(m, typical * self.price))
        return solve(self._wanted(m, typical * self.price * Relief().factors(first * self.columns / length)))

    def _wanted(self, m: np.ndarray, price: np.ndarray) -> np.ndarray:
        return np.concatenate([m.ravel(), -price / self.A.diagonal(-m.size)])


def by_osqp(A: np.ndarray, ends: np.ndarray) -> LeastSquares:
    """A compiled QP solver, its factors kept and its last answer its next start, as exact as a drag needs."""
    solver = osqp.OSQP()
    n = len(ends)
    settings = {"verbose": False, "eps_abs": 1e-6, "eps_rel": 1e-6, "max_iter": 20_000}
    eye = sp.csc_matrix(np.eye(n))
    solver.setup(P=sp.csc_matrix(np.triu(A.T @ A)), q=np.zeros(n), A=eye, l=np.zeros(n), u=ends, **settings)

    def solve(b: np.ndarray) -> np.ndarray:
        solver.update(q=-A.T @ b)
        return np.asarray(solver.solve().x)

    return solve


def natural() -> Iterator[Row]:
    """The same by a learned prior, beside the same problem through lsq_linear, its prior given.

    Where one of the pins wanders, each update weighs the prior differently.
    """
    rig, rng = mask(vertices=VERTICES, shapes=52, seed=1), np.random.default_rng(4)
    habits = np.clip(rng.normal(size=(500, 6)) @ rng.normal(size=(6, 52)) / 6, 0, 1)
    prior = fw.Prior.learn(rig, habits)
    case = Case.of(rig, method="natural", prior=prior)
    B = fw.jacobian(rig, case.start, case.vertices).reshape(3 * PINS, -1)
    evidence = PosePrior(rig, prior).about(B, np.arange(52))

    def least_squares(targets: np.ndarray) -> np.ndarray:
        m = (targets - case.drag.places).ravel()
        stacked = np.concatenate([B, np.linalg.cholesky(evidence.precision(m)).T])
        return np.asarray(lsq_linear(stacked, np.concatenate([m, np.zeros(52)]), (0, 1), method="bvls").x)

    for words, path in (("", case.path[1:]), (", one of them wanders", wandering(case))):
        ours, theirs = (partial(next, map(each, cycle(path))) for each in (case.drag.to, least_squares))
        what = f"9.4K x 52, {PINS} pins, natural, learned{words}"
        yield compare(
            "drag update", what, ours, baseline=("scipy lsq_linear, bvls", theirs), repeats=STEPS, goal=GOALS[52]
        )


def wandering(case: Case) -> list[np.ndarray]:
    """Targets of which one goes round where it was, and all others stay halfway."""
    middle = case.path[STEPS // 2]
    reach = np.linalg.norm(middle - case.path[0], axis=1).max()
    path = []
    for turn in np.linspace(0, 2 * np.pi, STEPS, endpoint=False):
        targets = middle.copy()
        targets[0] += 0.5 * reach * np.array([np.cos(turn), np.sin(turn), 0.3 * np.sin(3 * turn)])
        path.append(targets)
    return path


def one_pin() -> Row:
    """A single pin, which is dragged as a hand does, beside all pins of the same drag."""
    case = Case.of(mask(vertices=VERTICES, shapes=52, seed=1))
    pin = fw.Pin(vertex=int(case.vertices[0]), target=case.path[0][0])
    alone = fw.PoseSolver(case.rig).drag([pin], case.start)
    ours = partial(next, map(alone.to, cycle([targets[:1] for targets in case.path])))
    theirs = partial(next, map(case.drag.to, cycle(case.path)))
    return compare(
        "drag update", "9.4K x 52, one pin", ours, baseline=(f"{PINS} pins", theirs), repeats=STEPS, goal=GOALS[52]
    )


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


def many() -> Row:
    """A rig with 5,000 sliders, each of which moves a small part of the face, beside one with 52."""
    rigs = [local_rig(shapes) for shapes in (5000, 52)]
    cases = [Case.of(rig) for rig in rigs]
    ours, theirs = (partial(next, map(case.drag.to, cycle(case.path))) for case in cases)
    goal = "at most 100 ms"
    return compare("drag update", "2.5K x 5000", ours, baseline=("with 52 sliders", theirs), repeats=STEPS, goal=goal)


def local_rig(shapes: int) -> fw.Rig:
    """The neutral mask with random shapes that each move a tenth of it."""
    neutral, rng = mask(vertices=2500, shapes=1, seed=1), np.random.default_rng(3)
    found = []
    for number in range(shapes):
        away = np.linalg.norm(neutral.neutral - neutral.neutral[rng.integers(neutral.vertex_count)], axis=1)
        moved = np.sort(np.argsort(away)[: neutral.vertex_count // 10])
        share = 1 - away[moved, None] / away[moved].max()
        found.append(fw.Shape(f"shape {number}", moved, 0.05 * neutral.size * share * rng.normal(size=3)))
    return fw.Rig(neutral.neutral, neutral.polygons, found)
