"""Bytes to documents and back, one format a file, each stating what it loses."""
