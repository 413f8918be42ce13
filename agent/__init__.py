"""The server agent: protocol, worker processes, game manager and command line."""
