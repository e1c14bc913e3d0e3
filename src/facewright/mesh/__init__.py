"""Meshes: polygons, normals, closest points, symmetry, texels. Nothing here is specific to faces."""
