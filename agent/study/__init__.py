"""Studying a game on this machine.

`local` has the self-play processes, `display` the progress display, `report` the HTML report; `run` combines them.
"""
