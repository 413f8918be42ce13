// Games between people: the invitation, what is said beside the board, and the actions.
import { h, show } from './dom.js'
import { copyLink } from './copylink.js'
import { editButton } from './edit.js'
import { get, post, sentence } from './net.js'
import { outcome } from './outcome.js'
import { result } from './part.js'
import { isChance } from './roles.js'
import { local, session } from './storage.js'
import { LEARN } from './teacher.js'
import { words } from './words.js'

const PLACES = 'ggp-agent people' // keys of places by invitation: the link of an invitation leads back to one's place
const JOINING = 'ggp-agent joining' // the role that was asked for last, with a secret by which it can be asked for again
const MANY = 8
const SEPARATE = 600 // minimum milliseconds between a click and its confirmation

function places () {
  try {
    const stored = JSON.parse(local.getItem(PLACES) ?? '[]')
    return Array.isArray(stored) ? stored.filter(one => typeof one?.invite === 'string' && typeof one.key === 'string') : []
  } catch {
    return []
  }
}

// `before` is one's place in the game before a rematch: its invitation then leads to the rematch, too.
export function keepPlace (invite, key, before = key) {
  const others = places().filter(one => one.invite !== invite)
  const kept = [{ invite, key }, ...others.map(one => one.key === before ? { ...one, key } : one)]
  local.setItem(PLACES, JSON.stringify(kept.slice(0, MANY)))
}

// The card of an invitation; `enter(key)` opens the game at one's place.
export function invitation (main, invite, enter) {
  const mine = places().find(one => one.invite === invite)
  if (mine) {
    enter(mine.key)
    return () => {}
  }
  const at = `api/people/invited/${encodeURIComponent(invite)}`
  const problem = h('p', { class: 'problem', role: 'alert' })
  let gone = false
  const card = (...children) => { if (!gone) show(main, h('div', { class: 'view narrow' }, h('section', { class: 'card' }, h('h2', {}, 'An invitation'), children, problem))) }
  async function join (role) {
    const token = tried()?.token ?? random()
    session.setItem(JOINING, JSON.stringify({ invite, role, token }))
    try {
      const { key } = await post(at, { role, token })
      keepPlace(invite, key)
      if (!gone) enter(key)
    } catch (error) {
      if (!error.later) session.removeItem(JOINING)
      problem.textContent = sentence(error.message)
      look()
    }
  }
  // The role that this tab has asked for without an answer: the agent may have given it.
  function tried () {
    const stored = JSON.parse(session.getItem(JOINING) ?? 'null')
    return stored?.invite === invite ? stored : null
  }
  function look () {
    get(at).then(({ title, free, seconds, watch }) => {
      const offered = tried() ? [tried().role] : free
      card(
        h('p', {}, 'A game of ', h('strong', {}, title), ` between people, ${pace(seconds)}.`),
        h('p', {}, offered.length ? 'Take a role, or watch.' : 'All roles are taken; you may watch.'),
        h('p', { class: 'actions' },
          offered.map(role => h('button', { type: 'button', class: 'primary', 'data-key': `join ${role}`, onclick: () => join(role) }, `Play ${role}`)),
          h('a', { class: 'button quiet', href: `#/play/watch/${encodeURIComponent(watch)}` }, 'Watch')))
    }, ({ message, later }) => later
      ? card(h('p', {}, message), h('p', { class: 'actions' }, h('button', { type: 'button', class: 'primary', 'data-key': 'again', onclick: look }, 'Try again')))
      : card(h('p', {}, 'This game no longer exists. Ask for a new invitation, or '), h('p', { class: 'actions' }, h('a', { class: 'button', href: '#/play' }, 'Begin a game'))))
  }
  look()
  return () => { gone = true }
}

function random () {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}

function pace (seconds) {
  return seconds ? `with ${seconds} s per move; a random move replaces a late one` : 'without a time limit'
}

// The sentence above the board.
export function spokenOf (data, picked, offered, sent) {
  const { phase, person, roles, awaited } = data
  if (phase === 'over') return `${outcome(data, person)} The game is over: ${result(data)}.`
  if (phase === 'left') return `The game has ended: ${data.status}.`
  if (phase === 'preparing') return 'The rules are read …'
  if (phase === 'inviting') return `Waiting for ${listed(roles.filter((_, role) => !data.taken[role]))} …`
  if (phase === 'person' && !sent) return offered ? 'Several moves fit; choose one.' : picked.length ? 'Choose a marked cell, or the last one again to take it back.' : `Your move, ${roles[person]}.`
  return awaited.length ? `${listed(awaited.map(role => roles[role]))} to move.` : 'Waiting for the others …'
}

function listed (names) {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names[0] ?? ''
}

// The others who have asked for a rematch.
function others (data) {
  return data.again.filter(role => role !== data.person).map(role => data.roles[role])
}

// Notes to the person of a running game on what is hidden, and on what its role has perceived since its last choice.
export function hidden ({ hides, phase, person, percepts, position }) {
  if (!hides || person === null || ['over', 'left'].includes(phase)) return []
  const told = percepts.map(one => words(one, position.picture)).join(', ')
  return ['You see what your role knows. The rest is shown after the game.', ...told ? [`You perceive: ${told}.`] : []]
}

// Notes beside the board: percepts, offers, and who is away.
export function notesOf (data) {
  if (['over', 'left'].includes(data.phase)) return others(data).length && data.person !== null ? [`${listed(others(data))} would like a rematch.`] : []
  const name = role => data.roles[role]
  const away = data.roles.filter((role, i) => !isChance(role) && data.taken[i] && !data.present[i] && i !== data.person)
  return [
    ...hidden(data),
    data.hides && data.person === null && 'This game has hidden information. Everything is shown after the game.',
    ...data.offers.map(role => role === data.person ? 'You offer a draw.' : `${name(role)} offers a draw; a move declines it.`),
    away.length > 0 && `${listed(away)} ${away.length > 1 ? 'have' : 'has'} closed the page.`
  ].filter(Boolean)
}

// Links to the game, for people and for watchers. `ways` has leave(), away(), rematch(), refuse(error) and act(verb).
export function actionsOf (data, at, ways) {
  const button = (text, onclick, kind = 'quiet') => h('button', { type: 'button', class: kind, 'data-key': text, onclick }, text)
  const watch = copyLink(() => `#/play/watch/${encodeURIComponent(data.watch)}`, 'Copy a link for watchers')
  const rules = editButton(`${at}/rules`, ways.refuse)
  if (['over', 'left'].includes(data.phase)) {
    const analysis = `#/analysis/match/${data.key}`
    return [
      data.key > 0 && h('a', { class: 'button', href: `#/history/${data.key}` }, 'Replay it'),
      data.key > 0 && h('a', { class: 'button quiet', href: analysis }, 'Analyse it'),
      data.key > 0 && data.person !== null && h('a', { class: 'button quiet', href: analysis, onclick: () => session.setItem(LEARN, data.roles[data.person]) }, 'Learn from your mistakes'),
      rules,
      data.person !== null && data.taken.every(Boolean) && button(others(data).length ? 'Accept the rematch' : 'Rematch', ways.rematch, 'primary'),
      button('Play another', () => ways.leave())
    ]
  }
  if (data.person === null) return [watch, button('Stop watching', () => ways.leave())]
  if (!['person', 'others'].includes(data.phase)) return [data.taken.includes(false) && invite(data), watch, button('Cancel the game', ways.away)]
  const theirs = data.offers.some(role => role !== data.person)
  return [
    data.even && !data.offers.includes(data.person) && button(theirs ? 'Accept the draw' : 'Offer a draw', () => ways.act('draw')),
    resign(() => ways.act('resign')),
    watch,
    rules
  ]
}

function invite (data) {
  const link = new URL(`#/play/join/${encodeURIComponent(data.invite)}`, location.href).href
  return h('div', { class: 'field invite' },
    h('label', { for: 'invite' }, `Send this link to ${data.roles.length > 2 ? 'the others' : 'your opponent'}`),
    h('input', { id: 'invite', readonly: true, value: link, 'data-key': 'invite', onfocus: event => event.target.select() }),
    copyLink(() => link, 'Copy the invitation'))
}

// A button that asks once more, so that no slip of the finger and no double click ends a game.
function resign (call) {
  let last = -Infinity // time of the last click
  const button = h('button', { type: 'button', class: 'quiet', 'data-key': 'resign', onclick: ({ timeStamp }) => {
    const separate = timeStamp - last > SEPARATE
    last = timeStamp
    if (button.dataset.sure && separate) return call()
    button.dataset.sure = 'yes'
    button.textContent = 'Resign: click again to confirm'
  } }, 'Resign')
  return button
}
