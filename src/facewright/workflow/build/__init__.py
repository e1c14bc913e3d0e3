"""Building a rig from a template, a neutral face and example poses of any topology."""
