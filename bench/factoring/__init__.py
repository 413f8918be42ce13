"""Games inside games: how fast they are found, and what searching them apart brings."""
