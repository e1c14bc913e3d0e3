"""Recorded markers on a face, turned into a clip of a rig's sliders."""
