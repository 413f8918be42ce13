"""Tournaments: all combinations of players, games and seats, with stored results and ratings.

`plan` reads the plan file, `schedule` orders the matches, `play` plays them in an `arena` with players at `seats`, and
`store` saves the results. `standings` evaluates them with ratings (`elo`); `report` is an HTML page with `plots`,
`export` writes CSV and JSON. `errors` is the exception tree.
"""
