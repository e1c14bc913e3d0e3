"""Pictures as arrays and as files' bytes, with no idea of a face."""
