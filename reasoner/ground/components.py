"""The dependency order of ground atoms: strongly connected components, each after those it depends on."""

from __future__ import annotations

from collections.abc import Iterable

Body = tuple[int, ...]


def strongly_connected(heads: Iterable[int], rules: dict[int, list[Body]]) -> list[list[int]]:
    """The components of the atoms that `heads` depend on, each after those it depends on (Tarjan 1972, iterative)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    components: list[list[int]] = []
    for root in heads:
        if root in index:
            continue
        work = [(root, iter(_read(rules, root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            atom, successors = work[-1]
            for successor in successors:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    stack.append(successor)
                    on_stack.add(successor)
                    work.append((successor, iter(_read(rules, successor))))
                    break
                if successor in on_stack:
                    low[atom] = min(low[atom], index[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[atom])
                if low[atom] == index[atom]:
                    start = _rindex(stack, atom)
                    components.append(stack[start:])
                    del stack[start:]
                    on_stack.difference_update(components[-1])
    return components


def _read(rules: dict[int, list[Body]], atom: int) -> set[int]:
    return {abs(literal) for body in rules.get(atom, ()) for literal in body}


def _rindex(stack: list[int], atom: int) -> int:
    position = len(stack) - 1
    while stack[position] != atom:
        position -= 1
    return position
