"""The rules without variables, grounded by gringo in this process; `reasoner.compilation` runs it in one of its own.

`to_gringo` writes the program, `gringo` calls the grounder, `observer` takes over its rules as they are made. `symbols`
decodes gringo's symbols into `terms`, `bodies` sorts the rules by their heads; `collect` does all of it. `components`
orders ground atoms by what they depend on.
"""
