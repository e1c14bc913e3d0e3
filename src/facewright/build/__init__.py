"""Examples to rig: a template's shapes on another face, and a few poses that say how that face really moves."""
