"""KTX 2.0 files: the first level of a flat picture, unpacked to bytes. After Khronos' specifications."""
