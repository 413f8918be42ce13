"""The aiohttp endpoint that game managers talk to.

`agent.serve` puts it together. A request passes `gate` (who may connect, and how many), `connection` with `head` and
`body` (where a request ends), `receive` and `handler` (HTTP), `app` (the skin) with `origins` (which pages of browsers
are obeyed) and `long_texts` (read beside the event loop), `matches` (which message is for which match, no more a
minute than `rate` lets begin, nor waiting than `waiters` has room for) and `match`, which has a `question` answered in
time by a process: `workers` has the processes, `worker` is this end of one, `vacancy` the wait for one, `ended_match`
what it still tells afterwards. `answers` go back. `openings` keeps first moves for when a clock ends before the rules
have been read again; `metrics` and `watch` are for who looks on.
"""
