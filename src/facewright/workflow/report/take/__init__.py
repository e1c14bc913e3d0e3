"""The report of a solved take, as one page."""
