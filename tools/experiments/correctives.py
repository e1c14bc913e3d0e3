"""Takes and whole meshes on rigs with correctives: tables of docs/capture.md, by the benchmarks of these names."""

from bench.correctives import inverse_rig, takes
from bench.correctives.production import FOLDER
from tools.experiments.result import Results


def results() -> Results:
    if not FOLDER.is_dir():
        raise SystemExit("the production rig is not beside the checkout: docs/capture.md stays as it is")
    return Results("capture.md", {"capture-correctives": takes.table(), "capture-inverse-rig": inverse_rig.table()})
