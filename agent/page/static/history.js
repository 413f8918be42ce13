// History: the list of matches, and the replay of one.
import { readdress } from './address.js'
import { h, show, when } from './dom.js'
import { animationPanel } from './animation.js'
import { board } from './board.js'
import { copyLink } from './copylink.js'
import { editButton } from './edit.js'
import { ended } from './ended.js'
import { matches } from './matches.js'
import { get, sentence } from './net.js'
import { fault, joint, part, players } from './part.js'
import { barred, storyCard, valueBar, valuesAt } from './story.js'
import { thinking } from './thinking.js'

export function history (main, store, key, step) {
  return key ? replay(main, key, step) : matches(main, store)
}

function replay (main, key, step) {
  show(main, h('p', { class: 'soft' }, 'Loading …'))
  let stop = () => {}
  let gone = false
  get(`api/matches/${key}`).then(match => { if (!gone) stop = player(main, match, key, step) })
    .catch(error => { if (!gone) show(main, missing(error)) })
  return () => { gone = true; stop() }
}

function missing ({ message, later }) {
  return h('div', { class: 'view' }, h('div', { class: 'card empty' },
    h('p', {}, message), h('p', {}, later ? 'Reload the page to try again.' : 'The history keeps only the last matches.'),
    h('a', { class: 'button', href: '#/history' }, 'All matches')))
}

function heading (match, ...more) {
  return h('div', { class: 'head' }, h('p', {}, h('a', { href: '#/history' }, '← All matches')), h('h2', {}, match.title), players(match),
    h('p', { class: 'outcome' }, ended(match)),
    h('p', { class: 'soft' }, `${when(match.began)}, clocks ${match.startClock} and ${match.playClock} s. `, ...more),
    match.note && h('p', { class: 'note' }, sentence(match.note)))
}

function refused (main, match) {
  show(main, h('div', { class: 'view' }, heading(match), h('div', { class: 'card' },
    match.faults.length ? h('ul', { class: 'faults' }, match.faults.map(fault)) : h('p', {}, 'No position of this match is known.'))))
  return () => {}
}

// The last search figures up to a position; a terminal position has none.
function thought (match, at) {
  while (at > 0 && !match.steps[at].thinking) at -= 1
  return { figures: match.steps[at].thinking, role: match.role, step: at }
}

function player (main, match, key, step) {
  if (!match.steps.length) return refused(main, match)
  const last = match.steps.length - 1
  let at = 0
  const stage = part()
  const bar = part()
  const side = part({ class: 'side' })
  const moves = part()
  const place = h('a', { class: 'analyse' }, 'Analyse from here')
  const problem = h('span', { class: 'problem', role: 'alert' })
  const frames = () => match.steps.map((one, i) => ({ svg: `api/matches/${key}/steps/${i}/svg`, text: i ? `${i}. ${joint(one)}` : '' }))
  const more = h('p', { class: 'actions' }, copyLink(() => location.hash), editButton(`api/matches/${key}/rules`, error => { problem.textContent = error.message }))
  const said = h('p', { class: 'joint', 'aria-live': 'polite' })
  const slider = h('input', { type: 'range', min: 0, max: last, value: 0, 'aria-label': 'Step', oninput: () => go(Number(slider.value)) })
  const button = (label, text, to) => h('button', { type: 'button', class: 'quiet', 'aria-label': label, onclick: () => go(to()) }, text)
  const controls = h('div', { class: 'controls' },
    button('First position', '|◀', () => 0), button('Step back', '◀', () => at - 1), slider,
    button('Step forward', '▶', () => at + 1), button('Last position', '▶|', () => last))
  function go (to) {
    at = Math.min(Math.max(to, 0), last)
    draw()
  }
  function draw () {
    const now = match.steps[at]
    slider.value = at
    place.setAttribute('href', `#/analysis/match/${key}/${at}`)
    readdress(`#/history/${key}/${at}`)
    slider.setAttribute('aria-valuetext', `step ${at} of ${last}`)
    said.replaceChildren(`${at} of ${last}`, at ? ': ' : '', h('strong', {}, at ? joint(now) : ''))
    stage.draw(at, () => board(now.picture, match.steps[at - 1]?.picture))
    bar.draw(at, () => valueBar(match, valuesAt(match.story, at)))
    side.draw(at, () => thinking(thought(match, at), { title: 'Search of the agent', rates: null, picture: now.picture }))
    moves.draw(at, () => storyCard({ ...match, picture: now.picture }, match.story, at, go))
  }
  const keys = event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input:not([type=range]), textarea, select')) return
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    go(to)
  }
  document.addEventListener('keydown', keys)
  show(main, h('div', { class: 'view' },
    heading(match, problem, h('a', { href: `api/matches/${key}/record.json`, download: '' }, 'Download the record'), ' ', place),
    h('div', { class: 'columns' }, h('div', { class: 'card' }, controls, said, barred(bar, stage), h('p', { class: 'soft hint' }, 'Arrow keys step; Home and End jump.'), more, animationPanel(match.title.replace(/[^\w-]+/g, '_'), frames)),
      h('div', {}, moves, side))))
  go(step === undefined ? last : Number(step) || 0)
  return () => document.removeEventListener('keydown', keys)
}
