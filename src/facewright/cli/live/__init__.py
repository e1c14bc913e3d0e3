"""Verbs of `facewright live`."""
