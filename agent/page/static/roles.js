// Whether a role is played by chance: `random` is a keyword of GDL, in any case (`reasoner/rules/chance.py`).

export function isChance (role) {
  return role.toLowerCase() === 'random'
}
