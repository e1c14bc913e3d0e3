"""How the embedded head is made; `tools/bake_sample.py` runs it."""
