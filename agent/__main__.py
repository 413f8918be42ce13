"""`python -m agent` is the command ggp-agent."""

from agent.cli import main

if __name__ == "__main__":
    main()
