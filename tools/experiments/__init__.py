"""The experiments of the papers, and our own: a module's `results()` gives tables and pictures of a page in docs/."""
