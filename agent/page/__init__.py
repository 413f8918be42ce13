"""The page for people: what is played and thought, matches replayed, a game against the agent, a relay for Gamemaster.

board, history, table and relay know nothing of HTTP; site and events are the skin; static/ holds what browsers get.
"""
