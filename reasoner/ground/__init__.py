"""Grounding: the rules without variables, by gringo in this process; `reasoner.compilation` runs it in a child process.

`to_gringo` writes the program, `gringo` calls the grounder and collects its ground rules. `symbols` decodes gringo's
symbols into `terms`, `bodies` sorts the rules by their heads; `collect` combines these steps. `components` orders
ground atoms by dependency. `answer_sets` answers questions about a game without any compiled kernel.
"""
