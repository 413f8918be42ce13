"""The command ggp-agent, one subcommand a file."""
