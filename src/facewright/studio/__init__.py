"""The session over a socket: a local server, one page, one protocol."""
