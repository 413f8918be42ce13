"""Study of a game before a match: a network learns position values and move priors from self-play.

`loop` runs a study. `selfplay` plays the games of a job, which any process or node can do (`actors` is the interface to
them, `jobs` sets the size of a job). `games` holds the positions, `window` keeps the last ones, `training` fits a
network to them (the only file that imports PyTorch), and `validation` measures its predictions on other positions.
`trial` compares players in the game pairs of a `contest` until a test (`sequential`) decides: this selects the network
to keep, and its weight for matches. `rating` adds up the Elo steps. `vocabulary` gives facts and moves the same order
everywhere, `symmetry` augments positions, `shape` sizes a network, `probe` measures a game first, `observer` receives
the events, and `folder` stores the study on disk with its `history`. `options` are all settings.
"""
