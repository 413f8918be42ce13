// How well the agent plays: by the descents of its search a move, whatever the clock. Measured in research/strength.md.
import { h } from './dom.js'

// How much each is above the first in Elo is the mean of two games.
const LEVELS = [
  [0, 'as well as it can'], [3000, 'expert: 3,000 simulations, +920 Elo'], [1000, 'strong: 1,000 simulations, +750'],
  [300, 'good: 300 simulations, +560'], [100, 'fair: 100 simulations, +250'], [30, 'beginner: 30 simulations']
]

// The levels to choose from; null where the agent's player is no search that counts its descents.
export function levels (player) {
  if (player && !/^mcts(:|$)/.test(player)) return null
  return h('select', { id: 'level' }, LEVELS.map(([simulations, name]) => h('option', { value: simulations }, name)))
}
