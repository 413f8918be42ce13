"""Many machines, by Ray, which only this room knows; it needs the extra ``cluster``, and nothing else imports it.

`connection` comes to a cluster or begins one of this machine's own. A tournament: `arena` gives matches to `table`s,
one actor each, whose players are agents of that machine, which end with it, on processors of their own
(`processors`). Study: `self_play`. A match's search: `bridge`, from an agent to a `searcher` on each node. `source`
sees that all machines have the same agent. `errors` is what is raised.
"""
