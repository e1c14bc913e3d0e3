"""VRM: avatars in glTF files, versions 0.x and 1.0. Their expressions are the document's, all else is carried."""
