// Gallery of the bundled games, with pictures, kinds, search and favourites.
import { h, show } from './dom.js'
import { get, sentence } from './net.js'
import { isChance } from './roles.js'
import { sketch } from './sketch.js'
import { local } from './storage.js'

const STARS = 'ggp-agent favourites'
const sketches = new Map() // by name, as the agent sent them

export function games (main) {
  const { place, stop } = gallery()
  show(main, h('div', { class: 'view' }, h('h2', {}, 'Games'), place))
  return stop
}

// Shows all games as cards; call `stop` when they are no longer shown.
export function gallery () {
  let list = []
  let [words, kind] = ['', '']
  let stars = new Set(stored())
  let gone = false
  const search = h('input', { type: 'search', id: 'search', placeholder: 'name, words, players …', oninput: () => { words = search.value.toLowerCase(); draw() } })
  const kinds = h('select', { id: 'kind', onchange: () => { kind = kinds.value; draw() } })
  const place = h('ul', { class: 'gallery' })
  const said = h('p', { class: 'soft', role: 'status' })
  const whole = h('div', { class: 'view' },
    h('div', { class: 'filters' }, h('div', { class: 'field' }, h('label', { for: 'search' }, 'Search'), search), h('div', { class: 'field' }, h('label', { for: 'kind' }, 'Show'), kinds)),
    said, place, h('p', { class: 'soft' }, 'To use other rules, from text, a file or a URL, open ', h('a', { href: '#/play' }, 'Play'), ' or ', h('a', { href: '#/analysis' }, 'Analyse'), '.'))
  const cards = new Map()

  function card (game) {
    const tags = h('p', { class: 'tags' })
    const tell = () => show(tags, kindsOf(game).map(name => h('span', { class: 'tag' }, name)))
    const star = h('button', { type: 'button', class: 'star', 'aria-label': `Favourite: ${game.name}`, onclick: () => { toggle(game.name); mark() } })
    const mark = () => { star.textContent = stars.has(game.name) ? '★' : '☆'; star.setAttribute('aria-pressed', stars.has(game.name)) }
    tell()
    mark()
    return h('li', { class: 'card game' },
      sketch(async () => {
        if (!sketches.has(game.name)) sketches.set(game.name, await get(`api/games/${encodeURIComponent(game.name)}/sketch`))
        tell()
        if (!gone) draw()
        return sketches.get(game.name).picture
      }),
      h('div', {}, h('h3', {}, game.name), star), h('p', {}, sentence(game.description)), tags,
      h('p', { class: 'actions' }, h('a', { class: 'button', href: `#/play/game/${encodeURIComponent(game.name)}`, 'aria-label': `Play ${game.name}` }, 'Play'),
        h('a', { class: 'button quiet', href: `#/analysis/game/${encodeURIComponent(game.name)}`, 'aria-label': `Analyse ${game.name}` }, 'Analyse'),
        h('a', { href: `#/report/game/${encodeURIComponent(game.name)}`, 'aria-label': `Report on ${game.name}` }, 'Report')))
  }

  function toggle (name) {
    if (!stars.delete(name)) stars = new Set([...stars, name])
    local.setItem(STARS, JSON.stringify([...stars]))
  }

  function draw () {
    const all = [...new Set(list.flatMap(kindsOf))]
    if (kinds.options.length !== all.length + 2) show(kinds, h('option', { value: '' }, 'all games'), h('option', { value: 'stars' }, 'favourites'), all.map(name => h('option', { value: name }, name)))
    kinds.value = kind
    const wanted = list.filter(game => (kind === '' || (kind === 'stars' ? stars.has(game.name) : kindsOf(game).includes(kind))) &&
      words.split(/\s+/).every(word => [game.name, game.description, ...game.roles, ...kindsOf(game)].join(' ').toLowerCase().includes(word)))
    wanted.sort((one, other) => stars.has(other.name) - stars.has(one.name) || rank(one) - rank(other))
    for (const game of list) if (!cards.has(game.name)) cards.set(game.name, card(game))
    const shown = wanted.map(({ name }) => cards.get(name))
    if (shown.length !== place.children.length || shown.some((one, i) => one !== place.children[i])) place.replaceChildren(...shown)
    said.textContent = list.length ? `${wanted.length} of ${list.length} games` : 'Loading …'
  }

  draw()
  get('api/games').then(answer => { if (!gone) { list = answer; draw() } }).catch(error => { said.textContent = sentence(error.message) })
  return { place: whole, stop: () => { gone = true } }
}

// Games of several players come first, then those with chance, then those of one player.
function rank ({ roles }) {
  const players = playersOf(roles)
  return players < 2 ? 2 : players < roles.length ? 1 : 0
}

function playersOf (roles) {
  return roles.filter(role => !isChance(role)).length
}

// Returns the kinds that follow from the roles; the sketch adds the other kinds.
function kindsOf ({ name, roles }) {
  const known = sketches.get(name)?.kinds
  if (known) return known
  const players = playersOf(roles)
  return [{ 1: 'one player', 2: 'two players' }[players] ?? `${players} players`, ...(players < roles.length ? ['chance'] : [])]
}

function stored () {
  try {
    const stored = JSON.parse(local.getItem(STARS) ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}
