"""The moves that playouts prefer: wins, defences and captures, each preferred only where random games show a gain.

`preferred_moves` builds the gates that restrict a choice to preferred moves, from the moves that
`reasoner.circuit.decisive` and `captures` find. A capture ends a fact of another role. `piece_ownership` infers the
owners of facts; for this, `mobility_probe` finds the moves that a fact enables. `trials` measures the effect of each
preference in `trial_games`, 512 games on the gates of a lane graph.
"""
