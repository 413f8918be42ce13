// Pasted rules stored in this browser: the current draft, and the last ones that were played or analysed.
import { local, session } from './storage.js'

const DRAFT = 'ggp-agent draft'
const USED = 'ggp-agent rules'
const KIND = 'ggp-agent source' // source shown in this tab's form: a game, pasted rules, or a URL
const MANY = 8
const LONGEST = 1_500_000 // maximum characters of all rules together; browsers store a few million

// Returns the draft of this tab; a new tab begins with the last one of all tabs.
export function draft () {
  return sheet(read(session, DRAFT)) ?? sheet(read(local, DRAFT)) ?? { name: '', text: '' }
}

// Returns whether the draft is stored. Otherwise an earlier one stays in the storage, and a reload of the page returns to it.
export function keepDraft (name, text) {
  const value = JSON.stringify(text.trim() ? { name, text } : { name: '', text: '' })
  return [local, session].map(one => text.length > LONGEST ? one.hold(DRAFT, value) : one.setItem(DRAFT, value)).every(Boolean)
}

// Returns the rulesheets that were used, latest first.
export function used () {
  const stored = read(local, USED)
  return Array.isArray(stored) ? stored.map(sheet).filter(Boolean) : []
}

export function use (name, text) {
  if (!text.trim() || text.length > LONGEST) return
  let room = LONGEST
  const all = [{ name, text }, ...used().filter(one => one.text !== text)].slice(0, MANY)
  local.setItem(USED, JSON.stringify(all.filter(one => (room -= one.text.length) >= 0)))
}

// Replaces the draft, and stores the old one among the used rules.
export function takeUp (name, text) {
  const before = draft()
  if (before.text !== text) use(before.name, before.text)
  keepDraft(name === 'pasted rules' ? '' : name, text)
  keepKind({ kind: 'rules' })
}

export function keptKind () {
  const stored = read(session, KIND)
  return ['game', 'rules', 'url'].includes(stored?.kind) ? stored : null
}

export function keepKind (chosen) {
  session.setItem(KIND, JSON.stringify(chosen))
}

function sheet (stored) {
  return typeof stored?.text === 'string' ? { name: typeof stored.name === 'string' ? stored.name : '', text: stored.text } : null
}

function read (storage, key) {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}
