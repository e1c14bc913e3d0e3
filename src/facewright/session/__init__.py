"""What is worked on, without a screen: values with their past, edits that change them, views that pages are told."""
