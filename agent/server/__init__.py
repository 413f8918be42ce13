"""HTTP server for game managers, on aiohttp.

`agent.serve` builds it. A request passes `gate` (admission of connections), `connection` with `head` and `body`
(framing of requests), `receive` and `handler` (HTTP), `app` (routes) with `networks` (the client behind a reverse
proxy), `origins` (CSRF protection), `token` (access to the page) and `long_texts` (parsing in threads), `matches`
(dispatch to matches of the `managers`, limited by `rate`, `room`, `waiters` and `silence`) and `match` with its
`applied_moves` and `message_order`, and what all matches have `shared`. A `successor` is the match of another START
with the same id, and `match_journals` are the journals of all. There, a worker process answers each `question` in
time. `workers` manages the worker processes, and `worker` is the connection to one. `vacancy` waits until a worker is
available; `fallback` offers legal moves meanwhile, from a process of `fallback_server`. `ended_match` handles the
last events of a worker. `answers` formats responses, `tls` loads the certificate, `handshake` encrypts a connection.
`openings` caches first moves for very short clocks. `metrics` and `watch` serve observers.
"""
