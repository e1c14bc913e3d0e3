"""Run in a process of its own, with usd-core: finds what a face needs on the stage of a USD file.

    python -m facewright.formats.usd_stage SECONDS MEMORY read FILE OUT BYTES
    python -m facewright.formats.usd_stage SECONDS MEMORY pack FILE.usda OUT.usdc

It imports neither numpy nor the rest of the library, so that it starts quickly.
"""
