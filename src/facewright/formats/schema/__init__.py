"""One msgspec struct per value: what a pin, curve, clip, region or texture is in a file, a journal or a message."""
