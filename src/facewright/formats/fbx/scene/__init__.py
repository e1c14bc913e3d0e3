"""What the nodes of an FBX file mean: objects, their places, meshes, shapes, materials and animation."""
