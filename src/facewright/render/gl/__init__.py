"""Pictures on a graphics card, or on a GL library that does without one: the same as the rasteriser's, sooner."""
