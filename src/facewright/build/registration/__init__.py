"""Laying one face's mesh onto another of any topology, or onto a scan."""
