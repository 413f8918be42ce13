"""The page for people: what is played and thought, matches replayed, a game against the agent, a relay for Gamemaster.

board, history, story, person_game, study and relay know nothing of HTTP; site, analysis_site, requests and events are
the skin, ports says where it is served; static/ holds what browsers get.
What all of them need of the agent is one value, `host.Host`, which `agent.serve` makes; the server knows nothing of it.
"""
