"""A step of random play without a word of single moves: which *slot* is chosen, and what that makes of the state.

`random_step` is all of it. It finds what each move does (`move_effects`), lays moves that do the same into slots
(`effect_slots`), says what each slot makes (`slot_values`), asks which slots can be chosen (`legality_by_turn`, `ends`)
and makes the next state of the one that is (`next_by_slot`, `as_in_circuit`), on a graph of its own (`state_logic`).
"""
