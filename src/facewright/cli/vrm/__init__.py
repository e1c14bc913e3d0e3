"""The verbs of `facewright vrm`."""
