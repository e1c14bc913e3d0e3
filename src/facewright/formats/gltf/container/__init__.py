"""The parts that a glTF file consists of: its JSON, its buffer, extensions and extras, each checked before use."""
