// A game against the agent or another person: the form, then the table.
import { readdress } from './address.js'
import { h, show } from './dom.js'
import { takeUp } from './drafts.js'
import { get, post, sentence } from './net.js'
import { levels } from './levels.js'
import { decoded } from './links.js'
import { unpacked } from './packed.js'
import { invitation, keepPlace } from './people.js'
import { isChance } from './roles.js'
import { seats, tookPlace } from './seats.js'
import { sourceForm } from './source.js'
import { session } from './storage.js'
import { table } from './table.js'
import { working } from './working.js'

const KEY = 'ggp-agent table' // the game of this tab, kept for a reload
const PEOPLE = 'people/' // before the key of a game between people
const WISH = 'ggp-agent wish' // a position of an analysis to play from, kept for a reload of the form

// `kind` and `name` are the parts of a link after the view: `game` and a name choose that game, `rules` or `sheet` contain
// rules, `edit` shows the draft, `join` is an invitation to a game between people, and `watch` shows one.
export function play (main, store, [kind, name] = []) {
  let stop = () => {}
  let gone = false // whether another view is shown; late answers are then ignored
  const open = key => {
    const people = key.startsWith(PEOPLE)
    session.setItem(KEY, key)
    session.removeItem(WISH)
    if (!people) tookPlace(key)
    if (gone) return
    stop()
    if (kind) readdress('#/play') // so that a reload shows this game
    stop = table(main, people ? key.slice(PEOPLE.length) : key, back, open, people)
    main.focus({ preventScroll: true })
  }
  const brought = (kind === 'rules' || kind === 'sheet') && name
  const wanted = kind === 'game' && name ? { kind: 'game', name: decoded(name) } : kind === 'edit' || brought ? { kind: 'rules' } : null
  const back = (said = '') => { session.removeItem(KEY); if (gone) return; stop(); stop = form(main, store, open, said); main.focus() }
  // Shows why the watched game cannot be seen; otherwise the visitor's own game, if there is one.
  const unwatched = said => {
    if (!said) location.hash = '#/play'
    else if (!gone) { readdress('#/play'); stop(); stop = form(main, store, open, said) }
  }
  const wish = JSON.parse(session.getItem(WISH) ?? 'null')
  const before = session.getItem(KEY)
  if (kind === 'join' && name) stop = invitation(main, decoded(name), key => open(PEOPLE + key))
  else if (kind === 'watch' && name) stop = table(main, decoded(name), unwatched, open, true)
  else if (brought) {
    show(main, h('p', { class: 'soft' }, 'Reading the rules of the link …'))
    unpacked({ kind, name }).then(({ title, rules }) => takeUp(title, rules), error => error.message)
      .then(said => { if (!gone) stop = form(main, store, open, said ? sentence(said) : '', wanted) })
  } else if (wish) stop = form(main, store, open, '', null, wish)
  else if (before && !wanted) open(before)
  else stop = form(main, store, open, '', wanted)
  return () => { gone = true; session.removeItem(WISH); stop() }
}

// `said` is a message to show, for example why a game ended. `wish` is a position to play from.
function form (main, store, open, said, chosen, wish = null) {
  let known = wish?.roles ?? [] // the roles of the game, if known
  let seat = null
  let wanted = wish?.role ? `as ${wish.role}` : null // the role that the visitor chose
  const alert = text => h('p', { class: 'problem', role: 'alert' }, text)
  const problem = alert('')
  const before = said && alert(said) // `problem` is emptied when roles are offered
  const role = h('select', { id: 'role', onchange: () => { wanted = role.value; seat?.draw() } })
  const clock = (id, value) => h('input', { id, type: 'number', min: 0.1, max: 3600, step: 'any', value, required: true })
  const [startClock, playClock] = [clock('start-clock', 3), clock('play-clock', 2)]
  const level = levels(store.data.agent?.player)
  const moveClock = h('input', { id: 'move-clock', type: 'number', min: 0, max: 3600, step: 'any', value: 0, required: true })
  const against = h('select', { id: 'against', onchange: () => offer(known) }, h('option', { value: 'agent' }, 'the agent'), h('option', { value: 'people' }, 'a person, by link'))
  get('api/opponents').then(names => against.append(...names.map(name => h('option', { value: `player ${name}` }, name))), () => {})
  const people = () => against.value === 'people'
  const limits = h('span', { class: 'soft' })
  const field = (input, label) => h('div', { class: 'field' }, h('label', { for: input.id }, label), input)
  const itsLevel = level && field(level, 'Level')
  const forAgent = [field(startClock, 'Start clock, seconds'), field(playClock, 'Play clock, seconds per move')]
  const forPeople = [field(moveClock, 'Seconds per move, 0: no limit')]
  const source = wish ? null : sourceForm({ changed: ({ roles }) => offer(roles), chosen })
  const start = h('button', { class: 'primary' }, 'Begin')
  const wait = working('The agent reads the rules …')
  seat = seats(store, () => people() ? 0 : Math.max(known.filter(name => !isChance(name) && `as ${name}` !== role.value).length, known.length ? 0 : 1), send, start)
  const place = h('form', { class: 'card setup', onsubmit: event => { event.preventDefault(); if (seat.free()) send(false) } },
    h('h2', {}, 'Play against the agent or a person'),
    wish ? h('p', {}, h('strong', {}, wish.title), wish.facts ? ' from a placed position.' : ` from the position after step ${wish.moves.length}.`) : [h('p', {}, h('a', { href: '#/games' }, 'Choose a game by its picture')), source.place],
    h('div', { class: 'fields' },
      field(role, 'I play'),
      field(against, 'Against'),
      itsLevel,
      forAgent,
      forPeople),
    seat.place,
    wait.place,
    before,
    problem,
    h('p', { class: 'actions' }, start, limits))
  show(main, h('div', { class: 'view narrow' }, place))

  function offer (roles) {
    known = roles
    const mine = roles.filter(name => !isChance(name))
    show(role, mine.map(name => h('option', { value: `as ${name}` }, name)), !people() && h('option', { value: 'nobody' }, 'nobody; I watch'))
    if (itsLevel) itsLevel.hidden = against.value !== 'agent'
    for (const one of forAgent) one.hidden = people()
    for (const one of forPeople) one.hidden = !people()
    limits.textContent = people() ? 'You get a link to send. Whoever opens it takes another role.' : 'You have no time limit.'
    if ([...role.options].some(({ value }) => value === wanted)) role.value = wanted
    if (roles.length) problem.textContent = ''
    seat?.draw()
  }

  // `random` says that roles without a match slot may move at random.
  async function send (random) {
    if (start.disabled) return
    start.disabled = true
    problem.textContent = ''
    if (before) before.textContent = ''
    try {
      await source?.checked()
      const { game, url, rules, name, sheet, match, analysis, moves, facts } = wish ?? await source.asked()
      const from = game ? { game } : url ? { url } : rules ? { rules, name } : sheet ? { sheet } : analysis ? { analysis } : { match }
      const begun = { ...from, ...(moves ? { moves } : {}), ...(facts ? { facts } : {}), role: role.value.startsWith('as ') ? role.value.slice(3) : null }
      if (people()) {
        const { key, invite } = await wait.during(post('api/people', { ...begun, seconds: Number(moveClock.value) }))
        keepPlace(invite, key)
        source?.began()
        return open(PEOPLE + key)
      }
      const other = against.value.startsWith('player ') ? { opponent: against.value.slice(7) } : {}
      const asked = { ...begun, ...other, startClock: Number(startClock.value), playClock: Number(playClock.value), simulations: against.value === 'agent' ? Number(level?.value ?? 0) : 0, random }
      const { key } = await wait.during(post('api/play', asked))
      source?.began()
      open(key)
    } catch (error) {
      if (error.busy) seat.wait()
      source?.refuse(error)
      if (error.faults?.length) offer([])
      problem.textContent = error.busy ? '' : sentence(error.message)
    }
    start.disabled = false
  }

  offer(known)
  return () => { seat.close(); source?.close() }
}
