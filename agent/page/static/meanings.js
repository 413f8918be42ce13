// Meanings of the keywords and connectives of GDL. `sign`: it joins literals.
export const MEANINGS = {
  role: { form: '(role ROLE)', text: 'names a role of the game; the order of these facts is the order of the roles. A role named random is chance.' },
  init: { form: '(init FACT)', text: 'says that a fact holds in the initial state.' },
  true: { form: '(true FACT)', text: 'holds if the fact is in the current state.' },
  next: { form: '(next FACT)', text: 'puts a fact into the next state. Facts that no rule puts there are gone.' },
  legal: { form: '(legal ROLE MOVE)', text: 'allows a move to a role in the current state. Each role needs a legal move in every state that is not terminal.' },
  does: { form: '(does ROLE MOVE)', text: 'holds if the role makes this move now. It may be used where the next state or percepts are computed.' },
  goal: { form: '(goal ROLE POINTS)', text: 'gives the points of a role, 0 to 100. Each role needs exactly one in a terminal state.' },
  terminal: { form: 'terminal', text: 'holds if the game is over.' },
  base: { form: '(base FACT)', text: 'declares a fact that a state may contain. It is optional, and makes it faster to read the rules.' },
  input: { form: '(input ROLE MOVE)', text: 'declares a move that may be legal at some time. It is optional, and makes it faster to read the rules.' },
  sees: { form: '(sees ROLE PERCEPT)', text: 'tells a role something after a joint move (GDL-II). In a rulesheet with sees, a role learns nothing else of the other moves.' },
  '<=': { form: '(<= HEAD LITERAL …)', text: 'is a rule: the head holds if all literals hold.', sign: true },
  not: { form: '(not LITERAL)', text: 'holds if the literal does not. Its variables must also occur in a positive literal.', sign: true },
  or: { form: '(or LITERAL …)', text: 'holds if one of the literals holds.', sign: true },
  and: { form: '(and LITERAL …)', text: 'holds if all literals hold.', sign: true },
  distinct: { form: '(distinct TERM TERM)', text: 'holds if the two terms differ.', sign: true }
}

const SIGNS = { ':-': '<=', '⇐': '<=', '&': 'and', '∧': 'and', '|': 'or', '∨': 'or', '~': 'not', '¬': 'not', '#': 'distinct' }
const OPERATION = 'MOVE :: CONDITION ==> EFFECT says what a move changes if the condition holds (the newer language).'

// Returns the meaning of a word in one line; '' if it has none. `infix`: the notation of the rules.
export function meaning (word, infix = false) {
  if (word === '::' || word === '==>') return OPERATION
  const key = SIGNS[word] ?? word.toLowerCase()
  const found = Object.hasOwn(MEANINGS, key) ? MEANINGS[key] : null
  if (!found) return ''
  return `${infix ? key === word ? found.form.replace(/^\((\w+) (.*)\)$/, (_, name, rest) => `${name}(${rest.replaceAll(' ', ', ')})`) : word : found.form} ${found.text}`
}
