// How a match ended, in plain words.
import { outcome } from './outcome.js'
import { result } from './part.js'

const WORDS = {
  playing: 'under way',
  finished: 'stopped before anybody had won',
  aborted: 'called off by its manager',
  'started again': 'begun anew by its manager',
  refused: 'refused',
  left: 'left before the end',
  'dropped after silence': 'given up: its manager said nothing more',
  'dropped for another match': 'given up for another match, as its manager said nothing more',
  'dropped while the agent was down': 'over while the agent was not running',
  'the agent stops': 'cut off: the agent was stopped'
}

// Whoever played on the page is `you`.
function person (match) {
  const found = match.players.indexOf('you')
  return found < 0 ? null : found
}

export function ended (match) {
  if (match.goals) return [outcome(match, person(match)), result(match)].filter(Boolean).join(' ')
  const words = WORDS[match.status] ?? match.status
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${match.status === 'refused' ? `: ${match.note}` : match.steps ? ` after ${steps(match.steps)}` : ''}`
}

export function steps (count) {
  return count === 1 ? '1 step' : `${count} steps`
}

// What a filter asks of a match.
export const KINDS = {
  '': ['all matches', () => true],
  mine: ['those I played', match => person(match) !== null],
  won: ['those I won', match => won(match, person(match))],
  lost: ['those I lost', match => match.goals && person(match) !== null && !won(match, person(match))],
  agent: ['those of managers', match => person(match) === null],
  over: ['played to the end', match => Boolean(match.goals)],
  early: ['ended early', match => !match.goals]
}

function won (match, role) {
  return role !== null && match.goals && match.goals[role] === Math.max(...match.goals) && match.goals.some(goal => goal !== match.goals[role])
}
