"""Many games at once: every node of the circuit holds 512 bits, one per independent game."""
