// Form for the source of rules: a bundled game, pasted text, a file, or a URL; and a match record from a file.
import { h, show } from './dom.js'
import { draft, keepDraft, keepKind, keptKind, use, used } from './drafts.js'
import { edit } from './edit.js'
import { editor } from './editor.js'
import { get, post } from './net.js'
import { gameOf, recordOf } from './record.js'
import { TEMPLATES } from './templates.js'

const LARGEST = 16 << 20 // maximum bytes of a file
const AGAIN = 3000 // milliseconds until rules are checked again if the agent has no time, or is not there
const UNSTORED = 'This browser cannot store these rules: a reload of the page loses them.'
const START = 60 // number of first characters that are compared to distinguish other rules from edited ones
const MISSING = { game: 'choose a game', rules: 'write or paste the rules first', url: 'give the URL of the rules' }

// `changed({ roles })` is called when the roles are known. With `records`, a match record may be loaded, too.
// `reports`: whether there are links to reports on the rules.
export function sourceForm ({ records = false, reports = true, changed: heard = null, chosen = null } = {}) {
  const changed = heard ?? (() => {})
  let games = []
  chosen ??= keptKind()
  let kind = chosen?.kind ?? 'game'
  let timer = 0
  let record = null
  let [finding, closed] = [0, false] // the next try to list the bundled games, and whether the form is gone
  let written = '' // the text of `loaded`: a browser may have translated what it shows
  let said = '' // why the rules cannot be read
  let told = '' // the rules or the URL whose roles are offered
  let named = null // start of the rules that the name belongs to; null if the visitor typed the name
  const game = h('select', { id: 'game', onchange: pick })
  const about = h('p', { class: 'soft', id: 'about-game' })
  const rules = editor(() => { rename(); keep(); clearTimeout(timer); timer = setTimeout(check, 500) })
  const name = h('input', { id: 'rules-name', maxlength: 60, autocomplete: 'off', placeholder: 'file name, or start of the comment', oninput: () => { named = null; keep() } })
  let sheets = [] // rules used before, latest first
  const before = h('select', { id: 'used', onchange: () => { const found = before.value && sheets[Number(before.value)]; if (found) fill(found.name, found.text) } })
  const earlier = h('div', { class: 'field' }, h('label', { for: 'used' }, 'or rules used before'), before)
  const template = h('select', { id: 'template', onchange: begin }, h('option', { value: '' }, 'choose …'), TEMPLATES.map(({ title }) => h('option', { value: title }, title)))
  const url = h('input', { id: 'url', type: 'url', value: chosen?.url ?? '', placeholder: 'http://games.ggp.org/base/games/ticTacToe/', onchange: () => { remember(); check() } })
  const loaded = h('p', { class: 'soft', role: 'status' })
  const without = h('button', { type: 'button', class: 'quiet', hidden: true, onclick: forget }, 'Remove the record')
  const file = h('input', { id: 'file', type: 'file', accept: '.kif,.gdl,.txt,text/plain', onchange: () => load(file.files[0]).then(() => { file.value = '' }) }) // so that the same file can be chosen again
  const match = h('input', { id: 'record', type: 'file', accept: '.json,application/json', onchange: () => loadRecord(match.files[0]).then(() => { match.value = '' }) })
  const kinds = { game: ' a bundled game', rules: ' pasted rules', url: ' rules at a URL' }
  const radio = value => h('label', {}, h('input', { type: 'radio', name: 'source', value, id: `source-${value}`, checked: kind === value, onchange: () => choose(value) }), kinds[value])
  const fields = {
    game: h('div', { class: 'field' }, h('label', { for: 'game' }, 'Game'), game, about, h('p', {}, h('button', { type: 'button', class: 'link', onclick: () => edit(`api/games/${encodeURIComponent(game.value)}`).catch(refuse) }, 'Edit the rules'), reports && [' · ', h('a', { href: '#/report', onclick: event => { event.currentTarget.href = `#/report/game/${encodeURIComponent(game.value)}` } }, 'Report on this game')])),
    rules: h('div', { class: 'field', ondragover: event => { if (holdsFile(event)) event.preventDefault() }, ondrop: event => { if (holdsFile(event)) { event.preventDefault(); load(event.dataTransfer.files[0]) } } }, h('label', { for: 'rules' }, 'Rulesheet'), rules, reports && h('p', {}, h('a', { href: '#/report/edit' }, 'Report on these rules')), h('div', { class: 'fields' },
      h('div', { class: 'field' }, h('label', { for: 'file' }, 'or from a file'), file),
      h('div', { class: 'field' }, h('label', { for: 'template' }, 'or a template'), template),
      earlier,
      h('div', { class: 'field' }, h('label', { for: 'rules-name' }, 'Its name'), name))),
    url: h('div', { class: 'field' }, h('label', { for: 'url' }, 'URL of a rulesheet, or of its entry in a game repository'), url)
  }
  const place = h('div', { class: 'setup' },
    h('fieldset', { class: 'source' }, h('legend', { class: 'hidden' }, 'Source of the rules'), Object.keys(kinds).map(radio)),
    Object.values(fields),
    records && h('div', { class: 'field' }, h('label', { for: 'record' }, 'Match record (JSON of ggp.org or of this page), optional'), match, without), loaded)

  function choose (value) {
    kind = value
    remember()
    for (const [name, field] of Object.entries(fields)) field.hidden = name !== kind
    clearTimeout(timer)
    tell('')
    if (kind === 'game') return pick()
    offer('', []) // the roles are not known yet
    check()
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
    const stored = keepDraft(name.value, rules.text)
    if (!stored || written === UNSTORED) write(stored ? '' : UNSTORED)
  }

  // Removes the name if the rules are no longer the named ones.
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

  function list () {
    sheets = used()
    show(before, h('option', { value: '' }, 'choose …'), sheets.map((one, i) => h('option', { value: i }, titled(one))))
    earlier.hidden = !sheets.length
  }

  // Replaces the rules; the rules before are stored among the used ones.
  function fill (title, text) {
    if (rules.text !== text) use(name.value, rules.text)
    put(title, text)
    list()
    keep()
    check()
  }

  function begin () {
    const found = TEMPLATES.find(({ title }) => title === template.value)
    if (!found) return
    fill('', found.rules)
    template.value = ''
  }

  // Returns the text that is checked, or its URL.
  function source () {
    return kind === 'rules' ? rules.text : url.value
  }

  function offer (text, roles) {
    told = text
    changed({ roles })
  }

  // Returns the error if the rules cannot be checked.
  async function check () {
    if (kind === 'game' || (kind === 'url' && !heard)) return // the roles are not needed
    const [asked, text] = [kind, source()]
    const late = () => kind !== asked || source() !== text // the source has changed meanwhile
    if (!text.trim()) {
      tell('')
      rules.faults([])
      return offer('', [])
    }
    try {
      const { faults, roles } = await post('api/check', { [asked]: text })
      if (late()) return
      tell('')
      if (asked === 'rules') rules.faults(faults)
      offer(text, roles)
    } catch (error) {
      if (late()) return
      refuse(error)
      tell(error.faults?.length && asked === 'rules' ? '' : error.message)
      if (error.later) timer = setTimeout(check, AGAIN)
      else offer('', [])
      return error
    }
  }

  function write (text) {
    loaded.textContent = written = text
  }

  // Says why rules cannot be read; an empty text removes that.
  function tell (text) {
    if (text || written === said) write(text)
    said = text
  }

  async function load (chosen) {
    const text = await read(chosen)
    if (text === null) return
    fill(chosen.name.replace(/\.(kif|gdl|txt)$/i, ''), text)
  }

  function forget () {
    record = null
    write('')
    without.hidden = true
  }

  // Opens a record with rules at once; for a record without rules, selects the game if its name is known.
  async function loadRecord (chosen) {
    forget()
    const text = await read(chosen)
    if (text === null) return
    try {
      record = recordOf(JSON.parse(text))
    } catch (error) {
      write(`This file is not a match record: ${error.message}.`)
      return
    }
    without.hidden = false
    const found = await gameOf(record, games.map(({ name }) => name))
    const guessed = found?.game && !record.rules
    if (record.url.startsWith('http')) url.value = record.url
    write(`A match of ${record.moves.length} steps${record.game || record.url ? ` of ${record.game || record.url}` : ''}.${found ? '' : ' It contains no rules: choose the game that was played.'}${guessed ? ` It is shown with the bundled game ${found.game}, whose rules may be others. Those of the match may be at its URL.` : ''}`)
    if (!found) return
    if (found.game) game.value = found.game
    if (found.rules) put(found.name ?? '', found.rules)
    set(found.game ? 'game' : found.url ? 'url' : 'rules')
    if (record.rules) place.closest('form')?.requestSubmit()
  }

  function set (value) {
    place.querySelector(`#source-${value}`).checked = true
    choose(value)
  }

  async function read (chosen) {
    if (!chosen) return null
    if (chosen.size > LARGEST) {
      write(`The file is larger than ${LARGEST >> 20} MiB.`)
      return null
    }
    return chosen.text()
  }

  function refuse (error) {
    if (error.faults?.length && kind === 'rules') rules.faults(error.faults)
  }

  const find = () => get('api/games').then(list => {
    tell('')
    games = list
    show(game, games.map(({ name }) => h('option', { value: name }, name)))
    const first = chosen?.name ?? 'ticTacToe'
    const known = games.some(({ name }) => name === first)
    if (known) game.value = first
    if (kind === 'game') pick()
    if (!known) about.textContent = `This agent has no game named ${first}. Choose another one.`
  }).catch(error => {
    tell(error.message)
    if (error.later && !closed) finding = setTimeout(() => { listing = find() }, AGAIN)
  })
  let listing = find() // ends when the games are listed, or could not be listed
  const kept = draft()
  put(kept.name, kept.text)
  choose(kind)
  list()

  return {
    place,
    refuse,
    // Returns the game as request parameters, once the games are listed.
    async asked () {
      if (kind === 'game') await listing
      const given = { game: game.value, rules: rules.text, url: url.value }[kind]
      if (!given.trim()) throw new Error(MISSING[kind])
      const moves = record ? { moves: record.moves, record: true } : {}
      if (kind === 'game') return { game: game.value, ...moves }
      if (kind === 'url') return { url: url.value, ...moves }
      return { rules: rules.text, name: name.value, ...moves }
    },
    // Checks changed rules at once, so that their roles are known, and not those of the rules before. Throws the error of the check.
    async checked () {
      if (kind === 'game' || told === source()) return
      clearTimeout(timer)
      const error = await check()
      if (error) throw error
    },
    // Stores the rules in the list of rules used before.
    began () { if (kind === 'rules') use(name.value, rules.text) },
    close () { closed = true; clearTimeout(timer); clearTimeout(finding) }
  }
}

// Whether a file is dragged, and not text.
function holdsFile ({ dataTransfer }) {
  return dataTransfer.types.includes('Files')
}

// Returns the list entry of pasted rules: their name, or their first line.
function titled ({ name, text }) {
  return name || text.trim().split(/[\r\n]/, 1)[0].replace(/^[;%=\s-]+/, '').slice(0, 50) || 'pasted rules'
}
