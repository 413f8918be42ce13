"""Games as environments of the libraries that learning programs know; each is an extra, and imported by nobody else.

    import agent.environments.register                           pip install 'ggp-agent[gymnasium]'
    gymnasium.make("ggp/connectFour-v0")
    from agent.environments.zoo import aec_env, parallel_env     pip install 'ggp-agent[pettingzoo]'
    import agent.environments.spiel                              pip install 'ggp-agent[openspiel]'
    pyspiel.load_game("ggp(rules=connectFour)")

`table` is a game as environments see it, `game_batch` its games, `sight` what a role sees, `actions` what it may do,
`opponents` who else may play; `register` tells Gymnasium of the bundled games, `gym` and `vector` are its environments;
`zoo` is PettingZoo's; `spiel` OpenSpiel's, with its positions in `spiel_state`, which ask `spiel_rules` and are
observed by `spiel_observers`, and with `spiel_names` for its strings; `bots` are our players as its bots,
`spiel_player` its search as our player. `extras` says what to install where a library is missing.
"""
