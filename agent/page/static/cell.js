// Contents of a cell: several things, walls at its edges, lines between cells, things between points.
import { h, svg } from './dom.js'
import { glyph } from './glyph.js'

const BESIDE = { top: 'the cell above', bottom: 'the cell below', left: 'the cell to the left', right: 'the cell to the right' }
const [HEX_SIDE, HEX_ROW] = [0.57735, 0.86603] // the side of a hexagon of width 1, and the distance of rows
const MOST = 4 // maximum things that are drawn; further things are only counted

// Returns all things in a cell.
export function thingsAt (grid, x, y) {
  const content = grid.cells?.[y]?.[x]
  return grid.more?.[`${x} ${y}`] ?? (!content || grid.symbols?.[content]?.blank ? [] : [content])
}

// Marks a pile with the number of its things.
export function pile (grid, x, y) {
  const things = grid.piles?.[`${x} ${y}`]
  return things ? h('span', { class: 'piled', 'aria-hidden': 'true' }, `×${things.length}`) : null
}

// Describes the things below the top of a pile.
export function below (grid, x, y) {
  return (grid.piles?.[`${x} ${y}`] ?? []).slice(1).map(one => ` on ${one}`).join('')
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

// Draws comparisons between neighbouring cells on their common edges.
export function signs (grid, x, y) {
  return (grid.signs?.[`${x} ${y}`] ?? []).map(([side, kind]) => {
    const opens = (kind === 'greater') === (side === 'right' || side === 'bottom') // the sign opens to the left or upwards
    const upright = side === 'right' || side === 'left'
    return h('span', { class: `compare at-${side}`, 'aria-hidden': 'true' }, upright ? (opens ? '>' : '<') : (opens ? '∨' : '∧'))
  })
}

// Describes the walls and comparisons of a cell.
export function wallsAt (grid, x, y) {
  const sides = grid.edges?.[`${x} ${y}`]
  const signs = (grid.signs?.[`${x} ${y}`] ?? []).map(([side, kind]) => `, ${kind} than ${BESIDE[side]}`)
  return (sides ? `, wall at ${sides.join(', ')}` : '') + signs.join('')
}

// Draws the thing above and to the right of a point.
export function amid (grid, x, y) {
  const content = grid.between?.[`${x} ${y}`]
  return content ? h('span', { class: 'amid' }, glyph(content, grid.symbols[content])) : null
}

// Returns the centre of a cell, in cell widths from the board's corner; each row of hexagons is shifted by half a cell.
export function middle ({ skew }, x, y) {
  return skew ? [x + 0.5 - skew * y / 2, HEX_SIDE + HEX_ROW * y] : [x + 0.5, y + 0.5]
}

// Draws lines between cell centres, or walls between cells.
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
