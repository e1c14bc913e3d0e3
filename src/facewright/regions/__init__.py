"""Regions of a face: found from how its shapes deform it, posed each for itself."""
