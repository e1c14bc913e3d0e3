"""The sessions over a socket, on this machine only: server, authorisation, worker, files. It knows no feature."""
