"""Tournaments: players, games and seats in all combinations, kept as they are played, and what they say.

`plan` is the file that says what is played, `schedule` the order, `play` plays it in an `arena` at `seats`, and `store`
keeps each result. `standings` are what they say, with ratings (`elo`); `report` shows them with `plots`, `export`
writes them for other programs. `errors` is what is raised.
"""
