"""Study of a game before a match: a network learns position values and move priors from self-play.

`loop` runs a study. `selfplay` plays the games of a job in any process or on any node of a cluster, and `targets` are
what a network learns from their searches; `actors` is the interface to these processes, and `jobs` sets the size of a
job. `games` stores positions as arrays, and `window` keeps the most recent positions. `training` fits a network to
them; only this file and `layers` import PyTorch. `validation` measures the predictions of the network on other
positions, and `value_weight` compares them with playouts. `trial` compares players in game pairs (`contest`) until a
statistical test (`sequential`) decides; this selects the network to keep, and its weight for matches. `rating` adds
up Elo differences. `vocabulary` orders facts and moves, `symmetry` augments positions, `grid` finds the board of a
game, `layers` are the weights of a network in training, `shape` chooses them, and `probe` measures a game by random
play. `evaluation` learns one in games of pieces. `observer` receives the events of a study. `folder` stores the study
on disk with its `history`. `options` defines all settings.
"""
