"""Entry point of `python -m agent`, the same as the command ggp-agent."""

from agent.cli import main

if __name__ == "__main__":
    main()
