"""Materials, images and textures of a glTF file."""
