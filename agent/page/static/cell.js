// What is drawn in a cell besides one piece: several things, walls at its edges, lines between cells, what stands amid points.
import { h, svg } from './dom.js'
import { glyph } from './glyph.js'

const BESIDE = { top: 'that above', bottom: 'that below', left: 'that to the left', right: 'that to the right' }
const [HEX_SIDE, HEX_ROW] = [0.57735, 0.86603] // of a hexagon with a width of one: its side, and its rows' distance
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

// Whether a cell is greater or less than those beside it, drawn on the edges between them.
export function signs (grid, x, y) {
  return (grid.signs?.[`${x} ${y}`] ?? []).map(([side, kind]) => {
    const opens = (kind === 'greater') === (side === 'right' || side === 'bottom') // to the left, or upwards
    const upright = side === 'right' || side === 'left'
    return h('span', { class: `sign at-${side}`, 'aria-hidden': 'true' }, upright ? (opens ? '>' : '<') : (opens ? '∨' : '∧'))
  })
}

// The walls and comparisons of a cell in words.
export function wallsAt (grid, x, y) {
  const sides = grid.edges?.[`${x} ${y}`]
  const signs = (grid.signs?.[`${x} ${y}`] ?? []).map(([side, kind]) => `, ${kind} than ${BESIDE[side]}`)
  return (sides ? `, wall at ${sides.join(', ')}` : '') + signs.join('')
}

// What stands above and to the right of a point.
export function amid (grid, x, y) {
  const content = grid.between?.[`${x} ${y}`]
  return content ? h('span', { class: 'amid' }, glyph(content, grid.symbols[content])) : null
}

// The middle of a cell, in widths of cells from the board's corner; each row of hexagons is moved by half of one.
export function middle ({ skew }, x, y) {
  return skew ? [x + 0.5 - skew * y / 2, HEX_SIDE + HEX_ROW * y] : [x + 0.5, y + 0.5]
}

// Lines from cell to cell, or walls between them.
export function lines (grid) {
  if (!grid.lines?.length) return ''
  return svg('svg', { class: grid.walled ? 'joins walls' : 'joins', viewBox: `0 0 ${grid.columns.length} ${grid.rows.length}`, 'aria-hidden': 'true' }, grid.lines.map(ends => {
    let [x1, y1, x2, y2] = [middle(grid, ends[0], ends[1]), middle(grid, ends[2], ends[3])].flat()
    if (grid.walled) {
      const [x, y] = [x2 - x1, y2 - y1].map(part => part * (grid.skew ? HEX_SIDE : 1)) // neighbours are one step apart
      ;[x1, y1, x2, y2] = [(x1 + x2 - y) / 2, (y1 + y2 + x) / 2, (x1 + x2 + y) / 2, (y1 + y2 - x) / 2]
    }
    return svg('line', { x1, y1, x2, y2 })
  }))
}
