"""Study of a game before a match: a network learns position values and move priors from self-play.

`loop` runs a study. `selfplay` is a job of games that any process or node can play (`actors` is the interface to them,
`jobs` sets the size of a job), `deep_games` plays them, `games` holds their positions, `window` keeps the last ones,
`training` fits a network to them (the only file that imports PyTorch), and `losses` measures its predictions on other
positions. `trial` compares players in the game pairs of a `contest` until a test (`sequential`) decides: this selects
the network to keep. `rating` adds up the Elo steps, and `tuning` finds the network's weight for matches. `vocabulary`
gives facts and moves the same order everywhere, `symmetry` augments positions, `shape` sizes a network, `probe`
measures a game first, `calibration` compares values with results, `observer` receives the events, and `folder` stores
the study on disk with its `history`. `options` are all settings.
"""
