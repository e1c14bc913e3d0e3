"""Values over time, with no idea of a rig."""
