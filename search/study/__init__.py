"""Studying a game before a match: a network learns from self-play what positions are worth, and where to look first.

`loop` is the whole of it: `selfplay` is a job of games that any process or node may do (`actors` says how they are
asked, `jobs` how much at once), `deep_games` plays them, `games` are their positions, `window` keeps the last,
`training` fits a network to them (the one file that knows PyTorch), `losses` tells how well it foretells others.
`trial` lets ways to play meet in the pairs of games of a `contest` until a test (`sequential`) decides: so is decided
which network is kept, `rating` adds up what that says, and in the end `tuning` finds how much matches should heed it.
`vocabulary` orders facts and moves alike everywhere, `symmetry` turns positions, `shape` sizes a network, `probe`
looks at a game first, `calibration` at how well values foretell results, `observer` is told of it all, and `folder`
keeps it on disk, with its `history`. `options` are all knobs.
"""
