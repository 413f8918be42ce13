// Analysis board: a tree of positions of any game, and a search of the position that is shown.
import { leaving, readdress } from './address.js'
import { h, show } from './dom.js'
import { board } from './board.js'
import { boardEditor } from './boardeditor.js'
import { bestCells, point } from './ideas.js'
import { asStory, branchList, Branches } from './branches.js'
import { agree } from './clock.js'
import { copyLink } from './copylink.js'
import { editButton } from './edit.js'
import { engineWords, rateOf } from './engine.js'
import { lineSearch } from './linesearch.js'
import { baseOf, linkOf } from './links.js'
import { get, listenAlone, post, sentence } from './net.js'
import { begun, form, reopened } from './opening.js'
import { packed } from './packed.js'
import { part, result } from './part.js'
import { picker } from './picker.js'
import { isChance } from './roles.js'
import { keepNotes, keptNotes } from './notes.js'
import { session } from './storage.js'
import { barred, graph, valueBar } from './story.js'
import { studyPanel } from './study.js'
import { LEARN, teacher } from './teacher.js'
import { thinking } from './thinking.js'
import { threats } from './threat.js'
import { spelled } from './words.js'
import { working } from './working.js'

const KEY = 'ggp-agent analysis' // the analysis of this tab, kept for a reload
const EACH = 1 // seconds per position and role when a whole line is searched

// `asked` is the target of a link: a game, a URL, a match or a record, with moves and a step; null shows the form, with the
// message `said`.
export function analysis (main, asked, said) {
  let stop = () => {}
  let gone = false
  const enter = (opened, at = null) => {
    if (gone) return
    stop()
    stop = explore(main, opened, asked, at, { leave, enter })
  }
  const leave = (said = '', again = null) => { session.removeItem(KEY); stop(); stop = form(main, enter, said, again, again && asked) }
  const open = () => {
    const wait = working('The agent reads the rules and plays the moves …')
    show(main, h('p', { class: 'soft' }, 'The agent reads the rules …'), wait.place)
    wait.during(begun(asked)).then(opened => enter(opened)).catch(error => { if (!gone) leave(error.message, open) })
  }
  const before = JSON.parse(session.getItem(KEY) ?? 'null')
  const link = asked
  // Opens the analysis of this tab; if it was closed, the position in the address bar. An agent that does not answer now may
  // still have the analysis.
  const again = () => get(`api/analysis/${before.key}`).then(opened => enter(opened, before.at)).catch(error => {
    if (gone) return
    if (error.later) {
      stop()
      stop = form(main, enter, error.message, again, asked)
    } else {
      if (!asked?.study) asked = link ?? asked
      ;(asked?.from ? open : leave)()
    }
  })
  if (!asked && said) stop = form(main, enter, said)
  else if (before && (!asked || location.hash === before.hash)) {
    asked = before.asked ?? asked
    again()
  } else if (asked) open()
  else leave()
  return () => { gone = true; stop() }
}

// `from` is the position to show first, if known.
function explore (main, opened, asked, from, { leave, enter }) {
  const address = `api/analysis/${encodeURIComponent(opened.key)}`
  const tree = new Branches(opened.nodes, keptNotes(opened.key))
  const match = { roles: opened.roles, players: opened.roles.map(() => ''), opposed: opened.opposed }
  const [problem, shut] = [h('p', { class: 'problem', role: 'alert' }), h('p', { class: 'problem', role: 'alert' })]
  const [stage, bar, controls, choices, engine, story, more, notes, lesson, menace] = Array.from({ length: 10 }, () => part())
  const searching = h('p', { class: 'soft', role: 'status' })
  const mind = h('div', { class: 'card engine' }, searching, engine)
  let at = 0
  let shown = null // the position as the agent sent it
  let before = null
  let mine = [] // the moves chosen so far in a position with simultaneous moves
  let running = true
  const search = lineSearch(opened.roles)
  let ended = false
  let closed = false // whether the agent has closed this analysis
  let restructured = 0 // changes of the order of branches
  let learning = false // whether the line is searched to learn from it
  const sides = opened.roles.filter(name => !isChance(name)).length
  let note = opened.note && sentence(opened.note) // why some requested moves are missing
  let free = true // whether this analysis may search
  let turnedAway = false // whether the search was refused, or the turn of this analysis has ended
  let asking = 0 // number of positions that were asked for; only the last one is shown
  let queue = null // its place in the queue, and the seconds until its turn
  const wait = working('The agent computes the position …')
  const brought = opened.source?.game || opened.source?.url ? Promise.resolve(null) : get(`${address}/rules`).catch(() => null)
  const bring = brought.then(told => told && packed(told)).catch(() => null)
  const hand = picker(choose, draw)
  const learn = teacher({ tree, roles: opened.roles, go: number => go(number), draw, picture: () => shown.picture })

  const threat = threats(address, opened.roles, {
    at: () => at,
    know: view => { tree.add(view); tree.annotate(view.node, { gone: true }); keepNotes(opened.key, tree.notes) },
    resume: () => { if (!ended) think() },
    draw,
    refuse
  })

  // The role whose move is asked, and the one whose search is shown.
  const mover = () => {
    const open = shown?.choosers.filter(one => mine[one] === undefined) ?? []
    return open.find(one => one === learn.roleAt(at)) ?? open[0] ?? shown?.choosers[0] ?? 0
  }
  const role = () => search.roleAt(at) ?? mover()
  const own = () => shown && !shown.terminal ? shown.moves[mover()] ?? [] : []

  function leaveLine () {
    search.stop()
    learning = false
  }

  async function go (number, keep = false) {
    const order = ++asking
    if (!keep) leaveLine()
    try {
      const view = await wait.during(get(`${address}/nodes/${number}`))
      if (!ended && order === asking) arrive(view, keep)
    } catch (error) {
      refuse(error)
    }
  }

  function arrive (view, keep = false) {
    before = shown && view.parent === shown.node ? shown.picture : null
    tree.add(view)
    if (tree.notes.get(view.node)?.gone) tree.annotate(view.node, { gone: false })
    if (!keep) leaveLine()
    learn.leave(view.node)
    threat.leave()
    ;[at, shown, mine] = [view.node, view, []]
    hand.clear()
    problem.textContent = note
    note = ''
    think()
    draw()
    name()
  }

  // Returns the line to a position. After a reload, it first fetches the facts of a placed position.
  async function lineTo (number) {
    const line = tree.line(number)
    const base = line[baseOf(line)]
    if (base.node === 0 || base.facts) return line
    tree.add(await get(`${address}/nodes/${base.node}`))
    return tree.line(number)
  }

  // Puts the link to the position into the address bar.
  async function name () {
    const here = at
    const line = await lineTo(at).catch(() => tree.line(here))
    const rules = await bring
    if (ended || leaving() || at !== here) return
    const link = linkOf(opened, asked, line, rules)
    if (link) readdress(link)
    session.setItem(KEY, JSON.stringify({ key: opened.key, asked: asked?.from.rules ? null : asked, hash: location.hash, at }))
  }

  function think () {
    const one = search.running ? { seconds: EACH } : {}
    post(`${address}/think`, running && !shown.terminal ? { node: at, role: role(), ...one } : { node: null })
      .then(({ searches }) => { turnedAway = !searches; if (!ended && shown) draw() }).catch(refuse)
    // No event comes of a result that does not change, so a search of before counts.
    if (search.running && (shown.terminal || shown.figures?.[role()]?.done)) goOn()
  }

  // Goes to the next position of a line that is being searched.
  function goOn () {
    const next = search.next()
    if (next) return go(next.node, true)
    if (learning) taught()
    think()
  }

  async function choose (move, by = mover()) {
    if (wait.busy) return
    hand.clear()
    if (learn.answers(move, at)) return
    leaveLine()
    mine[by] = move
    const open = shown.choosers.filter(one => mine[one] === undefined)
    hand.clear()
    if (open.length) {
      think()
      return draw()
    }
    const joint = shown.moves.map((moves, one) => mine[one] ?? moves[0].move)
    await send('try', { node: at, joint })
  }

  // Adds a line of the search to the tree and goes to its end.
  async function follow (joints) {
    if (wait.busy) return
    let from = at
    for (const joint of joints.slice(0, -1)) {
      const known = (tree.children.get(from) ?? []).map(one => tree.get(one)).find(one => !one.passed && String(one.joint) === String(joint))
      const next = known ?? await wait.during(post(`${address}/try`, { node: from, joint })).catch(refuse)
      if (!next) return
      tree.add(next)
      from = next.node
    }
    await send('try', { node: from, joint: joints.at(-1) })
  }

  async function send (what, body) {
    mine = []
    const number = ++asking
    try {
      const view = await wait.during(post(`${address}/${what}`, body))
      if (ended) return false
      if (number === asking) arrive(view)
      else tree.add(view)
      return true
    } catch (error) {
      refuse(error)
      return false
    }
  }

  function refuse (error) {
    if (ended) return
    problem.textContent = sentence(error.message)
    leaveLine() // it may wait for this request
    draw()
  }

  function draw () {
    if (!shown) return
    const last = tree.next(at) === null
    const found = shown.figures?.[role()]
    const step = (label, text, to, off) => h('button', { type: 'button', class: 'quiet', 'aria-label': label, 'data-key': label, disabled: off, onclick: () => go(to) }, text)
    controls.draw([at, last, running, closed, shown.terminal, found?.done, found?.solved], () => h('div', { class: 'controls' },
      step('First position', '|◀', tree.line(at)[0].node, at === tree.line(at)[0].node), step('Step back', '◀', tree.get(at).parent, tree.get(at).parent === null),
      step('Step forward', '▶', tree.next(at), last), step('Last position', '▶|', tree.whole(at).at(-1).node, last),
      searchButton(found)))
    const values = tree.get(at).values
    bar.draw([values, learn.hides], () => learn.hides ? null : valueBar(match, values))
    lesson.draw(learn.state, learn.card)
    stage.draw([shown.node, mine, hand.state, mover()], () => [h('p', { class: 'joint' }, said()),
      board(shown.picture, before, shown.terminal ? undefined : hand.chooser(own()))])
    choices.draw([shown.node, mine, hand.state, mover()], () => own().length ? hand.list(own(), `Moves of ${opened.roles[mover()]}`, `Moves of ${opened.roles[mover()]}`, shown.picture) : null)
    const line = tree.whole(at)
    story.draw([line.map(({ node }) => node), at, [...tree.nodes.keys()].length, line.map(({ values }) => values), search.words, [...tree.notes]], () => h('section', { class: 'card story' }, h('h2', {}, 'Lines'),
      line.length > 1 && line.some(({ values }) => values.some(value => value !== null)) ? graph(match, asStory(tree, line), tree.line(at).length - 1, i => go(line[i].node)) : null,
      branchList(tree, at, go, shown.picture),
      line.length > 1 && h('p', { class: 'actions' }, h('button', { type: 'button', class: 'quiet', 'data-key': 'through', onclick: lookThrough }, search.words),
        h('button', { type: 'button', class: 'quiet', 'data-key': 'learn line', onclick: study }, 'Learn from your mistakes'))))
    more.draw([shown.node], below)
    const changed = structure => { keepNotes(opened.key, tree.notes); if (structure) restructured += 1; draw() }
    notes.draw([shown.node, restructured, tree.childrenOf(tree.get(at).parent).length], () => studyPanel({ opened, address, tree, at, picture: shown.picture, go, changed, refuse }))
    figures()
  }

  // Opens the whole tree in a new analysis, after the agent has closed this one: it was away, or its page was.
  async function reopen () {
    try {
      const fresh = await wait.during(reopened(opened, tree, await brought))
      if (ended) return
      keepNotes(fresh.opened.key, fresh.notes)
      enter(fresh.opened, fresh.numbers.get(at) ?? 0)
    } catch (error) {
      refuse(error)
    }
  }

  // There is no button if the analysis or the game is over, or the search has finished with a proof.
  function searchButton (found) {
    if (closed || shown.terminal || (found?.done && found.solved)) return null
    const again = running && found?.done
    const toggle = () => { running = again || !running; leaveLine(); think(); draw() }
    return h('button', { type: 'button', class: 'quiet', 'data-key': 'search', 'aria-pressed': running && !again ? 'true' : 'false', onclick: toggle },
      again ? 'Search longer' : running ? 'Stop the search' : 'Search')
  }

  function said () {
    if (shown.terminal) return `Game over: ${result({ ...match, goals: shown.goals }) ?? ''}`
    const who = shown.choosers.map(one => opened.roles[one]).join(' and ')
    const waits = mine.some(move => move !== undefined) ? `; chosen: ${spelled(mine.filter(Boolean), shown.picture)}; now ${opened.roles[mover()]}` : ''
    return `Step ${shown.step}${who ? `, ${who} to move` : ', no role has a choice'}${waits}`
  }

  function figures () {
    const by = role()
    const own = shown.figures?.[by]
    engine.draw([own, by, shown.node, turnedAway, learn.hides], () => learn.hides || shown.terminal || !(own?.moves || (own?.done && !turnedAway)) ? null : thinking(own.moves ? { figures: own, step: shown.step, role: by } : null, { title: `Best for ${opened.roles[by]}`, rates: null, picture: shown.picture, choose: move => choose(move, by), follow }))
    const covered = learn.hides || shown.terminal || hand.state[0].length
    point(stage, shown.picture, covered ? [] : bestCells(own, shown.moves[by] ?? []), covered ? [] : threat.cells)
    menace.draw([threat.state, learn.hides], () => learn.hides ? null : threat.said())
    mind.hidden = shown.terminal
    searching.textContent = shown.terminal ? '' : closed ? 'The search has ended.' : !running ? 'The search is stopped.' : turnedAway || !free ? inQueue(queue)
      : own?.done ? (own.solved ? 'Solved.' : `The search has reached its time limit. ${engineWords({ ...own, rate: rateOf(own) })}`)
        : own?.engine ? engineWords({ ...own, rate: rateOf(own) }) || 'Searching with the circuit …' : 'Starting the search …'
  }

  function study () {
    learning = true
    lookThrough()
  }

  // The line was searched: judges its moves.
  function taught () {
    learning = false
    const wanted = opened.roles.indexOf(session.getItem(LEARN) ?? '')
    session.removeItem(LEARN)
    learn.judge(tree.whole(at), wanted < 0 ? null : wanted)
    draw()
    lesson.scrollIntoView({ block: 'nearest' })
  }

  function lookThrough () {
    running = true
    search.begin(tree.whole(at))
    goOn()
  }

  // The form to place a position, and a button to play from this position.
  function below () {
    const facts = h('textarea', { id: 'facts', rows: 4, spellcheck: 'false', autocapitalize: 'off', placeholder: '(cell 1 1 x) (control white) …' })
    const place = h('form', { onsubmit: event => { event.preventDefault(); send('place', { facts: facts.value }) } },
      h('label', { for: 'facts' }, 'A position by its facts'), facts,
      h('p', { class: 'actions' }, h('button', { class: 'quiet' }, 'Place it'), h('button', { type: 'button', class: 'link', onclick: () => { facts.value = shown.facts.join('\n') } }, 'copy the facts of this position')))
    return [
      h('p', { class: 'actions' },
        !shown.terminal && sides > 1 && h('button', { type: 'button', class: 'quiet', 'data-key': 'swap', onclick: () => send('try', { node: at }) }, 'Change the side to move'),
        !shown.terminal && sides > 1 && h('button', { type: 'button', class: 'quiet', 'data-key': 'threat', onclick: threat.ask }, 'What would the other do?'),
        !shown.terminal && h('button', { type: 'button', class: 'quiet', 'data-key': 'play on', onclick: playOn }, 'Play on from here'),
        h('button', { type: 'button', class: 'quiet', 'data-key': 'edit board', onclick: editBoard }, 'Edit the position'),
        editButton(`${address}/rules`, refuse),
        h('button', { type: 'button', class: 'quiet', 'data-key': 'leave', onclick: () => { readdress('#/analysis'); leave() } }, 'Another game')),
      h('details', { class: 'place' }, h('summary', {}, 'Place a position'), place)]
  }

  // Shows the board editor in place of the columns.
  async function editBoard () {
    const columns = main.querySelector('.columns')
    const back = () => { editor.remove(); columns.hidden = false; more.querySelector('[data-key="edit board"]')?.focus() }
    const use = async facts => { if (await send('place', { facts })) back(); else editor.querySelector('.problem').textContent = problem.textContent }
    const editor = await wait.during(boardEditor(address, shown.facts, use, back)).catch(refuse)
    if (!editor || ended) return
    columns.hidden = true
    columns.before(editor)
    editor.querySelector('h2').focus()
  }

  async function playOn () {
    const from = opened.source ?? { analysis: opened.key }
    const line = await lineTo(at).catch(refuse)
    if (!line || ended) return
    const base = baseOf(line)
    const placed = line[base].node !== 0 ? { facts: line[base].facts.join(' ') } : {}
    session.setItem('ggp-agent wish', JSON.stringify({ ...from, ...placed, moves: line.slice(base + 1).map(({ joint }) => joint), roles: opened.roles, title: opened.title, role: opened.roles[mover()] }))
    location.hash = '#/play'
  }

  const keys = event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, select, .board, .boardeditor')) return
    const to = { ArrowLeft: tree.get(at)?.parent ?? null, ArrowRight: tree.next(at), Home: tree.line(at)[0]?.node, End: tree.whole(at).at(-1)?.node }[event.key]
    if (event.key === 'Escape') hand.back()
    if (to === undefined || to === null) return
    event.preventDefault()
    go(to)
  }
  document.addEventListener('keydown', keys)
  show(main, h('div', { class: 'view' }, h('div', { class: 'head' }, h('h2', {}, opened.title), h('p', { class: 'soft' }, 'Make any move; every line is kept. Use the arrow keys to step.'),
    copyLink(async () => linkOf(opened, asked, await lineTo(at), await bring) ?? location.hash)),
    h('div', { class: 'columns' }, h('div', { class: 'card' }, controls, barred(bar, stage), wait.place, problem, shut, menace, choices, more), h('div', {}, mind, lesson, story, h('div', { class: 'card' }, notes)))))
  const close = listenAlone(`${address}/events`, ['time', 'thought', 'free', 'queue'], (name, value) => {
    if (name === 'time') agree(value)
    if (name === 'queue') {
      queue = value
      if (shown) draw()
    }
    if (name === 'free') {
      turnedAway ||= running && free && !value
      free = value
      if (free && turnedAway && running && shown) think()
      if (shown) draw()
    }
    if (name !== 'thought' || !value || !shown) return
    tree.add({ node: value.node, parent: tree.get(value.node)?.parent ?? null, values: value.values, figures: value.figures })
    if (threat.heard(value)) draw()
    if (value.node === at) {
      shown.figures = value.figures
      draw()
      if (value.figures[search.roleAt(at)]?.done) goOn()
    }
  }, (over, why) => {
    if (!over) return
    closed = true
    leaveLine()
    threat.leave()
    shut.replaceChildren(`The agent has closed this analysis${why ? `: ${why}` : ''}. `, h('button', { type: 'button', class: 'quiet', 'data-key': 'reopen', onclick: reopen }, 'Open it again'))
    if (shown) draw()
  })
  const wanted = tree.line(opened.nodes.at(-1).node)
  go(from ?? wanted[Math.min(asked?.step ?? wanted.length - 1, wanted.length - 1)].node).then(() => { if (shown && session.getItem(LEARN) !== null) study() })
  return () => { ended = true; close(); document.removeEventListener('keydown', keys) }
}

// Returns a sentence with the place of this analysis in the queue and the time until it can search.
function inQueue (queue) {
  if (!queue) return 'The analysis board is in use. Raise `page.analyses` to allow more.'
  const minutes = Math.round(queue.seconds / 60)
  return `The analysis board is in use. This analysis is number ${queue.place} in the queue; it can search in ${minutes > 1 ? `about ${minutes} minutes` : minutes ? 'about a minute' : 'less than a minute'}.`
}
