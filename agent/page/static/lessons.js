// What a line teaches: the loss of each move in expected score, the accuracy of each role, and the mistakes.
import { isChance } from './roles.js'

const KINDS = [['blunder', 33, '??'], ['mistake', 20, '?'], ['inaccuracy', 10, '?!']] // least loss of expected score in a game of usual sharpness
const [USUAL, LEAST, MOST] = [20, 0.5, 1.5] // the usual sharpness, and limits of its effect on the kinds
const ENOUGH = 200 // least visits of all moves; a search that ends with a proof before has tried the others too seldom
const SPREAD = 50 // largest standard deviation of a result of 0 to 100 points
const SURE = 0.05 // least visits of a good move, as a share of the visits of the best move

// Returns the loss of each searched move of a line, with the position before it. A loss is the value of the best move less the
// value of the position after the played move. With simultaneous moves, or in a game of chance, it is less the value of the
// played move and the error of both, if the search was long enough; else the position after it counts, unless chance moved, too.
export function losses (tree, line, roles) {
  const lucky = roles.some(isChance)
  const found = []
  for (let i = 1; i < line.length; i++) {
    const [before, node] = [tree.get(line[i - 1].node), tree.get(line[i].node)]
    for (const role of node.passed ? [] : before.choosers) {
      const moves = before.figures?.[role]?.moves
      if (isChance(roles[role]) || !(moves?.length > 1)) continue
      const told = moves.find(({ move }) => move === node.joint[role])
      const searched = told?.visits || told?.proven ? told.value : null
      const own = told?.proven || moves.reduce((sum, { visits }) => sum + (visits ?? 0), 0) >= ENOUGH ? searched : null
      const after = before.choosers.some(one => isChance(roles[one])) ? null : node.values[role]
      const apart = lucky || before.choosers.length > 1
      const reached = apart ? own ?? after : after ?? searched
      if (reached === null) continue
      const error = apart && own !== null ? errorOf(moves[0], told) : 0
      const loss = told === moves[0] ? 0 : Math.max(0, moves[0].value - reached - error)
      found.push({ at: before.node, role, played: node.joint[role], step: node.step, loss, best: moves[0], sharp: moves[0].value - middle(moves) })
    }
  }
  return found
}

// The standard error of the difference of two moves' values, which are means over visits or proven.
function errorOf (...moves) {
  return Math.sqrt(moves.reduce((sum, { visits, proven }) => sum + (proven ? 0 : SPREAD ** 2 / Math.max(visits ?? 0, 1)), 0))
}

// The sharpness of a game: the usual distance between the best and the middle move, 1 for the usual distance.
export function sharpness (found) {
  if (!found.length) return 1
  const all = found.map(({ sharp }) => sharp).sort((one, other) => one - other)
  return Math.min(Math.max(all[Math.floor(all.length / 2)] / USUAL, LEAST), MOST)
}

// The name and the sign of a loss; null for a good move.
export function kindOf (loss, sharp) {
  const kind = KINDS.find(([, least]) => loss >= least * sharp)
  return kind ? { name: kind[0], sign: kind[2] } : null
}

// The accuracy in percent: lichess's formula for the loss of winning chances, averaged over the moves.
export function accuracy (found, sharp) {
  const each = found.map(({ loss }) => Math.min(100, Math.max(0, 103.1668 * Math.exp(-0.04354 * loss / sharp) - 3.1669)))
  return each.length ? Math.round(each.reduce((sum, one) => sum + one, 0) / each.length) : null
}

// Whether a move is nearly as good as the best one, and searched enough to say so.
export function isGood (moves, move, sharp) {
  const told = moves.find(one => one.move === move)
  const searched = told && (told.proven || told.visits >= SURE * moves[0].visits)
  return Boolean(searched && kindOf(moves[0].value - told.value, sharp) === null)
}

function middle (moves) {
  const values = moves.filter(({ visits, proven }) => visits || proven).map(({ value }) => value).sort((one, other) => one - other)
  return values[Math.floor((values.length - 1) / 2)] ?? moves[0].value
}
