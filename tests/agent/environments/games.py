"""The games that the libraries' own checkers are held against."""

GAMES = (
    "connectFour",  # two roles in turn
    "breakthrough",
    "nim",
    "multipleTicTacToe",  # games inside a game
    "trio",  # three roles
    "diceRace",  # chance
    "goofspiel",  # two roles at once
    "lightCycles",
    "doors",
    "hanoi",  # one role
    "eightPuzzle",
    "lightsOut",
)
