"""Games that visitors of the page play: against the agent or another player, and against each other.

A `game_plan` describes a game, and `course` records its positions. A `person_game` is against the agent or one of the
`opponents` of an `opponent_list`; `person_games` are all of them, by key. A `people_game` is between people, each of
whom sees a `role_view`; `people_games` are all of these.
"""
