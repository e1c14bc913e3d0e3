"""Documents as binary FBX 7.5."""
