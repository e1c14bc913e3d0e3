"""The report of a followed face."""
