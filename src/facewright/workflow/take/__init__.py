"""Solving a take of markers, finishing its clip, and measuring how near a clip comes to a take."""
