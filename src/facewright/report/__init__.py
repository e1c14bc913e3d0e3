"""What a rig holds, and what is wrong with it."""
