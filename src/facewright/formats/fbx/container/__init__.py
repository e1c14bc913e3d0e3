"""The node tree of an FBX file, binary or text."""
