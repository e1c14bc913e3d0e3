"""Meshes, nodes, texture coordinates and normals of a glTF file."""
