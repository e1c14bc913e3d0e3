"""The steps of a registration: fitting the mesh of a face onto another of any topology, or onto a scan."""
