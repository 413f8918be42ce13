// A game against the agent under way: moves are clicked on the board or in the list.
import { h } from './dom.js'
import { board, same } from './board.js'
import { begun } from './moves.js'
import { agree, clockBar } from './clock.js'
import { listen, post, sentence } from './net.js'
import { outcome } from './outcome.js'
import { joint, part, players, result } from './part.js'
import { thinking } from './thinking.js'

const MANY = 24 // moves from which on the list can be narrowed
const LOST = 'The agent does not answer; trying again. Is `ggp-agent serve` still running?'

export function table (main, key, leave) {
  const head = part({ class: 'head' })
  const say = h('p', { class: 'turn', role: 'status' })
  const clock = part()
  const stage = part()
  const list = part()
  const notes = part()
  const side = part({ class: 'side' })
  const problem = h('p', { class: 'problem', role: 'alert' })
  const actions = part({ class: 'actions' })
  main.replaceChildren(h('div', { class: 'view' }, head,
    h('div', { class: 'columns' }, h('div', { class: 'card' }, say, clock, stage, problem, list, notes, actions), side)))
  let data = null
  let picked = [] // the cells of a move that are chosen so far
  let offered = null // moves among which a click on the board has left a choice
  let before = null
  let filter = ''
  let sending = null // the step a move was sent for

  function chooser () {
    return data.phase === 'person' && sending !== data.position.step ? { moves: data.moves, picked, offered, pick, play } : null
  }

  function pick (cell) {
    offered = null
    if (picked.length && same(picked.at(-1), cell)) return take(picked.slice(0, -1))
    const along = path => data.moves.filter(({ cells }) => cells.length >= path.length && path.every((one, i) => same(one, cells[i])))
    const path = picked.length && along([...picked, cell]).length ? [...picked, cell] : [cell]
    const found = along(path)
    if (!found.length) return take([])
    if (found.every(({ cells }) => cells.length === path.length)) return settle(found, path)
    if (found.some(({ cells }) => cells.length === path.length)) offered = found
    take(path)
  }

  function take (path) {
    picked = path
    draw()
  }

  function settle (moves, path) {
    if (moves.length === 1) return play(moves[0].move)
    offered = moves
    take(path)
  }

  async function play (move) {
    sending = data.position.step
    picked = []
    offered = null
    problem.textContent = ''
    draw()
    try {
      await post(`/api/play/${encodeURIComponent(key)}/move`, { step: sending, move })
    } catch (error) {
      sending = null
      problem.textContent = sentence(error.message)
      draw()
    }
  }

  function draw () {
    head.draw([data.title, data.players, data.roles], () => [h('h2', {}, data.title), players(data)])
    say.textContent = spoken(data, picked, offered, sending === data.position.step)
    say.dataset.phase = data.phase
    clock.draw(data.asked, () => data.asked ? clockBar(data.asked, 'its clock') : null)
    stage.draw([data.position, data.moves, data.phase, picked, offered, sending, data.key], () => [
      data.position.step > 0 && h('p', { class: 'joint' }, `Step ${data.position.step}: `, h('strong', {}, joint(data.position))),
      board(data.position.picture, before, chooser())])
    list.draw([chooser() && data.moves, offered, filter], moves)
    notes.draw(data.notes, () => data.notes.map(note => h('p', { class: 'note' }, note)))
    actions.draw([data.phase, data.key], () => over(data) ? [
      data.key > 0 && h('a', { class: 'button', href: `#/history/${data.key}`, onclick: () => leave() }, 'Replay it'),
      h('button', { type: 'button', class: 'primary', onclick: () => leave() }, 'Play another')
    ] : h('button', { type: 'button', class: 'quiet', onclick: away }, 'Leave the game'))
  }

  function moves () {
    if (!chooser()) return null
    const wanted = (offered ?? data.moves).filter(({ move }) => move.toLowerCase().includes(filter.toLowerCase()))
    const title = offered ? 'Which of these?' : 'Your moves'
    const onBoard = !offered && data.moves.every(({ cells, column }) => cells.length || column !== null)
    const place = onBoard
      ? [h('details', { class: 'choices', open: list.querySelector('details')?.open ?? false }), h('summary', {}, 'Your moves as a list')]
      : [h('section', { class: 'choices' }), h('h3', {}, title)]
    place[0].append(place[1], ...[
      data.moves.length > MANY && !offered ? h('input', { type: 'search', 'data-key': 'filter', 'aria-label': 'Narrow the moves down', placeholder: 'narrow down …', value: filter, oninput: event => { filter = event.target.value; draw() } }) : null,
      h('ul', {}, wanted.slice(0, 200).map(({ move }) => h('li', {}, h('button', { type: 'button', class: 'quiet', 'data-key': `move ${move}`, onclick: () => play(move) }, move)))),
      wanted.length > 200 && h('p', { class: 'soft' }, `and ${wanted.length - 200} more; narrow them down`)
    ].filter(Boolean))
    return place[0]
  }

  async function away () {
    await post(`/api/play/${encodeURIComponent(key)}/leave`, {}).catch(() => {})
    leave()
  }

  const back = event => {
    if (event.key !== 'Escape' || !(picked.length || offered)) return
    offered = null
    take([])
  }
  document.addEventListener('keydown', back)
  const stop = listen(`/api/play/${encodeURIComponent(key)}/events`, ['time', 'table', 'thinking'], (name, value) => {
    problem.textContent = problem.textContent === LOST ? '' : problem.textContent
    if (name === 'time') agree(value)
    if (name === 'thinking') side.draw(value, () => value && h('details', { class: 'peek', open: side.querySelector('details')?.open ?? false }, h('summary', {}, 'See what the agent thinks'), thinking(value)))
    if (name !== 'table') return
    if (data && value.position.step !== data.position.step) {
      before = value.position.step > data.position.step ? data.position.picture : null // a fast answer comes with the own move
      picked = begun(value.moves)
      offered = null
      filter = ''
    }
    data = value
    draw()
  }, closed => {
    if (closed) leave('The agent does not know this game any more; it was left for too long, or the agent was started again. History may have its moves.')
    else problem.textContent = LOST
  })
  return () => {
    document.removeEventListener('keydown', back)
    stop()
  }
}

function over (data) {
  return data.phase === 'over' || data.phase === 'left'
}

function spoken (data, picked, offered, sent) {
  if (data.phase === 'over') return `${outcome(data, data.person)} The game is over: ${result(data)}.`
  if (data.phase === 'left') return 'The game has ended early.'
  if (data.phase === 'preparing') return 'The agent reads the rules and prepares …'
  if (data.phase === 'person' && !sent) return offered ? 'Several moves fit; choose one.' : picked.length ? 'Now where to? Choose a marked cell, or Escape.' : `Your move, ${data.roles[data.person]}.`
  return 'The agent thinks …'
}
