// List of finished matches, with filters, pictures of the last positions, and deletion.
import { h, show, when } from './dom.js'
import { ended, KINDS, steps } from './ended.js'
import { get, post, sentence } from './net.js'
import { part } from './part.js'
import { sketch } from './sketch.js'

const SURE = 4000 // milliseconds within which a second click confirms the deletion

export function matches (main, store) {
  let [words, kind] = ['', '']
  const cards = new Map() // by match and its text, so that pictures are not drawn again
  const place = part()
  const problem = h('p', { class: 'problem', role: 'alert' })
  const search = h('input', { type: 'search', id: 'search', placeholder: 'game, player, result …', oninput: () => { words = search.value.toLowerCase(); draw() } })
  const kinds = h('select', { id: 'kind', onchange: () => { kind = kinds.value; draw() } }, Object.entries(KINDS).map(([value, [name]]) => h('option', { value }, name)))
  const filters = h('div', { class: 'filters' }, h('div', { class: 'field' }, h('label', { for: 'search' }, 'Search'), search), h('div', { class: 'field' }, h('label', { for: 'kind' }, 'Show'), kinds))
  show(main, h('div', { class: 'view' }, h('h2', {}, 'Matches'), filters, problem, place,
    h('p', { class: 'soft' }, 'To open a match record from a file, use ', h('a', { href: '#/analysis' }, 'Analyse'), '; to open a tournament, use ', h('a', { href: '#/tournament' }, 'its results'), '.')))

  function card (match) {
    const id = JSON.stringify([match.key, match.status, match.goals, match.steps, match.note])
    if (!cards.has(id)) cards.set(id, row(match))
    return cards.get(id)
  }

  function row (match) {
    let sure = 0
    const remove = h('button', {
      type: 'button',
      class: 'quiet small',
      'aria-label': `Delete ${match.title}`,
      onclick: async () => {
        if (Date.now() > sure) {
          sure = Date.now() + SURE
          remove.textContent = 'Really delete?'
          setTimeout(() => { remove.textContent = 'Delete' }, SURE)
          return
        }
        await post(`api/matches/${match.key}/delete`, {}).catch(error => { problem.textContent = sentence(error.message) })
      }
    }, 'Delete')
    return h('li', { class: 'card match' },
      match.steps ? sketch(async () => (await get(`api/matches/${match.key}/final`)).picture) : h('div', { class: 'sketch' }),
      h('a', { href: `#/history/${match.key}` }, h('span', { class: 'title' }, match.title),
        h('span', {}, ended(match)),
        h('span', { class: 'soft' }, `${when(match.began)}${match.goals ? ` · ${steps(match.steps)}` : ''}${match.players.some(Boolean) ? ` · ${match.roles.map((role, i) => `${role}: ${match.players[i] || 'another player'}`).join(', ')}` : ''}`)),
      remove)
  }

  function draw () {
    const all = store.data.history ?? []
    const wanted = all.filter(match => KINDS[kind][1](match) &&
      words.split(/\s+/).every(word => [match.title, match.matchId, ...match.players, ...match.roles, ended(match)].join(' ').toLowerCase().includes(word)))
    filters.hidden = !all.length
    place.draw(wanted.map(match => [match.key, match.status, match.goals, match.steps, match.note]).concat(all.length), () => wanted.length
      ? h('ul', { class: 'matches' }, wanted.map(card))
      : h('div', { class: 'card empty' }, h('p', {}, all.length ? 'No match fits these filters.' : 'No match has ended yet.'), !all.length && h('p', { class: 'actions' }, h('a', { class: 'button', href: '#/play' }, 'Play one'))))
  }
  draw()
  return store.follow(draw)
}
