"""Numbers only: solvers that know no face."""
