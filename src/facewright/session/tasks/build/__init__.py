"""Checking, registering and solving the build plan in the background."""
