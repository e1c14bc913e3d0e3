"""How well a built rig meets its examples, as one HTML page."""
