"""Faces in notebooks: the studio's viewer as a widget, for Jupyter and marimo."""
