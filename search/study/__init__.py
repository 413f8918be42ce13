"""Studying a game before a match: a network learns from self-play what positions are worth, and where to look first.

`loop` is the whole of it: `selfplay` plays many games at once (a job that any process or node may do, `actors` says how
they are asked), `window` keeps the last positions, `training` fits a network to them (the one file that knows PyTorch),
`gate` lets it play against the best one so far, by `sequential`. `vocabulary` orders facts and moves alike everywhere,
`evaluate` scores the positions of a batch, `shape` sizes a network, `probe` looks at a game first, `folder` keeps all
of it on disk, `progress` tells of it.
"""
