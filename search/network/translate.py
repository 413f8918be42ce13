"""Translation of a studied network to another rulesheet of the same game, which uses other names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reasoner.identity import Translation
from reasoner.language.terms import Term
from search.errors import StorageError
from search.network.storage import Model


def translated(model: Model, symbols: Sequence[Term]) -> Model:
    """Return `model` with its symbols renamed to the `symbols` of another rulesheet with the same key.

    Raises StorageError if the model's own symbols do not match `symbols` or the model's terms. This never happens to a
    file that this program wrote.
    """
    names = Translation.between(model.symbols, symbols)
    if names is None:
        raise StorageError("the network's symbols do not match its game: study the game again.")
    network = model.network
    spelled = replace(
        network,
        roles=terms_in(names, network.roles),
        facts=terms_in(names, network.facts),
        moves=tuple(terms_in(names, moves) for moves in network.moves),
    )
    return replace(model, network=spelled, symbols=tuple(symbols), rules="")


def terms_in(names: Translation, terms: Sequence[Term]) -> tuple[Term, ...]:
    """Translate terms. Raises StorageError for a term with an unknown symbol."""
    found = [names.term(term) for term in terms]
    for term, image in zip(terms, found, strict=True):
        if image is None:
            raise StorageError(f"{str(term)[:80]} is not a term of the file's game: study the game again.")
    return tuple(term for term in found if term is not None)
