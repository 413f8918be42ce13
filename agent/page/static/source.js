// Where rules come from: a bundled game, pasted text, a file, or an address; and a match record from a file.
import { h, show } from './dom.js'
import { draft, keepDraft, keepKind, keptKind, use, used } from './drafts.js'
import { edit } from './edit.js'
import { editor } from './editor.js'
import { get, post } from './net.js'

const LARGEST = 16 << 20 // bytes of a file
const START = 60 // characters by which other rules are told from rules that were edited

// `changed({ roles })` is told the roles as soon as they are known. With `records`, a match record may be loaded, too.
export function sourceForm ({ records = false, changed = () => {}, chosen = null } = {}) {
  let games = []
  chosen ??= keptKind()
  let kind = chosen?.kind ?? 'game'
  let timer = 0
  let record = null
  let named = null // how the rules begin that the name came with; null where it was written by hand
  const game = h('select', { id: 'game', onchange: pick })
  const about = h('p', { class: 'soft', id: 'about-game' })
  const rules = editor(() => { rename(); keep(); clearTimeout(timer); timer = setTimeout(check, 500) })
  const name = h('input', { id: 'rules-name', maxlength: 60, autocomplete: 'off', placeholder: 'its file, or the first words of its comment', oninput: () => { named = null; keep() } })
  const sheets = used() // those before, the last one first
  const before = h('select', { id: 'used', onchange: () => { const found = before.value && sheets[Number(before.value)]; if (found) fill(found.name, found.text) } },
    h('option', { value: '' }, 'choose …'), sheets.map((one, i) => h('option', { value: i }, titled(one))))
  const url = h('input', { id: 'url', type: 'url', value: chosen?.url ?? '', placeholder: 'http://games.ggp.org/base/games/ticTacToe/', onchange: remember })
  const loaded = h('p', { class: 'soft', role: 'status' })
  const file = h('input', { id: 'file', type: 'file', accept: '.kif,.gdl,.txt,text/plain', onchange: () => load(file.files[0]) })
  const match = h('input', { id: 'record', type: 'file', accept: '.json,application/json', onchange: () => loadRecord(match.files[0]) })
  const kinds = { game: ' a bundled game', rules: ' rules that I paste', url: ' rules at an address' }
  const radio = value => h('label', {}, h('input', { type: 'radio', name: 'source', value, id: `source-${value}`, checked: kind === value, onchange: () => choose(value) }), kinds[value])
  const fields = {
    game: h('div', { class: 'field' }, h('label', { for: 'game' }, 'Game'), game, about, h('p', {}, h('button', { type: 'button', class: 'link', onclick: () => edit(`/api/games/${encodeURIComponent(game.value)}`).catch(refuse) }, 'Edit the rules'))),
    rules: h('div', { class: 'field' }, h('label', { for: 'rules' }, 'Rulesheet'), rules, h('div', { class: 'fields' },
      h('div', { class: 'field' }, h('label', { for: 'file' }, 'or from a file'), file),
      sheets.length > 0 && h('div', { class: 'field' }, h('label', { for: 'used' }, 'or rules used before'), before),
      h('div', { class: 'field' }, h('label', { for: 'rules-name' }, 'Its name'), name))),
    url: h('div', { class: 'field' }, h('label', { for: 'url' }, 'Address of a rulesheet, or of its entry in a game repository'), url)
  }
  const place = h('div', { class: 'setup' },
    h('fieldset', { class: 'source' }, h('legend', { class: 'hidden' }, 'Where the rules come from'), Object.keys(kinds).map(radio)),
    Object.values(fields),
    records && h('div', { class: 'field' }, h('label', { for: 'record' }, 'A match record (JSON of ggp.org, or ours), if you have one'), match), loaded)

  function choose (value) {
    kind = value
    remember()
    for (const [name, field] of Object.entries(fields)) field.hidden = name !== kind
    if (kind === 'rules') check()
    if (kind === 'game') pick()
    if (kind === 'url') changed({ roles: [] })
  }

  function pick () {
    const found = games.find(({ name }) => name === game.value)
    about.textContent = found ? `${found.description}.` : ''
    if (found) remember()
    changed({ roles: found?.roles ?? [] })
  }

  function remember () {
    keepKind({ kind, name: game.value || chosen?.name, url: url.value })
  }

  function keep () {
    keepDraft(name.value, rules.text)
  }

  // Other rules than those that the name came with are called by what they say themselves.
  function rename () {
    if (named === null || rules.text.slice(0, START) === named) return
    name.value = ''
    named = null
  }

  function put (title, text) {
    name.value = title
    rules.text = text
    named = text.slice(0, START)
  }

  function fill (title, text) {
    put(title, text)
    keep()
    check()
  }

  async function check () {
    if (kind !== 'rules' || !rules.text.trim()) return rules.faults([])
    try {
      const { faults, roles } = await post('/api/check', { rules: rules.text })
      rules.faults(faults)
      changed({ roles })
    } catch (error) {
      refuse(error)
    }
  }

  async function load (chosen) {
    const text = await read(chosen)
    if (text === null) return
    fill(chosen.name.replace(/\.(kif|gdl|txt)$/i, ''), text)
  }

  // A record names its game by an address; a bundled game of that name has the same rules.
  async function loadRecord (chosen) {
    const text = await read(chosen)
    if (text === null) return
    try {
      record = recordOf(JSON.parse(text))
    } catch (error) {
      record = null
      loaded.textContent = `This is no match record: ${error.message}`
      return
    }
    const name = record.url.split('/').filter(Boolean).filter(word => !/^v\d+$/.test(word)).at(-1)
    const known = games.find(one => one.name === name)
    loaded.textContent = `A match of ${record.moves.length} steps${record.url ? ` of ${record.url}` : ''}. ${known ? '' : 'Choose the game that it was played with, if it is not the one above.'}`
    if (known) {
      game.value = name
      set('game')
    } else if (record.url.startsWith('http')) {
      url.value = record.url
      set('url')
    }
  }

  function set (value) {
    place.querySelector(`#source-${value}`).checked = true
    choose(value)
  }

  async function read (chosen) {
    if (!chosen) return null
    if (chosen.size > LARGEST) {
      loaded.textContent = `The file is larger than ${LARGEST >> 20} MiB.`
      return null
    }
    return chosen.text()
  }

  function refuse (error) {
    if (error.faults?.length && kind === 'rules') rules.faults(error.faults)
  }

  get('/api/games').then(list => {
    games = list
    show(game, games.map(({ name }) => h('option', { value: name }, name)))
    const first = chosen?.name ?? 'ticTacToe'
    if (games.some(({ name }) => name === first)) game.value = first
    if (kind === 'game') pick()
  }).catch(refuse)
  const kept = draft()
  put(kept.name, kept.text)
  choose(kind)

  return {
    place,
    refuse,
    asked () {
      const moves = record ? { moves: record.moves } : {}
      if (kind === 'game') return { game: game.value, ...moves }
      return kind === 'url' ? { url: url.value, ...moves } : { rules: rules.text, name: name.value, ...moves }
    },
    // What was begun is kept among the rules used before.
    began () { if (kind === 'rules') use(name.value, rules.text) },
    close () { clearTimeout(timer) }
  }
}

// How pasted rules are listed: by their name, or by what they begin with.
function titled ({ name, text }) {
  return name || text.trim().split(/[\r\n]/, 1)[0].replace(/^[;%=\s-]+/, '').slice(0, 50) || 'pasted rules'
}

// The joint moves of a record in the form of ggp.org, as the rules spell moves, and the address of its game.
export function recordOf (told) {
  if (!Array.isArray(told?.moves)) throw new Error('it has no list of moves')
  const moves = told.moves.map(joint => {
    if (!Array.isArray(joint) || !joint.every(move => typeof move === 'string')) throw new Error('a joint move is a list of texts')
    return joint.map(move => move.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').trim())
  })
  return { moves, url: typeof told.gameMetaURL === 'string' ? told.gameMetaURL : '' }
}
