"""The text of rulesheets: terms, parsing and writing."""
