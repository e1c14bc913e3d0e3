"""What a face can do."""
