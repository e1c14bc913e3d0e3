"""What is on a stage, as parts of a rig, clips and materials."""
