// Result of a match, from the visitor's point of view.
import { isChance } from './roles.js'

// The roles that chance does not play, with their goals; none if a goal is unknown.
function sidesOf ({ goals, roles }) {
  const sides = (goals ?? []).map((goal, role) => ({ goal, role, name: roles[role] })).filter(({ name }) => !isChance(name))
  return sides.every(({ goal }) => goal !== null) ? sides : []
}

// The maximum goal; that of an old match may be unknown.
function wholeOf ({ points = 100 }, sides) {
  return Math.max(points, ...sides.map(({ goal }) => goal))
}

// `person` is the number of the visitor's role, or null.
export function outcome (match, person) {
  const sides = sidesOf(match)
  if (!sides.length) return ''
  const goals = sides.map(({ goal }) => goal)
  const whole = wholeOf(match, sides)
  if (sides.length === 1) return goals[0] === whole ? 'Solved.' : `${goals[0]} of ${whole} points.`
  const best = Math.max(...goals)
  const winners = sides.filter(({ goal }) => goal === best)
  const points = goals.length === 2 && !(goals.includes(whole) && goals.includes(0)) && winners.length === 1 ? `, ${(sides[1].role === person ? goals.reverse() : goals).join(' to ')}` : ''
  if (winners.length === goals.length) return 'Draw.'
  const named = list => list.map(({ name }) => name).join(' and ')
  if (person === null || person === undefined) return winners.length === 1 ? `${named(winners)} won${points}.` : `${named(winners)} won.`
  if (!winners.some(({ role }) => role === person)) return `You lost${points}.`
  return winners.length === 1 ? `You won${points}.` : `You won, with ${named(winners.filter(({ role }) => role !== person))}.`
}

// Whether the visitor's role won (1) or lost (-1); 0: neither, or the visitor did not play to the end.
export function verdict (match, person) {
  const sides = sidesOf(match)
  const own = sides.find(({ role }) => role === person)?.goal
  if (own === undefined) return 0
  const others = sides.map(({ goal }) => goal)
  const best = sides.length === 1 ? wholeOf(match, sides) : Math.max(...others)
  return own < best ? -1 : sides.length === 1 || others.some(goal => goal < own) ? 1 : 0
}
