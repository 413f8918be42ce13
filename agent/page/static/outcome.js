// Result of a match, from the visitor's point of view.

// `person` is the number of the visitor's role, or null.
export function outcome ({ goals, roles, points: most = 100 }, person) {
  if (!goals || goals.some(goal => goal === null)) return ''
  const whole = Math.max(most, ...goals) // the maximum goal of an old match may be unknown
  if (goals.length === 1) return goals[0] === whole ? 'Solved.' : `${goals[0]} of ${whole} points.`
  const best = Math.max(...goals)
  const winners = goals.flatMap((goal, role) => goal === best ? [role] : [])
  const points = goals.length === 2 && !(goals.includes(whole) && goals.includes(0)) && winners.length === 1 ? `, ${ordered(goals, person).join(' to ')}` : ''
  if (winners.length === goals.length) return 'Draw.'
  if (person === null || person === undefined) return winners.length === 1 ? `${roles[winners[0]]} won${points}.` : `${winners.map(role => roles[role]).join(' and ')} won.`
  if (!winners.includes(person)) return `You lost${points}.`
  return winners.length === 1 ? `You won${points}.` : `You won, with ${winners.filter(role => role !== person).map(role => roles[role]).join(' and ')}.`
}

function ordered (goals, person) {
  return person === 1 ? [goals[1], goals[0]] : goals
}
