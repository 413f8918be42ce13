// What belongs to a position and is on no board: counters, pieces in the hand, and the facts that are left.
import { h } from './dom.js'
import { glyph } from './glyph.js'

const MANY = 400 // facts that are listed
const FEW = 6 // facts that need no fold

export function beside (picture, chooser) {
  return [counters(picture.counters ?? []), ...(picture.trays ?? []).map(one => tray(one, chooser)), facts(picture.others)]
}

function counters (counters) {
  if (!counters.length) return null
  return h('dl', { class: 'counters' }, counters.map(([name, value]) => h('div', {}, h('dt', {}, spaced(name)), h('dd', {}, value))))
}

// Pieces on no board; one that a move names alone is a button for it.
function tray ({ title, pieces, symbols }, chooser) {
  const moves = new Map((chooser?.moves ?? []).map(one => [one.move.match(/^\(\S+ (\S+)\)$/)?.[1], one.move]))
  return h('div', { class: 'tray' }, h('h3', {}, spaced(title)), h('ul', {}, pieces.map(piece => {
    const inside = [glyph(piece, symbols[piece]), h('span', { class: 'hidden' }, piece)]
    const move = moves.get(piece)
    return h('li', {}, move
      ? h('button', { type: 'button', class: 'quiet', 'data-key': `tray ${piece}`, onclick: () => chooser.play(move) }, inside)
      : h('span', {}, inside))
  })))
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
