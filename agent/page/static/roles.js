// The role that chance plays: `random`, a keyword of the language and so in any case, as `reasoner/rules/chance.py` has it.

export function isChance (role) {
  return role.toLowerCase() === 'random'
}
