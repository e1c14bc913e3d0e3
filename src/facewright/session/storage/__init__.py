"""Values as bytes: what the journal keeps of each step, and the large parts that several steps share."""
