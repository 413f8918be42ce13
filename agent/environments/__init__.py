"""Games as reinforcement learning environments; each library is an extra, and only this package imports it.

    import agent.environments.register                           pip install 'ggp-agent[gymnasium]'
    gymnasium.make("ggp/connectFour-v0")
    from agent.environments.zoo import aec_env, parallel_env     pip install 'ggp-agent[pettingzoo]'
    import agent.environments.spiel                              pip install 'ggp-agent[openspiel]'
    pyspiel.load_game("ggp(rules=connectFour)")

Shared: `table` (games in which the caller plays one role), `game_batch` (batch of games), `sight` (observations),
`actions` (validation), `opponents`. Gymnasium: `register` (registration), `gym` and `vector` (environments).
PettingZoo: `zoo`. OpenSpiel: `spiel` (game), `spiel_state` (states), `spiel_rules` (rules), `spiel_observers`
(observers), `spiel_names` (names in strings), `bots` (the agent's players as OpenSpiel bots), `spiel_player`
(OpenSpiel's search as a player of the agent). `extras` reports missing libraries.
"""
