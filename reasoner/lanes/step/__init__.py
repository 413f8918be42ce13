"""A step of random play without rows for single moves: which *slot* is chosen, and the state that follows.

`random_step` builds it. It finds the effects of each move (`move_effects`), puts moves with equal effects into slots
(`effect_slots`), computes the values that each slot gives to bases (`slot_values`), which slots can be chosen
(`legality_by_turn`, `ends`), and the next state from the chosen slot (`next_by_slot`, `as_in_circuit`), on a graph of
its own (`state_logic`).
"""
