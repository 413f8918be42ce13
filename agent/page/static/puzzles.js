// Puzzles of a game: positions with one best move, of a bundled game or from the file of `ggp-agent puzzles --json`. The
// file is not uploaded.
import { h, show } from './dom.js'
import { board } from './board.js'
import { point } from './ideas.js'
import { get, listenAlone, post, sentence } from './net.js'
import { picker } from './picker.js'
import { part } from './part.js'
import { sourceForm } from './source.js'
import { local, session } from './storage.js'
import { words } from './words.js'
import { working } from './working.js'

const KEY = 'ggp-agent streak' // puzzles solved in a row at the first try, the longest such row, and the rating
const SET = 'ggp-agent puzzles' // the set of puzzles of this tab, kept for a reload
const PLACE = 'ggp-agent puzzle' // the current puzzle of the set, and those that have counted
const FIRST = 1200 // rating of a visitor who has solved no puzzles
const STEP = 32 // most points that a puzzle changes the rating (Elo)
// Ratings of puzzles by the simulations that the search needs: 1,000 and the Elo of these levels (research/strength.md).
const RATINGS = [[30, 1000], [100, 1250], [300, 1560], [1000, 1750], [3000, 1920], [Infinity, 2100]]
const [EASY, MEDIUM] = [100, 1000] // most simulations that the search needs for easy and medium puzzles
const LARGEST = 4 << 20 // maximum bytes of a file

export function puzzles (main) {
  const set = JSON.parse(session.getItem(SET) ?? 'null')
  let stop = () => {}
  const leave = () => { session.removeItem(SET); stop(); stop = form(main, enter) }
  const enter = (opened, set) => { stop(); stop = solve(main, opened, set, leave) }
  if (set) enter(null, set)
  else leave()
  return () => stop()
}

// `enter(opened, set)` shows the puzzles of an opened analysis.
function form (main, enter) {
  let gone = false
  const source = sourceForm()
  const wait = working('The agent reads the rules …')
  const problem = h('p', { class: 'problem', role: 'alert' })
  const file = h('input', { id: 'puzzles', type: 'file', accept: '.json,application/json', required: true })
  const begin = h('button', { class: 'primary' }, 'Solve them')
  const sets = part({ class: 'actions' })
  show(main, h('div', { class: 'view narrow' }, h('section', { class: 'card setup' },
    h('h2', {}, 'Puzzles'),
    h('p', { class: 'soft' }, 'Positions in which only one move keeps the best result that can be forced.'),
    sets), h('form', { class: 'card setup', onsubmit: event => { event.preventDefault(); start() } },
    h('h3', {}, 'Puzzles from a file'),
    source.place,
    h('div', { class: 'field' }, h('label', { for: 'puzzles' }, 'The file of “ggp-agent puzzles GAME --json”, with puzzles of this game'), file),
    wait.place, problem, h('p', { class: 'actions' }, begin))))

  get('api/puzzles').then(names => sets.draw(names, () => names.map(name => h('button', { type: 'button', 'data-key': name, onclick: () => start(name) }, name))), () => {})

  // Without `name`, the puzzles come from the file.
  async function start (name) {
    if (begin.disabled) return
    begin.disabled = true
    problem.textContent = ''
    try {
      const told = name ? await get(`api/games/${encodeURIComponent(name)}/puzzles`) : readPuzzles(await textOf(file.files[0]))
      const asked = name ? { game: name } : await source.asked()
      const opened = await wait.during(post('api/analysis', asked))
      if (!name) source.began()
      if (gone) return
      const set = { title: opened.title, asked, told }
      session.setItem(SET, JSON.stringify(set))
      session.removeItem(PLACE)
      enter(opened, set)
    } catch (error) {
      source.refuse(error)
      problem.textContent = sentence(error.message)
    }
    begin.disabled = false
  }

  return () => { gone = true; source.close() }
}

async function textOf (file) {
  if (file.size > LARGEST) throw new Error(`the file is larger than ${LARGEST >> 20} MiB`)
  return file.text()
}

// Returns the puzzles of a file, easy ones first. Throws an Error if it contains none.
export function readPuzzles (text) {
  let told = null
  try { told = JSON.parse(text) } catch { /* the message below says what is wrong */ }
  const good = one => Array.isArray(one?.facts) && one.facts.every(fact => typeof fact === 'string') && typeof one.role === 'string' && typeof one.move === 'string'
  if (!Array.isArray(told) || !told.length || !told.every(good)) throw new Error('the file contains no puzzles; write it with `ggp-agent puzzles GAME --json > FILE`')
  return told.toSorted((one, other) => (one.level || Infinity) - (other.level || Infinity))
}

// The grade of a puzzle by the simulations that the search needs; 0 is more than were tried.
export function gradeOf ({ level }) {
  return level && level <= EASY ? 'easy' : level && level <= MEDIUM ? 'medium' : 'hard'
}

// The rating after a puzzle that was solved at the first try or not, as after a game against a player of its rating.
export function rated (rating, { level }, solved) {
  const theirs = RATINGS.find(([most]) => (level || Infinity) <= most)[1]
  return rating + STEP * (Number(solved) - 1 / (1 + 10 ** ((theirs - rating) / 400)))
}

// Solves the puzzles `told` of an opened analysis, which is opened anew with `asked` if it is null or closed.
function solve (main, opened, { title, asked, told }, leave) {
  let [close, closed] = [() => {}, !opened]
  const [stage, choices, says] = [part(), part(), part()]
  const problem = h('p', { class: 'problem', role: 'alert' })
  const wait = working('The agent computes the position …')
  const place = JSON.parse(session.getItem(PLACE) ?? 'null')
  let number = place?.number ?? 0
  let gone = false
  let shown = null
  let phase = 'ask' // ask, wrong, right, told
  let hinted = false // whether a hint is shown
  const row = kept()
  const counted = new Set(place?.counted) // puzzles that have changed the row and the rating
  const hand = picker(choose, draw)
  const role = () => opened.roles.indexOf(told[number].role)
  const own = () => shown?.moves[role()] ?? []
  const answer = () => own().find(({ move }) => move === told[number].move)

  async function go (wanted) {
    if (wait.busy) return
    problem.textContent = ''
    try {
      if (closed) attend(await wait.during(post('api/analysis', asked)))
      if (gone) return
      const view = await wait.during(post(`${address()}/place`, { facts: told[wanted].facts.join(' ') }))
      if (gone) return
      ;[number, shown, phase, hinted] = [wanted, view, 'ask', false]
      remember()
      hand.clear()
      if (!answer()) problem.textContent = 'The solution of this puzzle is not a legal move; choose the game that the file belongs to.'
      draw()
    } catch (error) {
      problem.textContent = sentence(error.message)
      if (!shown) says.draw('failed', () => h('p', { class: 'actions' }, button('Try again', () => go(wanted), 'primary'), button('Other puzzles', leave)))
    }
  }

  function remember () {
    session.setItem(PLACE, JSON.stringify({ number, counted: [...counted] }))
  }

  function button (name, onclick, kind = 'quiet') {
    return h('button', { type: 'button', class: kind, 'data-key': name, onclick }, name)
  }

  function address () {
    return `api/analysis/${encodeURIComponent(opened.key)}`
  }

  // Keeps an analysis open while its puzzles are shown.
  function attend (one) {
    close()
    ;[opened, closed] = [one, false]
    close = gone ? () => {} : listenAlone(`${address()}/events`, ['time'], () => {}, ended => { closed ||= ended })
  }

  function choose (move) {
    hand.clear()
    const right = move === told[number].move
    count(right)
    phase = right ? 'right' : 'wrong'
    draw()
  }

  // The first answer to a puzzle counts for the row and the rating; a hint or the solution counts as a wrong answer.
  function count (solved) {
    if (counted.has(number)) return
    counted.add(number)
    remember()
    const now = solved ? row.now + 1 : 0
    Object.assign(row, { now, best: Math.max(row.best, now), rating: rated(row.rating, told[number], solved) })
    local.setItem(KEY, JSON.stringify(row))
  }

  function draw () {
    const puzzle = told[number]
    const solved = phase === 'right' || phase === 'told'
    stage.draw([number, phase, hand.state], () => board(shown.picture, null, solved ? undefined : hand.chooser(own())))
    point(stage, shown.picture, solved ? [answer()?.cells ?? []] : hinted ? [(answer()?.cells ?? []).slice(0, 1)] : [])
    choices.draw([number, phase, hand.state], () => solved ? null : hand.list(own(), `Moves of ${puzzle.role}`, `Moves of ${puzzle.role}`, shown.picture))
    says.draw([number, phase, hinted, row], () => {
      const best = words(puzzle.move, shown.picture)
      const text = {
        ask: `${puzzle.role} to move: find the only move that reaches ${puzzle.goal} points.`,
        wrong: 'Not this move. Try again.',
        right: `Right: ${best} is the only move that reaches ${puzzle.goal} points.`,
        told: `The solution is ${best}.`
      }[phase]
      return [
        h('p', { class: 'turn', role: 'status' }, text),
        h('p', { class: 'soft' }, `Puzzle ${number + 1} of ${told.length}, ${gradeOf(puzzle)}. Solved in a row: ${row.now}, at most ${row.best}. Your rating: ${Math.round(row.rating)}.`),
        h('p', { class: 'actions' },
          !solved && !hinted && answer()?.cells.length > 0 && button('Hint', () => { count(false); hinted = true; draw() }),
          !solved && button('Show the solution', () => { count(false); phase = 'told'; draw() }),
          button(told.length > 1 ? 'Next puzzle' : 'Again', () => go((number + 1) % told.length), solved ? 'primary' : 'quiet'),
          button('Other puzzles', leave))]
    })
  }

  const back = event => { if (event.key === 'Escape') hand.back() }
  document.addEventListener('keydown', back)
  show(main, h('div', { class: 'view' }, h('div', { class: 'head' }, h('h2', {}, `Puzzles of ${title}`)),
    h('div', { class: 'card' }, says, wait.place, problem, stage, choices)))
  if (opened) attend(opened)
  go(number)
  return () => { gone = true; close(); document.removeEventListener('keydown', back) }
}

function kept () {
  try {
    const { now, best, rating } = JSON.parse(local.getItem(KEY))
    if (Number.isInteger(now) && Number.isInteger(best)) return { now, best, rating: Number.isFinite(rating) ? rating : FIRST }
  } catch { /* nothing was kept, or it is damaged */ }
  return { now: 0, best: 0, rating: FIRST }
}
