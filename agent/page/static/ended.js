// Describes how a match ended.
import { outcome, verdict } from './outcome.js'
import { result } from './part.js'

const WORDS = {
  playing: 'running',
  finished: 'stopped before a terminal position',
  aborted: 'aborted by its manager',
  'started again': 'restarted by its manager',
  refused: 'refused',
  left: 'left before the end',
  'dropped after silence': 'dropped: its manager sent no more messages',
  'dropped for another match': 'dropped for another match: its manager sent no more messages',
  'dropped while the agent was down': 'ended while the agent was not running',
  'the agent stops': 'interrupted: the agent was stopped'
}

// A visitor who played on the page is named `you`.
function person (match) {
  const found = match.players.indexOf('you')
  return found < 0 ? null : found
}

// `steps` is the number of steps in a list of matches, and the list of positions in a replay.
export function ended (match) {
  const made = Array.isArray(match.steps) ? match.steps.length - 1 : match.steps
  if (match.goals) return [outcome(match, person(match)), result(match)].filter(Boolean).join(' ')
  const words = WORDS[match.status] ?? match.status
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${match.status === 'refused' ? `: ${match.note}` : made > 0 ? ` after ${steps(made)}` : ''}`
}

export function steps (count) {
  return count === 1 ? '1 step' : `${count} steps`
}

// Filters of the match list.
export const KINDS = {
  '': ['all matches', () => true],
  mine: ['matches I played', match => person(match) !== null],
  won: ['matches I won', match => verdict(match, person(match)) > 0],
  lost: ['matches I lost', match => verdict(match, person(match)) < 0],
  agent: ['matches of managers', match => person(match) === null],
  over: ['played to the end', match => Boolean(match.goals)],
  early: ['ended early', match => !match.goals]
}
