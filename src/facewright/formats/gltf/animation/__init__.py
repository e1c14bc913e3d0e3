"""Weight animations and head motion as clips, and back."""
