// Part of the page that is redrawn only when its data changes, so that no click is lost and the focus stays.
import { h, show } from './dom.js'
import { words } from './words.js'

export function part (props = {}) {
  const place = h('div', props)
  let drawn = null
  place.draw = (value, render) => {
    const text = JSON.stringify(value)
    if (text === drawn) return
    drawn = text
    show(place, render(value))
  }
  return place
}

export function result (match) {
  if (!match.goals) return null
  const said = match.roles.map((role, i) => `${role}${match.players[i] ? ` (${match.players[i]})` : ''} ${match.goals[i] ?? '–'}`)
  return said.join(', ')
}

export function players (match) {
  return h('ul', { class: 'players' }, match.roles.map((role, i) =>
    h('li', { class: i === match.role ? 'agent' : '' }, h('strong', {}, role), ` ${match.players[i] || 'another player'}`)))
}

export function joint (position) {
  const moves = position.joint.map((move, i) => ({ move, said: words(move, position.picture) + (position.errors?.[i] ? ' (replaced)' : '') }))
  const made = moves.filter(({ move }) => move !== 'noop')
  return (made.length ? made : moves).map(({ said }) => said).join(' · ')
}

export function fault ({ severity, message, fix, line, column }) {
  return h('li', { class: severity }, h('p', {}, h('strong', {}, `${severity}: `), message),
    h('p', { class: 'soft' }, 'Fix: ', fix), h('p', { class: 'soft' }, line ? `line ${line}, column ${column}` : 'the whole rulesheet'))
}
