"""Worker process of one match: its rules, its player, its search.

The server talks to it in lines of JSON (`worker_messages`). Each match has a process of its own for three reasons. The
memory of a process can be limited. A crash or an endless evaluation costs one match and not the agent. The event loop
can always answer.

Workers are forks of one process that has loaded everything and plays no match itself (``python -m agent.worker``).
`multiprocessing` is not used: with sockets, the event loop needs no thread and never waits for a half-written message.
The agent also must not unpickle data of a process that runs untrusted rules.

`process` reads commands from the `channel` and has three modes:

- `session` plays a match with its `engines` (state machines), `match_game` (the player's view), `turns` (the moves
  played), `trail` (the last messages, if others were lost between them) and `blame` (errors of the player). In GDL-II,
  `observed_turns` replaces `turns`, and `sight` converts percepts that reveal every move. `overstay` ends the process
  of a player that does not return; `player_output` limits the text that a player prints, and `raw_output` what it and
  its programs write without `print`.
- `referee` applies the rules of a game between people and the agent.
- `analyst` examines and searches positions.

`start_rules` checks a START message, `read_start` reads its rules. `fallback` is a program of its own, which offers
legal moves while no worker is available. `term_text` and `figures` convert terms and the player's figures, `viewing`
(with `probe` and `row_names`) finds what the page needs to draw a game, and `cause` finds the facts that decided it.
"""
