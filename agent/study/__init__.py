"""Studying a game on this machine.

`local` has the processes that play, `display` what is shown meanwhile, `report` the page that tells of it afterwards;
`run` puts all of that together.
"""
