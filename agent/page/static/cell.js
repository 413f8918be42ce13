// What is drawn in a cell besides one piece: several things, walls at its edges, lines between cells, what stands amid points.
import { h, svg } from './dom.js'
import { glyph } from './glyph.js'

const MOST = 4 // things that are drawn; more are counted

// All that stands in a cell; nothing where it is empty.
export function thingsAt (grid, x, y) {
  const content = grid.cells?.[y]?.[x]
  return grid.more?.[`${x} ${y}`] ?? (!content || grid.symbols?.[content]?.blank ? [] : [content])
}

export function stack (things, symbols) {
  const drawn = things.map(one => glyph(one, symbols[one])).filter(Boolean)
  if (drawn.length < 2) return drawn[0] ?? null
  const shown = drawn.length > MOST ? [...drawn.slice(0, MOST - 1), h('span', { class: 'mark', 'data-length': 2, 'aria-hidden': 'true' }, `+${drawn.length - MOST + 1}`)] : drawn
  return h('span', { class: `stack of-${shown.length}` }, shown.map(one => h('span', { class: 'place' }, one)))
}

export function edges (grid, x, y) {
  return (grid.edges?.[`${x} ${y}`] ?? []).map(side => h('span', { class: `wall at-${side}`, 'aria-hidden': 'true' }))
}

// The walls of a cell in words.
export function wallsAt (grid, x, y) {
  const sides = grid.edges?.[`${x} ${y}`]
  return sides ? `, wall at ${sides.join(', ')}` : ''
}

// What stands above and to the right of a point.
export function amid (grid, x, y) {
  const content = grid.between?.[`${x} ${y}`]
  return content ? h('span', { class: 'amid' }, glyph(content, grid.symbols[content])) : null
}

// Lines from cell to cell, or walls between them.
export function lines (grid) {
  if (!grid.lines?.length) return ''
  return svg('svg', { class: grid.walled ? 'joins walls' : 'joins', viewBox: `0 0 ${grid.columns.length} ${grid.rows.length}`, 'aria-hidden': 'true' }, grid.lines.map(ends => {
    let [x1, y1, x2, y2] = ends.map(one => one + 0.5)
    if (grid.walled) [x1, y1, x2, y2] = [(x1 + x2 - y2 + y1) / 2, (y1 + y2 + x2 - x1) / 2, (x1 + x2 + y2 - y1) / 2, (y1 + y2 - x2 + x1) / 2]
    return svg('line', { x1, y1, x2, y2 })
  }))
}
