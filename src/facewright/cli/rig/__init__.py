"""The verbs of `facewright rig`, each a function that reads a rig, edits it and writes it."""
