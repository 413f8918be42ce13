// A report on a rulesheet: the form, the progress of its measurements, and what they found.
import { h, show } from './dom.js'
import { decoded } from './links.js'
import { get, post, sentence } from './net.js'
import { part } from './part.js'
import { bars, histogram } from './plots.js'
import { sourceForm } from './source.js'
import { working } from './working.js'

const EACH = 1000 // milliseconds between two looks at the measurements
const TIMES = [[0.2, '12 seconds: a first impression'], [0.5, '30 seconds'], [2, '2 minutes'], [5, '5 minutes'], [10, '10 minutes: large games']]
const ABOUT = 'How long, how wide, how balanced and how deep a game is: the agent plays it at random and with search, and tries to solve it.'

// The parts of a link after the view: `game` and a name, `edit` for the draft, or `run` and the key of a report.
export function report (main, [kind, name] = []) {
  if (kind === 'run') return run(main, name)
  const chosen = kind === 'game' && name ? { kind: 'game', name: decoded(name) } : kind === 'edit' ? { kind: 'rules' } : null
  const problem = h('p', { class: 'problem', role: 'alert' })
  const source = sourceForm({ chosen, reports: false })
  const minutes = h('select', { id: 'minutes' }, TIMES.map(([value, label]) => h('option', { value }, label)))
  minutes.value = 2
  const wait = working('The agent reads the rules …')
  const begin = h('button', { class: 'primary' }, 'Measure')
  let gone = false
  const send = async event => {
    event.preventDefault()
    begin.disabled = true
    problem.textContent = ''
    try {
      const { key } = await wait.during(source.asked().then(asked => post('api/reports', { ...asked, minutes: Number(minutes.value) })))
      source.began()
      if (!gone) location.hash = `#/report/run/${key}`
    } catch (error) {
      source.refuse(error)
      problem.textContent = sentence(error.message)
      begin.disabled = false
    }
  }
  show(main, h('div', { class: 'view narrow' }, h('form', { class: 'card setup', onsubmit: send },
    h('h2', {}, 'Report on a rulesheet'), h('p', { class: 'soft' }, ABOUT), source.place,
    h('div', { class: 'field' }, h('label', { for: 'minutes' }, 'Time'), minutes), wait.place, problem, h('p', { class: 'actions' }, begin))))
  return () => { gone = true; source.close() }
}

function run (main, key) {
  const address = `api/reports/${encodeURIComponent(key)}`
  let timer = 0
  let gone = false
  const state = part()
  const body = part()
  const said = h('p', { class: 'soft', role: 'status' })
  const title = h('h2', {}, 'Report')
  const stop = h('button', { type: 'button', class: 'quiet', onclick: () => { stop.disabled = true; post(`${address}/stop`, {}).catch(error => { stop.disabled = false; fail(error) }) } }, 'Stop and show what is known')
  show(main, h('div', { class: 'view' }, h('div', { class: 'head' }, h('p', {}, h('a', { href: '#/report' }, '← Another report')), title), state, body))

  // An agent that does not answer now may still measure.
  function fail (error) {
    if (!error.later) return refuse(error)
    said.textContent = `${sentence(error.message)} Retrying …`
    state.draw('later', () => h('div', { class: 'card' }, said))
  }

  function refuse (error) {
    said.textContent = sentence(error.message)
    state.draw('refused', () => h('div', { class: 'card' }, said, h('p', { class: 'actions' }, h('a', { class: 'button', href: '#/report' }, 'Measure a game'))))
  }

  async function look () {
    let view
    try {
      view = await get(address)
    } catch (error) {
      if (gone) return
      fail(error)
      if (error.later) timer = setTimeout(look, EACH)
      return
    }
    if (gone) return
    title.textContent = `Report on ${view.title}`
    const over = view.phase === 'done' || view.phase === 'failed'
    state.draw([view.phase], () => over ? view.error && h('p', { class: 'note' }, sentence(view.error)) : h('div', { class: 'card' }, bar, said, h('p', { class: 'actions' }, stop)))
    const share = Math.min(view.seconds / (60 * view.minutes), 1)
    bar.value = share
    const words = view.phase === 'waiting' ? `Waiting: ${view.ahead} before it.` : `${sentence(view.step || 'starting')} ${view.seconds} s of about ${60 * view.minutes} s, the build of the game not included.`
    if (!over && said.textContent !== words) said.textContent = words
    if (view.found) body.draw('found', () => found(view))
    if (!over) timer = setTimeout(look, EACH)
  }

  const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Measured' })
  look()
  return () => { gone = true; clearTimeout(timer) }
}

function found ({ title, found: { report, sections, html } }) {
  const { figures, lengths } = report
  const scores = figures.filter(({ measure }) => measure === 'score')
  const gains = figures.filter(({ form }) => form === 'Elo')
  const save = (type, text, name) => h('a', { class: 'button quiet', href: URL.createObjectURL(new Blob([text], { type })), download: `${title.replace(/[^\w-]+/g, '_')}${name}` }, `Save as ${name.slice(1).toUpperCase()}`)
  return h('div', { class: 'view' },
    report.notes.length > 0 && h('ul', { class: 'lines' }, report.notes.map(note => h('li', {}, sentence(note)))),
    gains.length > 0 && h('section', { class: 'card' }, h('h3', {}, 'Strategic depth: Elo gained by more simulations'), bars('Elo gained, with 95% intervals', gains.map(({ play, value, low, high }) => ({ name: play, value, low, high })), [0])),
    scores.length > 0 && h('section', { class: 'card' }, h('h3', {}, 'Scores in percent of the highest goal'), bars('Scores with 95% intervals', scores.map(({ name, play, value, low, high }) => ({ name: `${name.replace(/^score of /, '')}, ${play}`, value: 100 * value, low: 100 * low, high: 100 * high })), [0, 50, 100])),
    Object.entries(lengths).map(([way, values]) => h('section', { class: 'card' }, h('h3', {}, `Length of games, ${way}`), histogram(`Length of ${values.length} games, ${way}`, values))),
    sections.map(({ title, heads, rows }) => h('section', { class: 'card' }, h('h3', {}, title), h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': title }, table(heads, rows)))),
    h('p', { class: 'soft' }, `Measured in ${Math.round(report.seconds)} s, seed ${report.seed}.`),
    h('p', { class: 'actions' }, save('text/html', html, '.html'), save('application/json', JSON.stringify(report, null, 1), '.json')))
}

function table (heads, rows) {
  return h('table', { class: 'moves measures' }, h('thead', {}, h('tr', {}, heads.map(head => h('th', { scope: 'col' }, head)))),
    h('tbody', {}, rows.map(([first, ...rest]) => h('tr', {}, h('th', { scope: 'row' }, first), rest.map(cell => h('td', {}, cell))))))
}
