"""One command a file: a function of the file's name. The first line of the file's docstring is shown in the list."""
