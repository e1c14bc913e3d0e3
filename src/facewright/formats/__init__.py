"""File formats: each reads and writes documents, and states what it loses."""
