// Story of a match: a graph of each role's expected score, the value bar beside the board, and the move list.
import { h, svg } from './dom.js'
import { isChance } from './roles.js'
import { spelled } from './words.js'

const [WIDE, HIGH, LEFT, RIGHT, TOP, BOTTOM] = [420, 140, 36, 10, 10, 20]
const TONES = new Set(['red', 'yellow', 'black', 'white', 'blue', 'green', 'orange', 'purple', 'grey', 'brown'])

// `match` has roles, players and opposed, a `picture` of the game, and `quiet` if no values are shown; `story` is a `Story` of `agent.page.answers`; `at` is the step that is shown.
export function storyCard (match, story, at, go, title = 'The story') {
  if (!story?.joints.some(joint => joint.length)) return null
  const used = spent(match, story)
  return h('section', { class: 'card story' }, h('h2', {}, title),
    !match.quiet && story.values.some(known) && story.values.length > 1 ? graph(match, story, at, go) : null,
    moveList(match, story, at, go),
    used && h('p', { class: 'soft hint' }, `Time used: ${used}.`))
}

// The class of a role's colour: by its name, else by its number.
export function tone (match, role) {
  const name = match.roles[role].toLowerCase()
  return TONES.has(name) ? `tone-${name}` : `fill-${role % 8}`
}

function known (values) {
  return values?.some(value => value !== null)
}

export function graph (match, story, at, go, { unit = 'step', label = 'expected score; click a step to open it' } = {}) {
  const last = story.first + story.values.length - 1
  const span = Math.max(last - story.first, 1)
  const x = step => LEFT + (step - story.first) / span * (WIDE - LEFT - RIGHT)
  const y = value => TOP + (100 - value) / 100 * (HIGH - TOP - BOTTOM)
  const roles = match.roles.map((name, role) => ({ name, role })).filter(({ name, role }) =>
    !isChance(name) && story.values.some(values => values[role] !== null && values[role] !== undefined))
  const place = svg('svg', { viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'img', 'aria-label': `${label} by ${unit}, ${spoken(match, valuesAt(story, at))}` },
    [0, 50, 100].map(value => [
      svg('line', { class: 'rule', x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value) }),
      svg('text', { x: LEFT - 5, y: y(value) + 4, 'text-anchor': 'end' }, value)]),
    svg('text', { x: LEFT, y: HIGH - 5 }, `${unit} ${story.first}`),
    svg('text', { x: WIDE - RIGHT, y: HIGH - 5, 'text-anchor': 'end' }, last),
    svg('line', { class: 'here', x1: x(at), x2: x(at), y1: TOP, y2: HIGH - BOTTOM }),
    roles.map(({ role }) => svg('path', { class: `stroke ${tone(match, role)}`, d: path(story, role, x, y) })),
    roles.map(({ role }) => mark(match, story, at, role, x, y, 'dot')),
    story.blunders.map((wrong, i) => wrong.map(role => mark(match, story, story.first + i, role, x, y, 'wrong'))))
  place.addEventListener('click', event => {
    const { left, width } = place.getBoundingClientRect()
    const share = ((event.clientX - left) / width * WIDE - LEFT) / (WIDE - LEFT - RIGHT)
    go(story.first + Math.round(Math.min(Math.max(share, 0), 1) * span))
  })
  return h('figure', { class: 'graph' },
    h('figcaption', {}, roles.map(({ name, role }) => h('span', { class: 'key' }, h('span', { class: `swatch ${tone(match, role)}` }), name)), ` ${label}`),
    place)
}

function path (story, role, x, y) {
  let pen = 'M'
  return story.values.map((values, i) => {
    const value = values[role] ?? null
    if (value === null) return ''
    const point = `${pen}${x(story.first + i).toFixed(1)} ${y(value).toFixed(1)}`
    pen = 'L'
    return point
  }).join('')
}

function mark (match, story, step, role, x, y, kind) {
  const value = valuesAt(story, step)?.[role] ?? null
  return value === null ? null : svg('circle', { class: `${kind} ${tone(match, role)}`, cx: x(step), cy: y(value), r: kind === 'dot' ? 4 : 3.5 })
}

export function valuesAt (story, step) {
  return story?.values[step - story.first]
}

function spoken (match, values) {
  const said = match.roles.map((name, role) => [name, values?.[role] ?? null]).filter(([, value]) => value !== null)
  return said.length ? said.map(([name, value]) => `${name} ${value}`).join(', ') : 'unknown at this step'
}

// The value bar of a position: shared in a constant-sum game of two roles, else one bar per role.
export function valueBar (match, values) {
  if (!known(values)) return null
  const roles = match.roles.map((name, role) => ({ name, role, value: values[role] ?? null })).filter(({ name, value }) => !isChance(name) && value !== null)
  const shared = match.opposed && roles.length === 2 && roles[0].value + roles[1].value === 100
  const bars = shared ? [h('span', { class: `bar shared ${tone(match, roles[1].role)}`, style: { '--value': roles[0].value / 100 } }, h('span', { class: `part ${tone(match, roles[0].role)}` }))]
    : roles.map(({ role, value }) => h('span', { class: 'bar', style: { '--value': value / 100 } }, h('span', { class: `part ${tone(match, role)}` })))
  const said = `Expected: ${spoken(match, values)}`
  return h('div', { class: 'valuebar', role: 'img', 'aria-label': said, title: said }, bars,
    h('span', { class: 'figure', 'aria-hidden': 'true' }, roles.length === 1 || shared ? `${roles[0].value}` : ''))
}

// A board with the value bar beside it; both are redrawn independently.
export function barred (bar, stage) {
  bar.classList.add('barplace')
  return h('div', { class: 'barred' }, bar, stage)
}

export function moveList (match, story, at, go) {
  const steps = story.joints.map((joint, i) => ({ joint, step: story.first + i, i })).filter(({ joint }) => joint.length)
  return h('ol', { class: 'record', start: Math.max(story.first, 1), 'aria-label': 'Moves' }, steps.map(({ joint, step, i }) => h('li', {},
    h('button', { type: 'button', class: 'link', 'data-key': `step ${step}`, 'aria-current': step === at ? 'step' : null, title: joint.join(' · '), onclick: () => go(step) }, spelled(joint, match.picture)),
    !match.quiet && story.blunders[i].length ? h('span', { class: 'blunder', title: blunder(match, story, i) }, ' ??', h('span', { class: 'hidden' }, ` ${blunder(match, story, i)}`)) : null)))
}

function blunder (match, story, i) {
  return story.blunders[i].map(role => `${match.roles[role]} fell from ${story.values[i - 1][role]} to ${story.values[i][role]}`).join(', ')
}

// Seconds per role, counted only for steps in which one role had a choice.
function spent (match, story) {
  const sums = match.roles.map(() => 0)
  story.choosers.forEach((who, i) => { if (who.length === 1 && story.seconds[i]) sums[who[0]] += story.seconds[i] })
  return match.roles.map((name, role) => sums[role] ? `${name} ${clockText(sums[role])}` : null).filter(Boolean).join(', ')
}

export function clockText (seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
}
