"""Writing a document: into the glTF file it was opened from, or as a new one."""
