"""The dependency order of ground atoms: strongly connected components, each after its dependencies."""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Ints
from reasoner.ground.bodies import Bodies
from reasoner.kernels import kernel


@kernel
def strongly_connected(bodies: Bodies, wanted: Ints, leaf: Bools) -> tuple[Ints, Ints]:
    """Return the components of the atoms that `wanted` depend on, each after its dependencies (Tarjan 1972, iterative).

    leaf [A]: atoms whose rules are ignored. Returns the atoms, component by component, and the end index of each
    component.
    """
    atoms = len(bodies.first_rule) - 1
    index, low = np.zeros(atoms, np.int32), np.zeros(atoms, np.int32)  # 0: not visited
    waits = np.zeros(atoms, np.bool_)  # whether its component is incomplete
    members, ends = np.empty(atoms, np.int32), np.empty(atoms, np.int32)
    stack, path = np.empty(atoms, np.int32), np.empty(atoms, np.int32)
    follow = np.empty(atoms, np.int64)  # for each atom on the path the next literal to visit
    found, complete, height, seen = 0, 0, 0, 0
    for root in wanted:
        depth = 0
        if index[root] == 0:
            path[0], depth = root, 1
        while depth:
            atom = path[depth - 1]
            if index[atom] == 0:
                seen += 1
                index[atom] = low[atom] = seen
                waits[atom] = True
                stack[height] = atom
                height += 1
                follow[atom] = bodies.first_literal[bodies.first_rule[atom]]
            end = follow[atom] if leaf[atom] else bodies.first_literal[bodies.first_rule[atom + 1]]
            deeper = False
            while follow[atom] < end:
                below = abs(bodies.literals[follow[atom]])
                if index[below] == 0:
                    path[depth] = below
                    depth += 1
                    deeper = True
                    break
                if waits[below]:
                    low[atom] = min(low[atom], low[below])
                follow[atom] += 1
            if deeper:
                continue
            depth -= 1
            if low[atom] == index[atom]:
                while True:
                    height -= 1
                    members[found] = stack[height]
                    waits[stack[height]] = False
                    found += 1
                    if stack[height] == atom:
                        break
                ends[complete] = found
                complete += 1
    return members[:found], ends[:complete]
