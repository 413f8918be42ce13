"""The rules of a game understood: parsed, checked, grounded and evaluated."""
