"""Reports on a rig: its contents, its defects, and which of its sliders and shapes interfere."""
