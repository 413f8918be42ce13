"""Games as environments of the libraries that learning programs know; each is an extra, and imported by nobody else.

    import agent.environments.register                           pip install 'ggp-agent[gymnasium]'
    gymnasium.make("ggp/connectFour-v0")
    from agent.environments.zoo import aec_env, parallel_env     pip install 'ggp-agent[pettingzoo]'
    import agent.environments.spiel                              pip install 'ggp-agent[openspiel]'
    pyspiel.load_game("ggp(rules=connectFour)")

`table` is a game as environments see it, `sight` what a role sees, `opponents` who else may play; `register` tells
Gymnasium of the bundled games, `gym` and `vector` are its environments; `zoo` is PettingZoo's; `spiel` OpenSpiel's,
which asks `spiel_rules` and is observed by `spiel_observers`; `bots` are our players as its bots, `spiel_player` its
search as our player.
"""
