"""A document being worked on: history, gestures, commands, warm solvers. No screen, no socket, no path."""
