"""The server agent: protocol, worker processes, game manager and command line.

A match with a manager uses `server`, `protocol`, `journal` and one `worker` process per match, which runs one of the
`players`. `page` is the web page for people, and `boards` draws positions. `serve` builds the agent from `settings`;
`logs`, `progress` and `health` report its state, and `queued_output` writes it. `gamemaster` runs matches between
agents, `tournament` runs many of them, `study` trains networks by self-play, and `knowledge` stores the results.
`report` measures a rulesheet, `measure` the speed of random playouts. `cluster` runs tournaments, studies and searches
on many machines; `remote` is the link of a match to these searches. `environments` has interfaces for reinforcement
learning. `cli` is the command line, `resources` locates packaged files, `message_lines` is the format of messages
between processes, and `errors` is the exception tree.
"""
