"""Grounding: replace the rules by their instances without variables, with gringo in this process.

`to_gringo` writes the program in gringo's syntax, and `gringo` calls the grounder and collects its ground rules.
`symbols` decodes gringo's symbols into `terms`, and `bodies` sorts the rules by their heads. `collect` combines these
steps; `reasoner.compilation` runs it in a child process. `components` orders ground atoms by dependency. `answer_sets`
answers questions about a game without compiled kernels.
"""
