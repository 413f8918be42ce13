"""The process of one match: its rules, its player, its search. The server talks to it in `messages`, lines of JSON.

It is a process of its own so that its memory can be limited, so that a crash or an endless evaluation costs one
match and not the agent, and so that computing never keeps the event loop from answering.

Workers are forks of one process that has loaded everything and plays no match itself (``python -m agent.worker``).
It is not `multiprocessing`: the event loop reads a socket without a thread and never waits for a half-written
message, and nothing that comes from a process running strangers' rules is unpickled.

`process` reads commands from the `channel` and does one of three things. `session` plays a match: its `engines` (the
state machines), its `match_game` (as the player sees it), its `turns` (what was played; `observed_turns` where roles
see in part, by `sight`), and `blame` for what the player raises; `overstay` ends it when that comes back to nothing.
`referee` keeps the rules of a game for people, and `analyst` looks into positions. These say things in `term_text`,
what a player tells in `figures`, and tell how a game is drawn (`viewing`, by `probe` and `row_names`) and why it ended
(`cause`).
"""
