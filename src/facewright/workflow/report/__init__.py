"""HTML reports: of a rig, a build, a solved take and a registration."""
