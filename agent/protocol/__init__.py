"""The messages of the match protocol: read and written."""
