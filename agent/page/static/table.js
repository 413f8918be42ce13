// A running game against the agent or between people: moves are clicked on the board or in the list.
import { h, show } from './dom.js'
import { board } from './board.js'
import { point } from './ideas.js'
import { begun } from './moves.js'
import { agree, clockBar, spentSince } from './clock.js'
import { get, listenAlone, post, sentence } from './net.js'
import { engineWords } from './engine.js'
import { outcome } from './outcome.js'
import { after } from './aftermath.js'
import { actionsOf, hidden, keepPlace, notesOf, spokenOf } from './people.js'
import { joint, part, players, result } from './part.js'
import { picker } from './picker.js'
import { local } from './storage.js'
import { barred, storyCard, valueBar, valuesAt } from './story.js'
import { thinking } from './thinking.js'
import { words } from './words.js'

const MIND = 'ggp-agent mind' // whether the visitor wants to see what the agent thinks
const LOST = 'The agent does not answer. Retrying … Is `ggp-agent` still running?'

// `leave(said)` returns to the form, `open(key)` opens another game; `people` says that the game is between people.
export function table (main, key, leave, open, people = false) {
  const at = `api/${people ? 'people' : 'play'}/${encodeURIComponent(key)}`
  const head = part({ class: 'head' })
  const say = h('p', { class: 'turn', role: 'status' })
  const clock = part()
  const stage = part()
  const bar = part()
  const list = part()
  const notes = part()
  const engine = part()
  const side = part({ class: 'side' })
  const mind = part()
  const storyPart = part()
  const problem = h('p', { class: 'problem', role: 'alert' })
  const actions = part({ class: 'actions' })
  show(main, h('div', { class: 'view' }, head,
    h('div', { class: 'columns' }, h('div', { class: 'card' }, say, clock, barred(bar, stage), problem, list, engine, notes, actions), h('div', {}, mind, storyPart, side))))
  let story = null // the story so far
  let hinted = null // the last hint, and its step
  let earlier = null // an earlier position that is shown
  let data = null
  let due = false // whether the moves of a new position are still to come
  let before = null
  let sending = null // the step for which a move was sent
  let thought = null // the last search of the agent
  let seen = local.getItem(MIND) === 'on' // whether the agent's thinking is shown while one plays
  let asked = 0 // number of positions that were asked for; only the last one is shown
  let passing = false // whether `problem` says what the next event disproves

  const hand = picker(play, draw)

  function chooser () {
    return data.phase === 'person' && !earlier && sending !== data.position.step ? hand.chooser(data.moves) : null
  }

  async function play (move) {
    sending = data.position.step
    hand.clear()
    problem.textContent = ''
    draw()
    try {
      await post(`${at}/move`, { step: sending, move })
    } catch (error) {
      sending = null
      refuse(error)
      draw()
    }
  }

  function draw () {
    head.draw([data.title, data.players, data.roles], () => [h('h2', {}, data.title), players(data)])
    const [picked, offered] = hand.state
    say.textContent = (people ? spokenOf : spoken)(data, picked, offered, sending === data.position.step)
    say.dataset.phase = data.phase
    clock.draw([data.asked, data.phase, data.position.at], () => data.asked ? clockBar(data.asked, !people ? 'its clock' : data.phase === 'person' ? 'your time' : 'their time')
      : data.phase === 'person' ? spentSince(data.position.at, 'your time so far') : null)
    const now = earlier ?? data.position
    const values = quiet() ? undefined : valuesAt(story, now.step)
    stage.draw([now, data.moves, data.phase, picked, offered, sending, data.key, Boolean(earlier)], () => [
      now.step > 0 && h('p', { class: 'joint' }, `Step ${now.step}: `, h('strong', {}, joint(now))),
      earlier && h('p', { class: 'actions' }, h('button', { type: 'button', class: 'quiet', onclick: () => go(data.position.step) }, 'Back to the game')),
      board(now.picture, earlier ? null : before, chooser())])
    bar.draw(values ?? null, () => valueBar(data, values))
    point(stage, now.picture, !earlier && hinted?.step === data.position.step && data.phase === 'person' && hinted.cells ? [hinted.cells] : [])
    storyPart.draw([story, now.step, quiet()], () => storyCard({ ...data, picture: now.picture, quiet: quiet() }, story, now.step, go))
    mind.draw([minded(), seen], minds)
    search()
    list.draw([chooser() && data.moves, offered], () => chooser() && hand.list(data.moves, 'Your moves', 'Your moves as a list', data.position.picture))
    const said = people ? notesOf(data) : [...hidden(data), ...data.notes]
    notes.draw(said, () => said.map(note => h('p', { class: 'note' }, note)))
    if (people) return actions.draw([data.phase, data.key, data.taken, data.offers, data.again], () => actionsOf(data, at, { leave, away, rematch, refuse, act }))
    engine.draw([data.engine, data.waiting, data.phase], engines)
    actions.draw([story?.first, data.phase, data.key, data.position.step, chooser() !== null, hinted], () => after(data, key, { leave, open, away, hint, hinted, refuse, joints }))
  }

  // The joint moves so far; null if some are missing.
  function joints () {
    return story && story.first === 0 ? story.joints.slice(1, data.position.step + 1) : null
  }

  // Whether values and the agent's thinking are hidden, because they would help the person.
  function quiet () {
    return !seen && data.person !== null && !['over', 'left'].includes(data.phase)
  }

  // Whether the person may choose to see what the agent thinks.
  function minded () {
    return !people && data.person !== null && !['over', 'left'].includes(data.phase)
  }

  function minds () {
    if (!minded()) return null
    const toggle = event => { seen = event.target.checked; local.setItem(MIND, seen ? 'on' : 'off'); draw() }
    return h('p', { class: 'switch' }, h('label', {}, h('input', { type: 'checkbox', 'data-key': 'mind', checked: seen, onchange: toggle }), ' Show what the agent thinks'))
  }

  function search () {
    side.draw(quiet() ? null : [thought, data.position.step], () => !quiet() && thought && thought.figures.moves?.length !== 1 && thinking(thought, { title: 'Search of the agent for its own moves', picture: data.position.picture }))
  }

  // The engine, unless it is the fastest one, and a button to wait for the circuit.
  function engines () {
    const words = ['over', 'left'].includes(data.phase) ? '' : engineWords(data.engine)
    if (!words) return null
    const wait = on => post(`${at}/await`, { wait: on }).catch(refuse)
    return [h('p', { class: 'soft', role: 'status' }, words, data.waiting && ' The next move of the agent waits for the circuit.'),
      data.engine.building && h('p', { class: 'actions' }, h('button', { type: 'button', class: 'quiet', 'data-key': 'await', onclick: () => wait(!data.waiting) }, data.waiting ? 'Stop waiting' : 'Wait for the circuit'))]
  }

  async function go (step) {
    const mine = ++asked
    try {
      const found = step === data.position.step ? null : await get(`${at}/position/${step}`)
      if (mine !== asked) return
      earlier = found
    } catch (error) {
      if (mine === asked) refuse(error)
      return
    }
    hand.clear()
    draw()
  }

  function refuse (error) {
    problem.textContent = sentence(error.message)
    passing = error.later
  }

  async function hint () {
    const { step } = data.position
    hinted = { step, text: 'The agent searches for a hint …' }
    draw()
    try {
      const { move, value } = await post(`${at}/hint`, {})
      hinted = { step, cells: data.moves.find(one => one.move === move)?.cells ?? [], text: `The agent would play ${words(move, data.position.picture)}${value === null ? '' : `, and expects ${Math.round(value)} points for you`}.` }
    } catch (error) {
      hinted = null
      refuse(error)
    }
    draw()
  }

  async function act (verb) {
    await post(`${at}/${verb}`, {}).catch(refuse)
  }

  // Opens one's place in a rematch between people; roles rotate.
  async function rematch () {
    try {
      const told = await post(`${at}/rematch`, {})
      keepPlace(told.invite, told.key, key)
      open(`people/${told.key}`)
    } catch (error) {
      refuse(error)
    }
  }

  async function away () {
    await post(`${at}/leave`, {}).catch(() => {})
    leave()
  }

  const back = event => {
    if (event.key === 'Escape') hand.back()
  }
  document.addEventListener('keydown', back)
  const stop = listenAlone(`${at}/events`, ['time', 'table', 'story', 'thinking'], (name, value) => {
    if (passing) problem.textContent = ''
    passing = false
    if (name === 'time') agree(value)
    if (name === 'thinking') {
      thought = value
      if (data) search()
    }
    if (name === 'story') {
      story = value
      if (data) draw()
    }
    if (name !== 'table') return
    const moved = data && value.position.step !== data.position.step
    if (moved) {
      hand.clear()
      due = true
      before = value.position.step > data.position.step ? data.position.picture : null // a fast answer may arrive together with the person's own move
      earlier = null
      asked += 1
    }
    if (due && value.moves.length) {
      hand.clear(begun(value.moves))
      due = false
    }
    data = value
    draw()
  }, closed => {
    if (closed) leave('This game no longer exists: it was unused for too long, or the agent was restarted. Its moves may be in the history.')
    else [problem.textContent, passing] = [LOST, true]
  })
  return () => {
    document.removeEventListener('keydown', back)
    stop()
  }
}

function spoken (data, picked, offered, sent) {
  if (data.phase === 'over') return `${outcome(data, data.person)} The game is over: ${result(data)}.`
  if (data.phase === 'left') return 'The game has ended early.'
  if (data.phase === 'waiting') return 'The agent waits for its circuit …'
  if (data.phase === 'preparing') return 'The agent reads the rules and prepares …'
  if (data.phase === 'person' && !sent) return offered ? 'Several moves fit; choose one.' : picked.length ? 'Choose a marked cell, or the last one again to take it back.' : `Your move, ${data.roles[data.person]}.`
  return 'The agent thinks …'
}
