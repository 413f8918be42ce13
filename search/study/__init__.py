"""Studying a game before a match: a network learns from self-play what positions are worth, and where to look first.

`loop` is the whole of it: `selfplay` is a job of games that any process or node may do (`actors` says how they are
asked), `deep_games` plays them, `window` keeps the last positions, `training` fits a network to them (the one file that
knows PyTorch), `gate` lets it play against the best one so far, by `sequential`, and `rating` adds up what that says.
In the end `tuning` finds how much matches should heed it. `vocabulary` orders facts and moves alike everywhere,
`symmetry` turns positions, `evaluate` scores those of a batch, `shape` sizes a network, `probe` looks at a game first,
`calibration` at how well values foretell results, and `folder` keeps all of it on disk.
"""
