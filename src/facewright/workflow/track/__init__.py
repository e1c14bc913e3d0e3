"""Following a face from files."""
