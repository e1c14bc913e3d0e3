"""What the panel's buttons do: one file for each group."""
