"""What can be done to a document: functions from document to document, one kind a file."""
