"""Measured figures, one task a file, each beside a named baseline of the same run."""
