"""The rules in normal form, and what can be known of them before any play."""
