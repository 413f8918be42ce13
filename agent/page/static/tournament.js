// Shows a tournament from its files: `ggp-agent tournament --json FILE`, and its match records. The files are not uploaded.
import { h, show } from './dom.js'
import { get, sentence } from './net.js'
import { gameOf, recordOf } from './record.js'
import { session } from './storage.js'
import { graph } from './story.js'

const LARGEST = 32 << 20 // maximum bytes of all files together
let loaded = null // the loaded files, kept while the page is open, so that the visitor can return from a match

export function tournament (main) {
  const problem = h('p', { class: 'problem', role: 'alert' })
  const place = h('div', {})
  const list = h('div', {})
  let gone = false
  const files = h('input', { id: 'files', type: 'file', multiple: true, accept: '.json,application/json', onchange: () => load([...files.files]).then(() => { files.value = '' }) }) // so that the same files can be chosen again
  show(main, h('div', { class: 'view' }, h('h2', {}, 'A tournament'),
    h('div', { class: 'card setup' }, h('div', { class: 'field' },
      h('label', { for: 'files' }, 'The file of “ggp-agent tournament --json”, and the match records, if any'), files), problem), place))
  if (loaded) draw()

  async function load (chosen) {
    problem.textContent = ''
    if (!chosen.length) return // the choice was cancelled
    if (chosen.reduce((sum, { size }) => sum + size, 0) > LARGEST) {
      problem.textContent = `These files are larger than ${LARGEST >> 20} MiB together.`
      return
    }
    try {
      loaded = readAll(await Promise.all(chosen.map(async file => [file.name, JSON.parse(await file.text())])))
      draw()
    } catch (error) {
      problem.textContent = `These files are not results of a tournament: ${error.message}.`
    }
  }

  function draw () {
    show(place, h('div', { class: 'view' }, loaded.tables.map(standings), crosstable(loaded, pair => show(list, played(loaded, pair, lookAt)), list), running(loaded), list))
  }

  async function lookAt (match, record) {
    problem.textContent = ''
    await look(match, record, () => gone).catch(error => { problem.textContent = sentence(error.message) })
  }
  return () => { gone = true }
}

// Returns the matches of all files, and the records by match id.
export function readAll (files) {
  const records = new Map()
  const matches = []
  const tables = []
  for (const [, file] of files) {
    if (Array.isArray(file?.matches) && file.plan) {
      matches.push(...file.matches.map(checked))
      tables.push({ name: String(file.plan.name || 'tournament'), rows: (file.standings ?? []).map(row => standing(row, file.plan.players ?? {})) })
    }
    if (typeof file?.matchId === 'string') records.set(file.matchId, recordOf(file))
  }
  if (!matches.length) throw new Error('no file has a list of matches')
  const players = [...new Set(matches.flatMap(match => match.players))]
  return { matches, records, tables: tables.filter(({ rows }) => rows.length), players: players.map(name => ({ name, mean: meanOf(matches, name) })).sort((one, other) => (other.mean ?? -1) - (one.mean ?? -1)) }
}

function checked ({ match_id: id, game, players, roles, goals, steps, completed, errors }) {
  const texts = [players, roles].every(list => Array.isArray(list) && list.every(text => typeof text === 'string'))
  if (!texts || typeof game !== 'string' || !Array.isArray(goals)) throw new Error('a match has no game, players, roles or goals')
  if (completed && goals.length !== players.length) throw new Error('a completed match has no goal for each player')
  return { id: String(id), game, players, roles, goals: goals.map(Number), steps: Number(steps) || 0, completed: Boolean(completed), errors: counted(Array.isArray(errors) ? errors : []) }
}

const KINDS = { TO: 'time-outs', IL: 'illegal', CE: 'lost', PF: 'failed' }

// Counts the errors of a match by kind.
function counted (errors) {
  const kinds = errors.join(' ').split(' ').filter(Boolean)
  return Object.entries(KINDS).map(([kind, name]) => [kinds.filter(one => one === kind).length, name]).filter(([count]) => count).map(([count, name]) => `${name} ${count}`).join(', ')
}

// A player's row of the table as text; any field may be missing.
function standing ({ name, score, rating, errors, failed }, specs) {
  const number = (value, digits) => Number.isFinite(value) ? value.toFixed(digits) : ''
  const points = value => Number.isFinite(value) ? `${Math.round(value) < 0 ? '−' : '+'}${Math.abs(Math.round(value))}` : ''
  const between = (interval, text) => interval && Number.isFinite(interval.low) && Number.isFinite(interval.high) ? `${text(interval.low)} … ${text(interval.high)}` : ''
  return [name, specs[name] ?? '', score?.count ?? 0, number(score?.mean, 1), between(score, value => number(value, 1)), points(rating?.elo), between(rating, points),
    ...['TO', 'IL', 'CE'].map(kind => errors?.[kind] ?? 0), failed ?? '?'].map(String)
}

// The table of a file, as in the report of `ggp-agent tournament --html`.
function standings ({ name, rows }) {
  const heads = ['player', 'plays as', 'matches', 'mean', '95% interval', 'Elo', '95% interval', ...Object.values(KINDS)]
  return h('section', { class: 'card' }, h('h2', {}, name), h('p', { class: 'soft' }, 'Mean scores are 0 to 100; the mean Elo of all players here is 0. A move has failed if the player raised an error, returned no legal move, or was late; another legal move was then played.'),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Table of ${name}` }, h('table', { class: 'moves standings' },
      h('thead', {}, h('tr', {}, heads.map(head => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, rows.map(([player, ...cells]) => h('tr', {}, h('th', { scope: 'row' }, player), cells.map((cell, i) => h('td', { class: i ? 'number' : null }, cell))))))))
}

function meanOf (matches, name, against = null) {
  const goals = matches.filter(({ completed }) => completed).flatMap(({ players, goals }) => players.flatMap((player, seat) =>
    player === name && (against === null || players.some((other, at) => at !== seat && other === against)) ? [goals[seat]] : []))
  return goals.length ? goals.reduce((sum, goal) => sum + goal, 0) / goals.length : null
}

function crosstable ({ matches, players }, choose) {
  const cell = (row, column) => {
    if (row === column) return h('td', { class: 'number' }, '–')
    const mean = meanOf(matches, row, column)
    return h('td', { class: 'number' }, mean === null ? '' : h('button', { type: 'button', class: 'link', 'aria-label': `${row} against ${column}: ${mean.toFixed(1)}; list their matches`, onclick: () => choose([row, column]) }, mean.toFixed(1)))
  }
  return h('section', { class: 'card' }, h('h2', {}, `${matches.length} matches`), h('p', { class: 'soft' }, 'The mean score of a row’s player in matches with a column’s, 0 to 100; click for the matches.'),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Crosstable' }, h('table', { class: 'moves crosstable' },
      h('thead', {}, h('tr', {}, ['player', 'mean', ...players.map(({ name }) => name)].map(name => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, players.map(({ name, mean }) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', { class: 'number' }, mean === null ? '–' : mean.toFixed(1)), players.map(other => cell(name, other.name))))))),
    h('p', { class: 'actions' }, h('button', { type: 'button', class: 'quiet', onclick: () => choose(null) }, 'List all matches')))
}

// The mean score of each player after each match.
function running ({ matches, players }) {
  if (matches.length < 2) return null
  const sums = players.map(() => [0, 0])
  const values = matches.map(match => {
    match.players.forEach((name, seat) => {
      const own = sums[players.findIndex(player => player.name === name)]
      if (match.completed) { own[0] += match.goals[seat]; own[1] += 1 }
    })
    return sums.map(([sum, count]) => count ? Math.round(sum / count) : null)
  })
  const story = { first: 1, values, joints: [], seconds: [], choosers: [], blunders: [] }
  return h('section', { class: 'card' }, h('h2', {}, 'Mean scores, match by match'), graph({ roles: players.map(({ name }) => name), opposed: false }, story, matches.length, () => {}, { unit: 'match', label: 'mean score' }))
}

function played ({ matches, records }, pair, lookAt) {
  const chosen = matches.filter(({ players }) => !pair || (players.includes(pair[0]) && players.includes(pair[1])))
  return h('section', { class: 'card' }, h('h2', {}, pair ? `${pair[0]} and ${pair[1]}` : 'All matches'),
    h('ul', { class: 'lines' }, chosen.slice(0, 1000).map(match => h('li', {},
      h('strong', {}, match.game), ` ${match.players.map((name, seat) => `${name} as ${match.roles[seat]} ${match.completed ? match.goals[seat] : '–'}`).join(', ')}, ${match.steps} steps${match.completed ? '' : ', not completed'}${match.errors ? `; ${match.errors}` : ''} `,
      records.has(match.id) && h('button', { type: 'button', class: 'link', 'aria-label': `Look at ${match.id}`, onclick: () => lookAt(match, records.get(match.id)) }, 'look at this match')))),
    !records.size && h('p', { class: 'soft' }, 'To see the matches, set `records = "FOLDER"` in the tournament file, and choose the record files, too.'))
}

// Opens a match in analysis. Passes it through the session storage, because it may be too long for a link. Throws if the
// game is unknown. `gone()`: whether another view is shown meanwhile.
async function look ({ game }, record, gone) {
  const bundled = (await get('api/games')).map(({ name }) => name)
  const from = await gameOf(record, bundled) ?? (bundled.includes(game) ? { game } : null)
  if (gone()) return
  if (!from) throw new Error(`The record contains no rules of ${game}; open it in Analyse and paste the rules there`)
  session.setItem('ggp-agent record', JSON.stringify({ ...from, moves: record.moves }))
  session.removeItem('ggp-agent analysis') // from an earlier match
  location.hash = '#/analysis/record'
}
