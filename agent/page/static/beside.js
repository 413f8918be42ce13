// Parts of a position outside the boards: counters, pieces in hand, and other facts.
import { h } from './dom.js'
import { glyph } from './glyph.js'

const MANY = 400 // maximum facts that are listed
const FEW = 6 // maximum facts of a list that is not folded
const SEEDS = 12 // maximum seeds that are drawn in a pot

export function beside (picture, chooser) {
  const choices = lone(chooser)
  return [
    ...(picture.towers ?? []).map(piles),
    ...(picture.switches ?? []).map(one => switches(one, choices, chooser)),
    ...(picture.pots ?? []).map(one => pots(one, choices, chooser)),
    ...(picture.trays ?? []).map(one => tray(one, choices, chooser)),
    counters(picture.counters ?? []), facts(picture.others)]
}

// Returns the moves with one argument, by this argument, if no other move has it.
function lone (chooser) {
  const found = new Map()
  for (const { move } of chooser?.moves ?? []) {
    const name = move.match(/^\(\S+ ([^\s()]+)\)$/)?.[1]
    found.set(name, found.has(name) ? null : move)
  }
  return found
}

function choice (name, what, inside, choices, chooser) {
  const move = choices.get(name)
  return h('li', {}, move
    ? h('button', { type: 'button', class: 'quiet', 'data-key': `${what} ${name}`, onclick: () => chooser.play(move) }, inside)
    : h('span', {}, inside))
}

// Draws numbers in a row, each as a pot with seeds.
function pots ({ title, names, values }, choices, chooser) {
  return h('div', { class: 'pots' }, h('h3', {}, spaced(title)), h('ul', {}, names.map((name, i) =>
    choice(name, 'pot', [
      h('span', { class: 'seeds', 'aria-hidden': 'true' }, Array.from({ length: Math.min(values[i], SEEDS) }, () => h('i'))),
      h('strong', {}, values[i]), h('span', { class: 'name' }, name)], choices, chooser))))
}

// Draws towers; the width of a thing with a number is proportional to the number.
function piles ({ title, towers }) {
  const size = thing => Number(thing.match(/\d+$/)?.[0] ?? 0)
  const most = Math.max(1, ...towers.flatMap(({ things }) => things.map(size)))
  return h('div', { class: 'towers' }, h('h3', {}, spaced(title)), h('ul', {}, towers.map(({ base, things }) => h('li', {},
    h('ol', { reversed: true }, [...things].reverse().map(thing => h('li', { style: { '--part': size(thing) / most } }, thing))),
    h('span', { class: 'base' }, base)))))
}

function counters (counters) {
  if (!counters.length) return null
  return h('dl', { class: 'counters' }, counters.map(([name, value]) => h('div', {}, h('dt', {}, spaced(name)), h('dd', {}, value))))
}

// Draws pieces outside the boards.
function tray ({ title, pieces, symbols }, choices, chooser) {
  return h('div', { class: 'tray' }, h('h3', {}, spaced(title)), h('ul', {}, pieces.map(piece =>
    choice(piece, 'tray', [glyph(piece, symbols[piece]), h('span', { class: 'hidden' }, piece)], choices, chooser))))
}

// Draws things with values; things with more than two lie in a square if their number allows it.
function switches ({ names, values, symbols }, choices, chooser) {
  const across = Math.sqrt(names.length)
  const square = across > 2 && Number.isInteger(across) && Object.keys(symbols).some(one => symbols[one].blank)
  return h('div', { class: `tray switches${square ? ' square' : ''}`, style: square ? { '--across': across } : {} }, h('ul', {}, names.map((name, i) =>
    choice(name, 'switch', [glyph(values[i], symbols[values[i]]), h('span', { class: 'name', 'aria-hidden': 'true' }, name), h('span', { class: 'hidden' }, `${name}: ${values[i]}`)], choices, chooser))))
}

function spaced (name) {
  return name.replace(/[_-]/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}

function facts (others) {
  const relations = Object.entries(others)
  if (!relations.length) return null
  const total = relations.reduce((sum, [, rows]) => sum + rows.length, 0)
  const rows = relation(relations)
  return total <= FEW ? rows : h('details', { class: 'peek' }, h('summary', {}, `Other facts (${total})`), rows)
}

function relation (relations) {
  let left = MANY
  return h('dl', { class: 'facts' }, relations.map(([name, rows]) => {
    const shown = rows.slice(0, Math.max(left, 0))
    left -= rows.length
    return h('div', {}, h('dt', {}, name), h('dd', {},
      shown.filter(row => row.length).map(row => h('span', { class: 'fact' }, row.join(' '))),
      shown.length < rows.length && `and ${rows.length - shown.length} more`))
  }))
}
