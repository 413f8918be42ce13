"""Who plays: the base class of all players, those that come with the agent, and how one is named."""
