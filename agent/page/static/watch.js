// The running match; while there is none, the gallery of games.
import { h, show, when } from './dom.js'
import { board } from './board.js'
import { clockBar } from './clock.js'
import { engineWords, rateOf } from './engine.js'
import { gallery } from './games.js'
import { joint, part, players, result } from './part.js'
import { barred, storyCard, valueBar, valuesAt } from './story.js'
import { thinking } from './thinking.js'
import { get, sentence } from './net.js'

export function watch (main, store) {
  const head = part({ class: 'head' })
  const left = part({ class: 'stage' })
  const clock = part()
  const right = part({ class: 'side' })
  const storyPart = part()
  const bar = part()
  const shelf = part()
  let games = null // shown while no match is running
  let earlier = null // an earlier position that is shown
  let asked = 0 // number of positions that were asked for; only the last one is shown
  let missed = null // a match that had ended when one of its positions arrived, and the step; its replay is opened
  const problem = h('p', { class: 'problem', role: 'alert' })
  show(main, h('div', { class: 'view watch' }, head, problem, shelf, h('div', { class: 'columns' }, h('div', { class: 'card' }, clock, barred(bar, left)), h('div', {}, storyPart, right))))
  let before = null
  let shown = null
  let shownOf = null // the match of `shown`
  const draw = () => {
    const { match, thinking: thought, story, agent } = store.data
    const shows = [match?.matchId, match?.title, match?.roles, match?.players, match?.position.step, match?.goals, agent]
    head.draw(shows, () => match ? [...title(match), beside(agent.beside), ...agent.turnedAway.map(away)] : idle(agent, store.data.history))
    const id = idOf(match)
    const over = missed && store.data.history?.find(one => idOf(one) === missed.id)
    if (over) {
      location.hash = `#/history/${over.key}/${missed.step}`
      return
    }
    if (match && (id !== shownOf || match.position.step !== shown.step)) {
      before = id === shownOf && match.position.step > shown.step ? shown.picture : null
      if (id !== shownOf) earlier = null
      shown = match.position
      shownOf = id
    }
    shelf.draw(Boolean(agent?.ready) && !match, wanted => {
      games?.stop()
      games = wanted ? gallery() : null
      return games?.place
    })
    clock.parentElement.hidden = !match
    right.hidden = storyPart.hidden = !match
    if (!match) return
    clock.draw([match.asked, match.playClock], () => clockBar(match.asked, match.position.step || match.asked?.seconds === match.playClock ? 'play clock' : 'start clock'))
    const now = earlier ?? match.position
    const values = valuesAt(story, now.step)
    left.draw([now, match.key, Boolean(earlier)], () => [
      now.step > 0 && h('p', { class: 'joint' }, `Step ${now.step}: `, h('strong', {}, joint(now))),
      earlier && h('p', { class: 'actions' }, h('button', { type: 'button', class: 'quiet', onclick: () => go(match.position.step) }, 'Back to the match')),
      board(now.picture, earlier ? null : before)
    ])
    bar.draw(values ?? null, () => valueBar(match, values))
    storyPart.draw([story, now.step], () => storyCard({ ...match, picture: match.position.picture }, story, now.step, go))
    const engine = thought?.figures ? engineWords({ ...thought.figures, rate: rateOf(thought.figures) }) : ''
    right.draw(thought, () => [engine && h('p', { class: 'soft' }, engine), thinking(thought, { picture: match.position.picture })])
  }
  async function go (step) {
    const { match } = store.data
    const mine = ++asked
    problem.textContent = ''
    try {
      const found = step === match.position.step ? null : await get(`api/position/${step}?match=${encodeURIComponent(match.matchId)}`)
      if (mine !== asked) return
      if (idOf(store.data.match) === idOf(match)) earlier = found
      else missed = { id: idOf(match), step }
    } catch (error) {
      if (mine !== asked) return
      if (error.later) problem.textContent = sentence(error.message)
      else missed = { id: idOf(match), step }
    }
    draw()
  }
  draw()
  const follow = store.follow(draw)
  return () => { games?.stop(); follow() }
}

// Names a match; a match that starts again has another name. Null if there is none.
export function idOf (match) {
  return match ? `${match.matchId} ${match.began}` : null
}

function title (match) {
  return [
    h('h2', {}, match.title),
    match.roles.length ? players(match) : h('p', { class: 'soft' }, 'The agent reads the rules.'),
    match.goals && h('p', { class: 'outcome' }, result(match))
  ]
}

// The other running matches.
function beside (titles) {
  return titles.length > 0 && h('p', { class: 'soft' }, `Also running: ${titles.join(', ')}. The page shows the match that started last; the others appear in the history when they end.`)
}

// A START that was answered busy.
function away ({ matchId, reason, at }) {
  return h('p', { class: 'note' }, `${when(at)}: the match ${matchId} was answered busy: ${reason}.`)
}

function idle (agent, history) {
  const refused = agent?.turnedAway ?? []
  if (!agent?.ready) return h('div', { class: 'card empty' }, h('h2', {}, 'Warming up'), h('p', {}, 'The agent compiles its code. The first start after an installation takes about 40 seconds on two processors.'))
  return h('div', { class: 'card free' },
    h('h2', {}, 'The agent is free'),
    h('p', {}, 'Choose a game below. A match of a game manager appears here automatically; managers reach the agent at ', h('code', {}, location.host), '.'),
    h('p', { class: 'actions' },
      h('a', { class: 'button', href: '#/play' }, 'Play against it'),
      history?.length ? h('a', { class: 'button quiet', href: `#/history/${history[0].key}` }, 'See the last match') : null),
    ...refused.map(away))
}
