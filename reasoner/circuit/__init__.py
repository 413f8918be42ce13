"""The ground rules as an and-inverter graph, and the machine that runs it."""
