"""What `make demo` shows, a scene a file; all of it from the embedded heads alone."""
