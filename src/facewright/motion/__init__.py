"""Motion: curves, clips and recorded takes. Nothing here is specific to rigs."""
