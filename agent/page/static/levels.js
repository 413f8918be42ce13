// Strength levels: a limit of simulations per move, independent of the clock. Measured in research/strength.md.
import { h } from './dom.js'

// What a level is worth depends on the game; the report of a game measures it.
const LEVELS = [
  [0, 'full strength'], [3000, 'expert: 3,000 simulations'], [1000, 'strong: 1,000 simulations'],
  [300, 'good: 300 simulations'], [100, 'fair: 100 simulations'], [30, 'beginner: 30 simulations']
]

// Returns the level selector; null if the agent's player has no limit of simulations.
export function levels (player) {
  if (player && !/^mcts(:|$)/.test(player)) return null
  return h('select', { id: 'level' }, LEVELS.map(([simulations, name]) => h('option', { value: simulations }, name)))
}
