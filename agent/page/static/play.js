// A game against the agent: the form, then the table.
import { h, show } from './dom.js'
import { post, sentence } from './net.js'
import { levels } from './levels.js'
import { isChance } from './roles.js'
import { sourceForm } from './source.js'
import { table } from './table.js'

const KEY = 'ggp-agent table' // the game that this tab plays, for a page that is loaded again
const WISH = 'ggp-agent wish' // a position of an analysis that is to be played on

// `rest` are the parts of a link after the view: `game` and a name choose that game.
export function play (main, store, [kind, name] = []) {
  let stop = () => {}
  let gone = false // another view is shown; an answer that comes late draws nothing
  const open = key => {
    sessionStorage.setItem(KEY, key)
    if (gone) return
    stop()
    stop = table(main, key, back, open)
    main.focus({ preventScroll: true })
  }
  const wanted = kind === 'game' && name ? { kind: 'game', name: decodeURIComponent(name) } : null
  const back = (said = '') => { sessionStorage.removeItem(KEY); if (gone) return; stop(); stop = form(main, store, open, said, wanted); main.focus() }
  const wish = JSON.parse(sessionStorage.getItem(WISH) ?? 'null')
  const before = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(WISH)
  if (wish) stop = form(main, store, open, '', null, wish)
  else if (before && !wanted) open(before)
  else stop = form(main, store, open, '', wanted)
  return () => { gone = true; stop() }
}

// `said` is shown at once: why a game is not there any more. `wish` is a position to go on from.
function form (main, store, open, said, chosen, wish = null) {
  let wanted = wish?.role ? `as ${wish.role}` : null // the role that was chosen by hand
  const problem = h('p', { class: 'problem', role: 'alert' })
  const role = h('select', { id: 'role', onchange: () => { wanted = role.value } })
  const clock = (id, value) => h('input', { id, type: 'number', min: 0.1, max: 3600, step: 'any', value, required: true })
  const [startClock, playClock] = [clock('start-clock', 3), clock('play-clock', 2)]
  const source = wish ? null : sourceForm({ changed: ({ roles }) => offer(roles), chosen })
  const level = levels(store.data.agent?.player)
  const start = h('button', { class: 'primary' }, 'Begin')
  const place = h('form', { class: 'card setup', onsubmit: begin },
    h('h2', {}, 'Play against the agent'),
    wish ? h('p', {}, h('strong', {}, wish.title), wish.facts ? ' from a position that was placed.' : ` from the position after step ${wish.moves.length}.`) : [h('p', {}, h('a', { href: '#/games' }, 'Choose a game by its picture')), source.place],
    h('div', { class: 'fields' },
      h('div', { class: 'field' }, h('label', { for: 'role' }, 'I play'), role),
      level && h('div', { class: 'field' }, h('label', { for: 'level' }, 'It plays'), level),
      h('div', { class: 'field' }, h('label', { for: 'start-clock' }, 'It prepares, seconds'), startClock),
      h('div', { class: 'field' }, h('label', { for: 'play-clock' }, 'It thinks, seconds a move'), playClock)),
    problem,
    h('p', { class: 'actions' }, start, h('span', { class: 'soft' }, 'You may think as long as you like.')))
  show(main, h('div', { class: 'view narrow' }, place))

  function offer (roles) {
    const mine = roles.filter(name => !isChance(name))
    show(role, mine.map(name => h('option', { value: `as ${name}` }, name)), h('option', { value: 'nobody' }, 'nobody; I watch'))
    if ([...role.options].some(({ value }) => value === wanted)) role.value = wanted
    if (roles.length) problem.textContent = ''
  }

  async function begin (event) {
    event.preventDefault()
    start.disabled = true
    problem.textContent = ''
    try {
      const { game, url, rules, match, study, moves, facts } = wish ?? source.asked()
      const from = game ? { game } : url ? { url } : rules ? { rules } : study ? { study } : { match }
      const asked = { ...from, ...(moves ? { moves } : {}), ...(facts ? { facts } : {}), role: role.value.startsWith('as ') ? role.value.slice(3) : null, startClock: Number(startClock.value), playClock: Number(playClock.value), simulations: Number(level?.value ?? 0) }
      const { key } = await post('/api/play', asked)
      open(key)
    } catch (error) {
      source?.refuse(error)
      if (error.faults?.length) offer([])
      problem.textContent = sentence(error.message)
    }
    start.disabled = false
  }

  if (wish) offer(wish.roles)
  problem.textContent = said
  return () => source?.close()
}
